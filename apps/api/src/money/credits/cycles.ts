// The cycles of a plan: the rest of one grant expires and the next one is given, in one transaction
// (migrations/0012_cycles_and_limits.sql). Functions that move credits begin a due cycle first.

import type { Queryable } from '../../infrastructure/database.ts'

/** Grants the credits of the account's plan and expires the rest of an earlier grant, for a change of plan. */
export async function beginCycle(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('select begin_cycle($1)', [accountId])
}

/** Begins the account's current cycle if it is due, once, even with concurrent calls. Returns whether it did. */
export async function renewIfDue(database: Queryable, accountId: string): Promise<boolean> {
  const { rows } = await database.query<{ renewed: boolean }>('select renew_if_due($1) as renewed', [
    accountId,
  ])
  return rows[0]!.renewed
}
