// Charging events that no call waits for, in the transaction that writes them.

import type { Queryable } from '../../infrastructure/database.ts'
import { settleCalls } from './ledger.ts'
import { type EventToSettle, isKeyShort } from './settlement.ts'

/** What an event costs, and what the usage rows of such charges name. */
export interface EventPrice extends Pick<EventToSettle, 'endpoint' | 'actor' | 'price'> {
  /** The operation that has the price in the contract. */
  readonly operation: string
}

/** One event to charge. Its request id is that of its usage row, and no call has it. */
export type EventCharge = Pick<EventToSettle, 'accountId' | 'keyId' | 'requestId'>

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
 * @returns what became of each; free events are all granted
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
