import type { Queryable } from './database.ts'

/** Resolves when the database answers, and rejects when it does not. */
export async function checkConnection(database: Queryable): Promise<void> {
  await database.query('select 1')
}
