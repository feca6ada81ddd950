import type { Queryable } from './database.ts'

/** Resolves when the database responds, and rejects otherwise. */
export async function checkConnection(database: Queryable): Promise<void> {
  await database.query('select 1')
}
