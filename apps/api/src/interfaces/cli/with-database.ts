// Opens the database for one command: the running server's, or one that is started and stopped for the command.

import { readConfig } from '../../infrastructure/config.ts'
import { type Database, type OpenedDatabase, openDatabase } from '../../infrastructure/database.ts'

export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ config: readConfig(), as: 'command', onOpen: announce })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** On stderr, so that programs can read the result from stdout. */
function announce({ name, isNew }: OpenedDatabase): void {
  process.stderr.write(
    isNew
      ? `lotline: created ${name}. It was empty: if you expected data, check DATA_DIR and DATABASE_URL.\n`
      : `lotline: using ${name}\n`,
  )
}
