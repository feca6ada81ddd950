// Charges events without a call, in the transaction that writes them.

// Why: decisions/money/events-are-charged-by-settle-calls.md

import type { Queryable } from '../../infrastructure/database.ts'
import { settleCalls } from './ledger.ts'
import { type EventToSettle, isKeyShort } from './settlement.ts'

/** The price of an event, and the operation that its usage row names. */
export interface EventPrice extends Pick<EventToSettle, 'endpoint' | 'actor' | 'price'> {
  /** The operation that has the price in the contract. */
  readonly operation: string
}

/** One event to charge. Its request id belongs to its usage row only. */
export type EventCharge = Pick<EventToSettle, 'accountId' | 'keyId' | 'requestId'>

/** The result of a charge. */
export interface ChargedEvent {
  /** False: nothing was charged or written. */
  readonly isGranted: boolean
  /** Whether the limit of the key prevented it, and not the credits of the account. */
  readonly isShortOfKey: boolean
}

/**
 * Charges events in order, as far as the credits of their accounts (without the last one) and the limits of their keys allow.
 * Each charged event has its own usage row.
 *
 * @returns the result of each event; free events are all granted
 */
export async function chargeEvents(
  tx: Queryable,
  charges: readonly EventCharge[],
  price: EventPrice,
): Promise<readonly ChargedEvent[]> {
  const event = { ...price, admittedAt: null, status: 200, mode: 'event', units: 1, minimum: 0 } as const
  const settlements = await settleCalls(
    tx,
    charges.map(({ accountId, keyId, requestId }) => ({ ...event, accountId, keyId, requestId })),
  )
  return settlements.map((settlement) => {
    const isGranted = settlement.verdict === 'settled'
    return { isGranted, isShortOfKey: !isGranted && isKeyShort(settlement, 1) }
  })
}
