// Opens the database for one command: the running server's, or one that is started and stopped for the command.

import { join } from 'node:path'
import { readConfig } from '../../infrastructure/config.ts'
import {
  copyJournal,
  type Database,
  JOURNAL_FOLDER,
  type OpenedDatabase,
  openDatabase,
  shortReason,
} from '../../infrastructure/database.ts'

/** When it resolves, the safety journal of all changes is on disk, or stderr says why it is not. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const config = readConfig()
  const database = await openDatabase({ config, as: 'command', onOpen: announce })
  try {
    const result = await work(database)
    await copyOrWarn(database, config.dataDir)
    return result
  } finally {
    await database.close()
  }
}

/** The changes are committed, so the command has succeeded even if they cannot be copied. */
async function copyOrWarn(database: Database, dataDir: string): Promise<void> {
  try {
    await copyJournal(database, dataDir)
  } catch (error) {
    process.stderr.write(
      `lotline: The command was carried out, but ${join(dataDir, JOURNAL_FOLDER)} cannot be written (${shortReason(error)}): a restore could undo it. Make the folder writable; the next command or a running server then writes it.\n`,
    )
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
