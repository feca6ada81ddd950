// The input and the result of a charge in the ledger.

// Why: decisions/money/available-credits-are-stated-once.md

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

/** An event that is charged like a call, at the time of its charge. */
export interface EventToSettle extends Omit<CallToSettle, 'admittedAt'> {
  readonly admittedAt: null
}

/** Calls as one array per column: account, key, request, endpoint, operation, actor, and time of admission. */
export function toColumns(calls: readonly (AdmittedCall | EventToSettle)[]) {
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

/** How a call is charged, from the contract's price (x-credits). */
export type ChargeMode =
  | 'free'
  | 'call'
  | 'row'
  /** Free: the limit of its key refused the call. `price` is the required amount. */
  | 'key_limit'
  /** Like `row`, but the account keeps its last credit, and an uncharged event has no usage row (charge-events.ts). */
  | 'event'

/** An admitted call that is about to be answered. */
export interface CallToSettle extends AdmittedCall {
  /** The status that is about to be sent. */
  readonly status: number
  readonly mode: ChargeMode
  /** Rows that the call would deliver. Has no effect on a price per call. */
  readonly units: number
  /** Credits for the call or for each row; at least 0. */
  readonly price: number
  /** The minimum price in credits of a successful call that is priced by the row. */
  readonly minimum: number
  /** The cached record behind the response. The call is charged only while the record is current. */
  readonly record?:
    | { readonly source: string; readonly zpid: string; readonly generation: number | null }
    | undefined
  /** Whether the client has disconnected. Checked again before the charge is written: the call is then recorded as free. */
  readonly hasDisconnected?: () => boolean
}

export interface Balance {
  readonly balance: number
  readonly held: number
  /** Credits that the limit of the key leaves. null: the key has no limit. Absent: not read. */
  readonly keyLeft?: number | null
}

/**
 * The credits that can be spent now, computed like `available_credits` (migrations/0012_cycles_and_limits.sql): the balance
 * without held credits, within the limit of the key.
 *
 * @param kept credits that the account keeps: 1 if a job or an event must leave the last one
 */
export function availableCredits({ balance, held, keyLeft = null }: Balance, kept = 0): number {
  return Math.max(0, Math.min(balance - held - kept, keyLeft ?? Number.POSITIVE_INFINITY))
}

/** Whether the limit of the key is the smaller one: it leaves no more than the account has available. */
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
