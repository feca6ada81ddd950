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

export interface EventCharge {
  readonly accountId: string
  readonly keyId: string
  /** Of the usage row. No call has it, so it is made for the charge. */
  readonly requestId: string
  /** Events to charge, at least 1. */
  readonly wanted: number
}

/** What an entry is granted. */
export interface GrantedEvents {
  /** Events. */
  readonly count: number
  /** Whether the limit of its key, and not the credits of its account, kept it from more. */
  readonly isShortOfKey: boolean
}

/**
 * Charges events, as many of each entry as its account can pay for without its last available credit, and as the limit of its key
 * allows.
 *
 * @param charges in the order of their account ids, which is the order in which the accounts are locked
 * @returns the grant of each entry; free events are all granted
 */
export async function chargeEvents(
  tx: Queryable,
  charges: readonly EventCharge[],
  { operation, endpoint, actor, price }: EventPrice,
): Promise<readonly GrantedEvents[]> {
  const { rows } = await tx.query<{ granted: number[]; short: boolean[] }>(
    'select granted, short_of_key as short from charge_events($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      charges.map(({ accountId }) => accountId),
      charges.map(({ keyId }) => keyId),
      charges.map(({ requestId }) => requestId),
      endpoint,
      operation,
      actor,
      charges.map(({ wanted }) => wanted),
      price,
    ],
    { name: 'charge_events' },
  )
  const { granted, short } = rows[0]!
  return granted.map((count, at) => ({ count, isShortOfKey: short[at]! }))
}
