// The cycles of a plan: what is left of one grant expires and the next is given, in one transaction. How is written in
// migrations/0012_cycles_and_limits.sql; the functions that move an account's credits begin its cycle first if it is due.

import type { Queryable } from '../../infrastructure/database.ts'

/** Grants the credits of the account's plan, and ends what is left of an earlier grant. For a change of plan. */
export async function beginCycle(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('select begin_cycle($1)', [accountId])
}

/** Begins the account's current cycle if it is due, once, also when several processes ask. Says whether it has. */
export async function renewIfDue(database: Queryable, accountId: string): Promise<boolean> {
  const { rows } = await database.query<{ renewed: boolean }>('select renew_if_due($1) as renewed', [
    accountId,
  ])
  return rows[0]!.renewed
}
