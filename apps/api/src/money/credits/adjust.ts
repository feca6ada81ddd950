// Credits that the operator adds or removes by hand, on any plan, with the reason.

import type { Queryable } from '../../infrastructure/database.ts'
import type { Balance } from './ledger.ts'

/** Characters of a reason. */
export const MAX_REASON_LENGTH = 200

export type Adjustment =
  | ({ readonly adjusted: true } & Balance)
  | { readonly adjusted: false; readonly because: 'no such account' }
  /** Fewer credits are available (balance less held) than were to be taken away. Nothing was changed. */
  | ({ readonly adjusted: false; readonly because: 'insufficient' } & Balance)

/**
 * Adds `amount` credits to an account's balance, or takes them away where it is negative. What is added carries over from
 * cycle to cycle and is spent last, like a top-up. The balance never becomes negative or smaller than what jobs hold.
 *
 * @param amount credits, a whole number that is not 0
 * @param reason 1 to `MAX_REASON_LENGTH` characters; it is kept in the ledger
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
