// One admitted call: who makes it, what was asked for, when it must be over, whether its client is still there, and what
// it holds until its response is out.
// Why: decisions/contract/unknown-input-is-named.md
// Why: decisions/contract/input-without-effect-is-named.md

import type { OperationId } from '@lotline/contract'
import { MAX_IGNORED, shortenFieldName } from '@lotline/contract/checks'
import type { QueryOwner } from '../../data/sources.ts'
import type { DatabaseClock } from '../../infrastructure/database.ts'
import type { Principal } from '../../money/accounts.ts'
import type { Slot } from '../../money/limits.ts'

/** The client disconnected and does not wait for the response. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}

/** The call's time is over: the requirement's ceiling for synchronous calls. */
export class CallExpired extends Error {
  override readonly name = 'CallExpired'
}

/** The phase in which a call ran out of time: waiting in the queue of its key, or waiting for the data provider. */
export type Phase = 'queue' | 'upstream'

/** The facts about a call that a front end knows before admission. */
export interface CallFacts {
  /** The network address of the client. Failed keys are limited per address. */
  readonly address: string
  /** Unique (`createRequestId`). */
  readonly requestId: string
  /** HTTP method, in capitals. */
  readonly method: string
  /** Request path without the query. */
  readonly path: string
  /** undefined when the contract has no operation for this method and path. */
  readonly operationId: OperationId | undefined
  /** The Accept header: it may ask for rows as CSV or NDJSON. */
  readonly accept: string | undefined
}

/** The part of a call that its entity tag depends on. */
export interface TaggedCall {
  /** The request, written in one way. */
  readonly request: string
  /** The header If-None-Match. */
  readonly ifNoneMatch: string | undefined
}

export class Call {
  readonly requestId: string
  readonly method: string
  readonly principal: Principal
  /** The owner of the provider queries, for fair turns. */
  readonly owner: QueryOwner
  /** The hash of the key. The principal is looked up again with it after a wait. */
  readonly keyHash: string
  /** Request path without the query, as it was sent: it may hold a key, and is neither stored nor logged. */
  readonly path: string
  /** The path without ids and keys, shortened, for the usage row. */
  readonly endpoint: string
  /** The Accept header: it may ask for rows as CSV or NDJSON. */
  readonly accept: string | undefined
  /** undefined when no operation matched. */
  readonly operationId: OperationId | undefined
  /** The time of admission by the clock of the database. */
  readonly admittedAt: Date
  /** The time of admission by the monotonic clock of the process, in milliseconds. */
  readonly admittedTick: number
  /** Response headers by lower-case name: the rate limit and the credits known so far. */
  readonly headers: Record<string, string>
  phase: Phase = 'queue'
  /** The most that it may be charged, in credits, as its client asks. undefined: no limit. */
  maxCredits: number | undefined
  /** Set by a front end that limits the size of a response. Returns how many rows of a result are served and charged. */
  rowsThatFit: ((rows: number, body: (granted: number) => unknown) => number) | undefined
  /** The input of the entity tag of the response. undefined if the operation has no tags. */
  tagged: TaggedCall | undefined
  /** About what its input takes in memory while it waits. */
  inputBytes = 0
  #ignored: readonly string[] | undefined
  #ignoredInside = ''
  #unpaidQueries = 0
  #disconnected = false
  #refusedFor: Error | undefined
  #deadlineAt: number
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  #slot: Slot | undefined
  #isPerformed = true
  #isOver = false

  constructor(
    facts: CallFacts & {
      principal: Principal
      keyHash: string
      endpoint: string
      headers: Record<string, string>
      timeoutMs: number
      clock: Pick<DatabaseClock, 'at'>
    },
  ) {
    this.requestId = facts.requestId
    this.method = facts.method
    this.path = facts.path
    this.principal = facts.principal
    this.owner = { account: facts.principal.accountId, background: false }
    this.keyHash = facts.keyHash
    this.endpoint = facts.endpoint
    this.accept = facts.accept
    this.operationId = facts.operationId
    this.headers = facts.headers
    this.admittedTick = performance.now()
    this.admittedAt = facts.clock.at(this.admittedTick)
    this.#deadlineAt = this.admittedTick + facts.timeoutMs
  }

  /** The account whose failed lookups are counted. */
  get accountId(): string {
    return this.principal.accountId
  }

  /** A provider query of the call found something. Until the call is charged, it is not paid for. */
  found(): void {
    this.#unpaidQueries++
  }

  /** The number of `found` calls. They count as failed lookups if the call ends without its charge. */
  get unpaidQueries(): number {
    return this.#unpaidQueries
  }

  /** Whether the client has disconnected. */
  get disconnected(): boolean {
    return this.#disconnected
  }

  /** Input of the call that had no effect, as the response names it. undefined if all input was used. */
  get ignored(): readonly string[] | undefined {
    return this.#ignored
  }

  /** Adds to `ignored`, up to its bound. */
  ignore(names: readonly string[]): void {
    if (names.length === 0) return
    // A task that is done again names the same again.
    const places = names.map((name) => shortenFieldName(this.#ignoredInside + name))
    const all = new Set([...(this.#ignored ?? []), ...places])
    this.#ignored = [...all].slice(0, MAX_IGNORED)
  }

  /** Prefixes all names added from now on, for example with `input.body.`, because they belong to the estimated call. */
  ignoreInside(place: string): void {
    this.#ignoredInside += place
  }

  /** Aborts with `ClientDisconnected` or `CallExpired`. Made only for calls that wait for something: most never do. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController()
      this.#controller = controller
      if (this.#disconnected) controller.abort(new ClientDisconnected())
      else if (this.#refusedFor) controller.abort(this.#refusedFor)
      else {
        const leftMs = Math.max(0, this.#deadlineAt - performance.now())
        this.#timer = setTimeout(() => controller.abort(new CallExpired()), leftMs)
      }
    }
    return this.#controller.signal
  }

  /** Ends the call's waiting: the signal aborts with `reason`. */
  refuse(reason: Error): void {
    this.#refusedFor = reason
    this.#controller?.abort(reason)
  }

  /** The front end calls this when the client disconnects before the response is out. */
  disconnect(): void {
    this.#disconnected = true
    this.#controller?.abort(new ClientDisconnected())
  }

  /** The front end calls this once the response is out or the client is gone: it releases what the call holds. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    if (this.#isPerformed) this.#slot?.release()
  }

  /** The engine calls this before it works on the call: from here on a client that disconnects frees nothing yet. */
  begin(): void {
    this.#isPerformed = false
  }

  /** The slot of the call's key is held until the call is performed and its response is out. */
  hold(slot: Slot): void {
    this.#slot = slot
  }

  /** The engine calls this when it has nothing more to do for the call. */
  performed(): void {
    this.#isPerformed = true
    if (this.#isOver) this.#slot?.release()
  }
}
