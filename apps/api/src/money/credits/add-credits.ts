import type { Queryable } from '../../infrastructure/database.ts'
import type { Balance } from './ledger.ts'

/**
 * Adds credits that do not expire, in a transaction that has locked the account.
 *
 * @param credits a whole number above 0
 */
export async function addCredits(
  tx: Queryable,
  accountId: string,
  credits: number,
): Promise<Pick<Balance, 'balance' | 'held'>> {
  const { rows } = await tx.query<Pick<Balance, 'balance' | 'held'>>(
    'select balance, held from top_up($1, $2)',
    [accountId, credits],
  )
  return rows[0]!
}
