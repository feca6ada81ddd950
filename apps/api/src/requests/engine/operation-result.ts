// The result of an operation: a priced result, an accepted job, or a refusal. A priced result has the number of units to charge,
// and a function that makes the body for the units that were granted, so the rows served are always the rows charged.

import { affordableRows, type OperationId, operations, priceOfStage } from '@lotline/contract'
import { type Refusal, refuseAboveLimit } from '../../infrastructure/refusals.ts'
import type { Principal } from '../../money/accounts.ts'
import {
  type Balance,
  type CallToSettle,
  isKeyShort,
  type Ledger,
  type Settlement,
} from '../../money/credits.ts'
import { refuseUnaffordable } from './account-checks.ts'
import type { Call } from './call.ts'

/** JSON that is already text: spliced into the body as it is. */
export class JsonText {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** A body without its `request_id`, which every answer gets on its way out. */
export type Body = { readonly data: unknown; readonly meta?: object } & Readonly<Record<string, unknown>>

/** The cached record that an answer was made from. */
export interface RecordUsed {
  /** Whose record it is: the provider's name. */
  readonly source: string
  readonly zpid: string
  readonly generation: number | null
  /** Drops it from this process's memory, so that the next look finds the current one. */
  forget(): void
}

/** The version of the data that a response shows. Its tag (engine/entity-tag.ts) depends on it. */
export interface DataVersion {
  /** The same as long as what is served is the same. */
  readonly version: string
  readonly format?: Page['format']
}

/** Which status has which body is the contract's: engine/handler.ts holds each operation to it. */
export interface PricedResult<
  Status extends 200 | 201 | 202 | 204 = 200 | 201 | 202 | 204,
  Answer = Body | undefined,
> {
  readonly status: Status
  /** The units to charge: rows, or 1 for a call. */
  readonly units: number
  /** The body for the units that were granted (all or fewer). undefined: no body. */
  readonly body: (granted: number) => Answer
  /** Present when there are rows, which may also be sent as CSV or NDJSON: `format` says what was asked for. */
  readonly table?: Table
  /** The call was sent with `Prefer: dry-run`: it is free, and its usage row is one of `estimateCall`. */
  readonly isEstimate?: true
  /** An earlier call with the same Idempotency-Key had this answer. */
  readonly replayed?: true
  /** Sent instead of the body: rows that were paid for before, as text of any length. */
  readonly page?: Page
  /** Present where the response has a tag. */
  readonly data?: DataVersion
  /** `data` of the body is sent as `value` of RESO Common Format. */
  readonly isReso?: true
  /** Charged only while this record is current; otherwise the operation is asked again. */
  readonly record?: RecordUsed
}

export interface Table {
  readonly format: 'json' | 'csv' | 'ndjson'
  readonly rows: readonly object[]
  /** How many rows there are in all, where that is known. */
  readonly total?: number
  /** The cursor of the rows behind the first `granted` ones; undefined: there are none. */
  readonly nextAfter?: (granted: number) => string | undefined
  /** The next rows, as a URL path with query. */
  readonly next?: string
  /** The public name of the one source of all rows. Printable ASCII. */
  readonly source?: string
}

/** A page of stored rows. */
export interface Page {
  readonly format: 'json' | 'csv' | 'ndjson'
  /** The whole body, in pieces; one is made when the one before has been sent. */
  readonly text: AsyncIterable<string | Buffer>
  /** Rows of the page, and of the whole result. */
  readonly count: number
  readonly total: number
  /** Why the result was cut; null: it was not. */
  readonly truncatedBy: 'credits' | 'max_items' | 'max_credits' | 'key_limit' | null
  /** The public name of the source of the rows that name none. Printable ASCII. */
  readonly source?: string
  /** The next page, as a URL path with query. */
  readonly next?: string
}

/** A job that was accepted. Its hold and its usage rows were written with it: there is nothing left to settle. */
export interface Accepted<Answer = Body> {
  readonly accepted: Answer
  readonly credits: Balance
}

export type OperationResult = PricedResult | Accepted | Refusal

/** The units that a response may show: all of them if it is free, else those that were charged. */
export interface SettledResult extends Settlement {
  readonly granted: number
  /** Why not all units were granted: the account's credits, the limit of the key, or the limit that the client set. */
  readonly truncatedBy: 'credits' | 'key_limit' | 'max_credits' | null
}

/**
 * As many of the units as the client's limit (`Call.maxCredits`) pays for, and as the front end can send (`Call.rowsThatFit`).
 * Refused if the limit does not pay for one of them: the smallest of that limit, the credits, and the limit of the key answers.
 *
 * @param readAgain the principal as it is now
 */
export function unitsWithinLimit(
  { maxCredits, rowsThatFit }: Call,
  operationId: OperationId,
  { units, status, body, isEstimate }: PricedResult,
  readAgain: () => Promise<Principal | undefined>,
): number | Promise<Refusal> {
  const [stage] = operations[operationId].price.stages
  if ((maxCredits === undefined && !rowsThatFit) || stage?.per !== 'row' || status === 202) return units
  const affordable = maxCredits === undefined ? units : affordableRows([stage], maxCredits)
  if (affordable === 0 && units > 0) {
    const required = priceOfStage(stage, 1)
    return readAgain().then(
      (principal) =>
        (principal && refuseUnaffordable(principal, required, maxCredits)) ??
        refuseAboveLimit(required, maxCredits!),
    )
  }
  const paid = Math.min(units, affordable)
  return rowsThatFit && paid > 1 && !isEstimate ? rowsThatFit(paid, body) : paid
}

/**
 * The last step before a response is sent: charges its units at the operation's price and writes its usage row, in one
 * statement. See `Settlement` for what may come back.
 *
 * @param units of the result, at most as many as the client's limit pays for
 */
export async function settleResult(
  ledger: Ledger,
  call: Call,
  operationId: OperationId,
  delivery: PricedResult,
  units: number,
): Promise<SettledResult> {
  const [stage] = operations[operationId].price.stages
  // A job is charged when it settles, not when it is accepted.
  const free =
    !stage ||
    (stage.price === 0 && stage.minimum === 0) ||
    delivery.status === 202 ||
    delivery.isEstimate === true
  const settlement = await ledger.settle({
    ...toSettledFacts(call, delivery.isEstimate ? 'estimateCall' : operationId),
    status: delivery.status,
    mode: free ? 'free' : stage.per,
    units: free ? 0 : units,
    price: stage?.price ?? 0,
    minimum: stage?.minimum ?? 0,
    record: delivery.record,
  })
  const granted = free ? delivery.units : settlement.units
  const shortOf = isKeyShort(settlement) ? 'key_limit' : 'credits'
  const truncatedBy = granted >= delivery.units ? null : granted === units ? 'max_credits' : shortOf
  return { ...settlement, granted, truncatedBy }
}

/**
 * Writes the usage row of a call that delivers nothing. It costs nothing.
 *
 * @param record the cached record that the response is made from: nothing is written if it is not current
 * @param refusedByKeyLimit what the call required, in credits, if the limit of its key has refused it
 */
export function recordFree(
  ledger: Ledger,
  call: Call,
  status: number,
  {
    record,
    refusedByKeyLimit,
  }: { readonly record?: RecordUsed | undefined; readonly refusedByKeyLimit?: number | undefined } = {},
): Promise<Settlement> {
  const mode = refusedByKeyLimit === undefined ? 'free' : 'key_limit'
  const free = { mode, units: 0, price: refusedByKeyLimit ?? 0, minimum: 0 } as const
  return ledger.settle({ ...toSettledFacts(call, call.operationId), ...free, status, record })
}

function toSettledFacts(
  call: Call,
  operationId: OperationId | undefined,
): Omit<CallToSettle, 'status' | 'mode' | 'units' | 'price' | 'minimum' | 'record'> {
  return {
    accountId: call.principal.accountId,
    keyId: call.principal.keyId,
    requestId: call.requestId,
    endpoint: call.endpoint,
    operation: operationId ?? null,
    actor: operationId ? operations[operationId].actor : 'account',
    admittedAt: call.admittedAt,
    hasDisconnected: () => call.disconnected,
  }
}
