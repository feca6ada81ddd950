// What is asked of the ledger for one call, and what comes of it.

/** An admitted call, as its usage row names it. */
export interface AdmittedCall {
  readonly accountId: string
  readonly keyId: string
  readonly requestId: string
  /** Request path. */
  readonly endpoint: string
  /** operationId; null when no operation matched. */
  readonly operation: string | null
  readonly actor: 'detail' | 'search' | 'account'
  readonly admittedAt: Date
}

/** An event that is charged as a call is. Its moment is that of the charge. */
export interface EventToSettle extends Omit<CallToSettle, 'admittedAt'> {
  readonly admittedAt: null
}

/** Calls as arrays, one for each column: account, key, request, endpoint, operation, actor, moment of admission. */
export function columnsOf(calls: readonly (AdmittedCall | EventToSettle)[]) {
  return [
    calls.map((call) => call.accountId),
    calls.map((call) => call.keyId),
    calls.map((call) => call.requestId),
    calls.map((call) => call.endpoint),
    calls.map((call) => call.operation),
    calls.map((call) => call.actor),
    calls.map((call) => call.admittedAt?.toISOString() ?? null),
  ] as const
}

/** How a call is charged; made from the contract's price (x-credits). */
export type ChargeMode =
  | 'free'
  | 'call'
  | 'row'
  /** Free: the limit of its key has refused it. `price` is what it required. */
  | 'key_limit'
  /** As `row`, but the account keeps its last credit, and what is not charged has no usage row (charge-events.ts). */
  | 'event'

/** One admitted call that is about to be answered. */
export interface CallToSettle extends AdmittedCall {
  /** The status about to be sent. */
  readonly status: number
  readonly mode: ChargeMode
  /** What the call would deliver, in rows; without effect on the charge of a call priced as one. */
  readonly units: number
  /** Credits for the call or for each row; at least 0. */
  readonly price: number
  /** The minimum price in credits of a successful call that is priced by the row. */
  readonly minimum: number
  /** The cached record the answer was made from: charged only while it is current. */
  readonly record?:
    | { readonly source: string; readonly zpid: string; readonly generation: number | null }
    | undefined
  /** Whether the client has disconnected. Checked again before the charge is written: the call is then recorded and free. */
  readonly hasDisconnected?: () => boolean
}

export interface Balance {
  readonly balance: number
  readonly held: number
  /** What the limit of the key leaves, in credits. null: the key has none. Absent: not asked for. */
  readonly keyLeft?: number | null
}

/**
 * The credits that can be paid now, as `available_credits` (migrations/0012_cycles_and_limits.sql) computes them: what no job holds,
 * and no more than the limit of the key leaves.
 *
 * @param kept credits that the account keeps back: 1 where a job or an event must leave the last one
 */
export function availableCredits({ balance, held, keyLeft = null }: Balance, kept = 0): number {
  return Math.max(0, Math.min(balance - held - kept, keyLeft ?? Number.POSITIVE_INFINITY))
}

/** Whether the limit of the key leaves no more than the account has available: of the two, the smaller one applies. */
export function isKeyShort(credits: Balance, kept = 0): boolean {
  return credits.keyLeft === availableCredits(credits, kept)
}

/**
 * The balance is what the call leaves to the next one.
 *
 * - `settled`: `units` of the units may be delivered, `charged` credits were taken.
 * - `insufficient`: nothing was charged; the usage row of a call says 402, and an event has none.
 * - `stale`: nothing was written; the answer must be made again from a current record.
 */
export interface Settlement extends Balance {
  readonly keyLeft: number | null
  readonly verdict: 'settled' | 'insufficient' | 'stale'
  readonly units: number
  readonly charged: number
}
