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

/**
 * Charges events, as many of each entry as its account can pay for without its last available credit.
 *
 * @param charges in the order of their account ids, which is the order in which the accounts are locked
 * @returns how many events of each entry are granted; free events are all granted
 */
export async function chargeEvents(
  tx: Queryable,
  charges: readonly EventCharge[],
  { operation, endpoint, actor, price }: EventPrice,
): Promise<readonly number[]> {
  const { rows } = await tx.query<{ granted: number[] }>(
    'select charge_events($1, $2, $3, $4, $5, $6, $7, $8) as granted',
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
  return rows[0]!.granted
}
