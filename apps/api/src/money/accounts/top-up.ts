// Adds purchased credits to an account on a plan. They carry over from cycle to cycle and are spent last.

import type { Database } from '../../infrastructure/database.ts'
import { addCredits } from '../credits/add-credits.ts'
import { renewIfDue } from '../credits/cycles.ts'
import type { Balance } from '../credits/ledger.ts'
import {
  type EarlierEntry,
  findReference,
  type OperatorNote,
  recordEntry,
} from '../credits/operator-entries.ts'
import { type PlanId, plans } from './plans.ts'

export type TopUp =
  | ({ readonly toppedUp: true } & Balance)
  /** The reference was used before, with the same amount or another one. Nothing was changed. */
  | { readonly toppedUp: false; readonly because: 'reference used'; readonly before: EarlierEntry }
  | { readonly toppedUp: false; readonly because: 'no such account' | 'plan has no top-ups' }

/** `amount` in credits, a whole number above 0. */
export function topUp(
  database: Database,
  accountId: string,
  amount: number,
  note?: OperatorNote,
): Promise<TopUp> {
  return database.transaction(async (tx) => {
    // The account is locked first, so that the plan cannot change between the check and the top-up. Then a due renewal runs,
    // because a waiting downgrade may end a plan that allows top-ups.
    await tx.query('select from accounts where id = $1 for no key update', [accountId])
    await renewIfDue(tx, accountId)
    const found = await tx.query<{ plan: PlanId }>('select plan from accounts where id = $1', [accountId])
    const account = found.rows[0]
    if (!account) return { toppedUp: false, because: 'no such account' }
    const before = note?.reference && (await findReference(tx, accountId, note.reference))
    if (before) return { toppedUp: false, because: 'reference used', before }
    if (!plans[account.plan].topUps) return { toppedUp: false, because: 'plan has no top-ups' }
    const added = await addCredits(tx, accountId, amount)
    if (note) await recordEntry(tx, accountId, { kind: 'topup' }, note)
    return { toppedUp: true, ...added }
  })
}
