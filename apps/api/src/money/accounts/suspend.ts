// Suspending an account refuses all its keys, and resuming admits them again. Nothing else changes: cycles continue, and
// jobs that were accepted run to their end.

import { type Queryable, writeToJournal } from '../../infrastructure/database.ts'

/** In a transaction. False when there is no such account. Repeating it is harmless; running servers notice within a second. */
export function suspendAccount(tx: Queryable, accountId: string): Promise<boolean> {
  return setStatus(tx, accountId, 'suspended')
}

/** Undoes `suspendAccount`. */
export function resumeAccount(tx: Queryable, accountId: string): Promise<boolean> {
  return setStatus(tx, accountId, 'active')
}

async function setStatus(tx: Queryable, accountId: string, status: 'active' | 'suspended'): Promise<boolean> {
  const { rowCount } = await tx.query('update accounts set status = $2 where id = $1', [accountId, status])
  if (rowCount === 0) return false
  const kind = status === 'active' ? 'account_resumed' : 'account_suspended'
  await writeToJournal(tx, [{ kind, account: accountId }])
  return true
}
