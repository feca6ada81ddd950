// What an operation is: it reads its input and answers with a refusal, or with the work to do once it is the call's turn.
// So whatever can be refused without asking anybody is refused before the call waits, and nothing reaches a provider
// before the input is known to be good. An operation knows nothing of HTTP, keys or credits: the walk around it
// (request/pipeline.ts) does.

import type { Input, OperationId } from '@lotline/contract'
import type { Refusal } from '../refusal.ts'
import type { Call } from '../request/call.ts'
import type { Outcome } from '../request/outcome.ts'

/** May be done more than once: an answer made from a record that was replaced meanwhile is made again. */
export interface Work {
  (): Promise<Outcome>
  /** Set where the work itself refuses what the account cannot pay, because a repetition of it may cost nothing. */
  readonly judgesCredits?: true
}

/** One operation. `Input` is generated from the contract: validated, with defaults filled in. */
export type HandlerOf<K extends OperationId> = (input: Input<K>, call: Call) => Refusal | Work

/** Any operation, as the walk sees it after validation. */
export type Handler = (input: unknown, call: Call) => Refusal | Work
