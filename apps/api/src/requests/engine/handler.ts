// An operation reads its input and returns a refusal, or the task to do when it is the call's turn. Everything
// that can be refused without a query is refused before the call waits, and no provider is queried before the input is
// known to be valid. An operation knows nothing of HTTP, keys or credits; the engine (engine.ts) does.
// Why: decisions/requests/operations-return-tasks.md

import type { Input, OperationId, SuccessBody, SuccessStatus } from '@lotline/contract'
import type { Refusal } from '../../infrastructure/refusals.ts'
import type { Call } from './call.ts'
import type { Accepted, Body, JsonText, OperationResult, Page, PricedResult } from './operation-result.ts'

/** The work of a call. It may run more than once: if a record is replaced while it is read, the work is repeated. */
export interface Task {
  (): Promise<OperationResult>
  /** Set where the work itself refuses what the account cannot pay, because a repetition of it may cost nothing. */
  readonly judgesCredits?: true
  /** Used by estimates that skip the work. Checks input that only the database can judge, such as the name of a place. */
  check?(): Promise<Refusal | undefined>
  /** Used by estimates of jobs. Checks whether the account may have one more job. */
  checkStorage?(): Promise<Refusal | undefined>
}

/** The possible results of an operation: those that the contract documents. */
export type OperationResultOf<K extends OperationId> =
  | Answered<K, SuccessStatus<K>>
  | Paged
  | ResoResult
  | Refusal

/** Each documented status with its body; a job is accepted with that of 202. */
type Answered<K extends OperationId, Status> = Status extends SuccessStatus<K> & PricedResult['status']
  ? PricedResult<Status, BodyOf<K, Status>> | (202 extends Status ? Accepted<BodyOf<K, Status>> : never)
  : never

/** Stored rows, which are text already. */
type Paged = PricedResult<200, undefined> & { readonly page: Page }

/** Records under standard names (`shape=reso`): the contract has one schema for all operations that send them. */
export type ResoResult = PricedResult<200, Body> & { readonly isReso: true }

/** The contract's body without `request_id`, which every response gets later. `data` may be stored JSON. */
type BodyOf<K extends OperationId, Status extends SuccessStatus<K>> =
  SuccessBody<K, Status> extends { data: infer Data }
    ? Omit<SuccessBody<K, Status>, 'request_id' | 'data'> & { readonly data: Given<Data> | JsonText }
    : undefined

/** Lists may be read-only. */
type Given<Data> = Data extends readonly (infer Item)[] ? readonly Item[] : Data

/** One operation. The types of its input and result are generated from the contract; the input is validated, with defaults. */
export type HandlerOf<K extends OperationId> = (
  input: Input<K>,
  call: Call,
) => Refusal | (() => Promise<OperationResultOf<K>>)

/** Any operation, as the engine sees it after validation. */
export type Handler = (input: unknown, call: Call) => Refusal | Task
