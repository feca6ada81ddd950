// One admitted call: who makes it, when it was admitted, when it must be over, and whether the caller is still there.

import type { OperationId } from '@lotline/contract'
import type { Caller } from '../accounts/callers.ts'
import type { DatabaseClock } from '../database/clock.ts'

/** The caller hung up. Nobody waits for an answer. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft'
}

/** The call's time is over: the requirement's ceiling for synchronous calls. */
export class CallExpired extends Error {
  override readonly name = 'CallExpired'
}

/** Where a call that runs out of time was: waiting for its key's turn, or for the listing source. */
export type Phase = 'queue' | 'upstream'

export class Call {
  readonly requestId: string
  readonly caller: Caller
  /** Of the key, to look the caller up again after waiting. */
  readonly keyHash: string
  /** Request path without the query and without keys. */
  readonly endpoint: string
  /** The Accept header: it may ask for rows as CSV or NDJSON. */
  readonly accept: string | undefined
  /** undefined when no operation matched. */
  readonly operationId: OperationId | undefined
  /** By the database's clock. */
  readonly admittedAt: Date
  /** The same moment on the process's monotonic clock, in milliseconds. */
  readonly admittedTick: number
  phase: Phase = 'queue'
  #left = false
  #deadlineAt: number
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(facts: {
    requestId: string
    caller: Caller
    keyHash: string
    endpoint: string
    accept: string | undefined
    operationId: OperationId | undefined
    timeoutMs: number
    clock: Pick<DatabaseClock, 'at'>
  }) {
    this.requestId = facts.requestId
    this.caller = facts.caller
    this.keyHash = facts.keyHash
    this.endpoint = facts.endpoint
    this.accept = facts.accept
    this.operationId = facts.operationId
    this.admittedTick = performance.now()
    this.admittedAt = facts.clock.at(this.admittedTick)
    this.#deadlineAt = this.admittedTick + facts.timeoutMs
  }

  /** Whether the caller has hung up. */
  get left(): boolean {
    return this.#left
  }

  /** Aborts with `CallerLeft` or `CallExpired`. Made only for calls that wait for something: most never do. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController()
      this.#controller = controller
      if (this.#left) controller.abort(new CallerLeft())
      else {
        const leftMs = Math.max(0, this.#deadlineAt - performance.now())
        this.#timer = setTimeout(() => controller.abort(new CallExpired()), leftMs)
      }
    }
    return this.#controller.signal
  }

  /** To be called when the connection closes before the answer is out. */
  leave(): void {
    this.#left = true
    this.#controller?.abort(new CallerLeft())
  }

  /** Gives back the timer. To be called when the call is over, however it ended. */
  end(): void {
    clearTimeout(this.#timer)
  }
}
