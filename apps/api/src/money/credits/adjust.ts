// Adjustments: credits that the operator adds or removes on any plan, with a reason.

import type { Queryable } from '../../infrastructure/database.ts'
import type { Balance } from './ledger.ts'

/** Maximum length of a reason, in characters. */
export const MAX_REASON_LENGTH = 200

export type Adjustment =
  | ({ readonly adjusted: true } & Balance)
  | { readonly adjusted: false; readonly because: 'no such account' }
  /** Fewer credits are available (balance minus held) than should be removed. Nothing was changed. */
  | ({ readonly adjusted: false; readonly because: 'insufficient' } & Balance)

/**
 * Adds `amount` credits to an account's balance, or removes them if it is negative. Added credits carry over from cycle to cycle
 * and are spent last, like a top-up. The balance never falls below 0 or below what jobs hold.
 *
 * @param amount credits, a whole number other than 0
 * @param reason 1 to `MAX_REASON_LENGTH` characters; it is stored in the ledger
 */
export async function adjustCredits(
  database: Queryable,
  accountId: string,
  amount: number,
  reason: string,
): Promise<Adjustment> {
  const { rows } = await database.query<{ verdict: 'adjusted' | 'insufficient' | 'unknown' } & Balance>(
    'select verdict, balance, held from adjust_credits($1, $2, $3)',
    [accountId, amount, reason],
  )
  const { verdict, balance, held } = rows[0]!
  if (verdict === 'unknown') return { adjusted: false, because: 'no such account' }
  if (verdict === 'insufficient') return { adjusted: false, because: 'insufficient', balance, held }
  return { adjusted: true, balance, held }
}
