// Refunds the charges of events that an undone import has caused: one entry of the ledger for each account, and each event once.

import type { Queryable } from '../../infrastructure/database.ts'

export interface EventRefund {
  /** Credits of all accounts. */
  readonly credits: number
  /** The number of refunded events. */
  readonly events: number
  /** The number of accounts that got an entry. */
  readonly accounts: number
}

const REFUND = 'select credits, events from refund_events($1, $2, $3, $4, $5)'

/**
 * Refunds events that were not refunded before, in the caller's transaction. Refunded credits carry over and are spent last, like a top-up.
 *
 * @param charges the request ids of the usage rows of the events, by account
 * @param operator the name of the operator, which the entry has
 */
export async function refundEvents(
  tx: Queryable,
  importId: number,
  charges: ReadonlyMap<string, readonly string[]>,
  operator: string,
): Promise<EventRefund> {
  let [credits, events, accounts] = [0, 0, 0]
  // Sorted: a transaction with several accounts locks them in order.
  for (const accountId of [...charges.keys()].sort()) {
    const requests = charges.get(accountId)!
    if (requests.length === 0) continue
    const { rows } = await tx.query<{ credits: number; events: number }>(REFUND, [
      accountId,
      importId,
      requests,
      `Refund of the events of import ${importId}`,
      operator,
    ])
    const [refund] = rows
    if (!refund || refund.events === 0) continue
    credits += refund.credits
    events += refund.events
    accounts += 1
  }
  return { credits, events, accounts }
}
