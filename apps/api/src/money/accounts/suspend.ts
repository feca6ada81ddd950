// Suspending an account refuses all its keys, and resuming admits them again. Nothing else changes: cycles continue, and
// jobs that were accepted run to their end.

import type { Queryable } from '../../infrastructure/database.ts'

/** False when there is no such account. Repeating it is harmless; running servers notice within a second. */
export function suspendAccount(database: Queryable, accountId: string): Promise<boolean> {
  return setStatus(database, accountId, 'suspended')
}

/** Undoes `suspendAccount`. */
export function resumeAccount(database: Queryable, accountId: string): Promise<boolean> {
  return setStatus(database, accountId, 'active')
}

async function setStatus(
  database: Queryable,
  accountId: string,
  status: 'active' | 'suspended',
): Promise<boolean> {
  const { rowCount } = await database.query('update accounts set status = $2 where id = $1', [
    accountId,
    status,
  ])
  return rowCount === 1
}
