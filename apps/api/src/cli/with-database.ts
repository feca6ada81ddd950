// The database for the duration of one command: the running server's, or started for it and stopped after it.

import { readConfig } from '../config/config.ts'
import { type Database, openDatabase } from '../database/database.ts'

export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ config: readConfig(), as: 'command' })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
