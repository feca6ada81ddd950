// Charging events that no call waits for, in the transaction that writes them.

import type { Queryable } from '../database/database.ts'

/** What an event costs, and what the usage rows of such charges name. */
export interface EventPrice {
  /** The operation that has the price in the contract. */
  readonly operation: string
  readonly endpoint: string
  readonly actor: string
  /** Credits for each event, at least 0. */
  readonly price: number
}

/** One event to charge. */
export interface EventCharge {
  readonly accountId: string
  /** Of the key whose limit applies. */
  readonly keyId: string
  /** Of its usage row. No call has it. */
  readonly requestId: string
}

/** What became of a charge. */
export interface ChargedEvent {
  /** False: nothing was charged, and nothing written. */
  readonly isGranted: boolean
  /** Whether it was the limit of the key, and not the credits of the account, that did not allow it. */
  readonly isShortOfKey: boolean
}

/**
 * Charges events in the order given, as many as their accounts can pay for without their last available credit, and as the limits
 * of their keys allow. Each that is granted has a usage row of its own.
 *
 * @param charges in the order of their account ids, which is the order in which the accounts are locked
 * @returns what became of each; free events are all granted
 */
export async function chargeEvents(
  tx: Queryable,
  charges: readonly EventCharge[],
  { operation, endpoint, actor, price }: EventPrice,
): Promise<readonly ChargedEvent[]> {
  const { rows } = await tx.query<{ granted: number[]; short: boolean[] }>(
    'select granted, short_of_key as short from charge_events($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      charges.map(({ accountId }) => accountId),
      charges.map(({ keyId }) => keyId),
      charges.map(({ requestId }) => requestId),
      endpoint,
      operation,
      actor,
      charges.map(() => 1),
      price,
    ],
    { name: 'charge_events' },
  )
  const { granted, short } = rows[0]!
  return granted.map((count, at) => ({ isGranted: count > 0, isShortOfKey: short[at]! }))
}
