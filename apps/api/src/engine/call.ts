// One admitted call: who makes it, what was asked for, when it must be over, whether its client is still there, and what
// it holds until its response is out.

import { isUtf8 } from 'node:buffer'
import { randomFillSync } from 'node:crypto'
import { type OperationId, operations } from '@lotline/contract'
import { MAX_IGNORED, readAreasBefore, shortened } from '@lotline/contract/checks'
import { createInputCheck, type Input } from '@lotline/contract/input'
import parseJson from 'secure-json-parse'
import { monotonicFactory } from 'ulid'
import type { Principal } from '../accounts/principals.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { WaitingInputs } from '../limits/key-queue.ts'
import type { Slot } from '../limits/limits.ts'
import { isRefusal, type Refusal, refuse, refuseFor } from '../platform/refusal.ts'
import { inTurn, nextTurn } from '../platform/slices.ts'
import { createWorkQueue } from '../platform/work-queue.ts'
import type { QueryOwner } from '../sources/provider.ts'

/** The client disconnected and does not wait for the response. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}

/** The call's time is over: the requirement's ceiling for synchronous calls. */
export class CallExpired extends Error {
  override readonly name = 'CallExpired'
}

/** Where a call that runs out of time was: waiting for its key's turn, or for the listing source. */
export type Phase = 'queue' | 'upstream'

/** What a front end knows of a call before it is admitted. */
export interface CallFacts {
  /** Where it comes from, for the limit on failed keys. */
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

/** What a call says about tags. */
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
  /** Whose queries to the provider these are. */
  readonly owner: QueryOwner
  /** Of the key, to look the principal up again after waiting. */
  readonly keyHash: string
  /** Request path without the query, as it was sent: it may hold a key, and is neither stored nor logged. */
  readonly path: string
  /** The same without keys, shortened: for the usage row. */
  readonly endpoint: string
  /** The Accept header: it may ask for rows as CSV or NDJSON. */
  readonly accept: string | undefined
  /** undefined when no operation matched. */
  readonly operationId: OperationId | undefined
  /** By the database's clock. */
  readonly admittedAt: Date
  /** The same moment on the process's monotonic clock, in milliseconds. */
  readonly admittedTick: number
  /** Of its response, by lower-case name: the rate limit and the credits, as far as they are known yet. */
  readonly headers: Record<string, string>
  phase: Phase = 'queue'
  /** The most that it may be charged, in credits, as its client asks. undefined: no limit. */
  maxCredits: number | undefined
  /** Where a front end bounds the size of a response: of the rows of a result, how many are served and charged. */
  rowsThatFit: ((rows: number, body: (granted: number) => unknown) => number) | undefined
  /** What the tag of its response depends on. undefined: its operation has no tags. */
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

  /** Whose failed lookups are counted. */
  get accountId(): string {
    return this.principal.accountId
  }

  /** A provider query of the call found something. Until the call is charged, it is not paid for. */
  found(): void {
    this.#unpaidQueries++
  }

  /** How often `found` was called. Those queries count as failed lookups if the call ends without its charge. */
  get unpaidQueries(): number {
    return this.#unpaidQueries
  }

  /** Whether the client has disconnected. */
  get disconnected(): boolean {
    return this.#disconnected
  }

  /** What the call carried and nothing used, as its answer names it. undefined: everything was used. */
  get ignored(): readonly string[] | undefined {
    return this.#ignored
  }

  /** Adds to `ignored`, up to its bound. */
  ignore(names: readonly string[]): void {
    if (names.length === 0) return
    // A task that is done again names the same again.
    const places = names.map((name) => shortened(this.#ignoredInside + name))
    const all = new Set([...(this.#ignored ?? []), ...places])
    this.#ignored = [...all].slice(0, MAX_IGNORED)
  }

  /** From here on, names are places inside of this one, such as `input.body.`: the call is about another one. */
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

/** Random bytes are taken many at a time: a query to the system for each of a ULID's characters costs more than all else. */
const bytes = new Uint8Array(4096)
let used = bytes.length

function random(): number {
  if (used === bytes.length) {
    randomFillSync(bytes)
    used = 0
  }
  return bytes[used++]! / 256
}

const nextUlid = monotonicFactory(random)

/** `req_` + 26 characters (a ULID): unique, and in the order of arrival when sorted. */
export function createRequestId(): string {
  return `req_${nextUlid()}`
}

// The body of a call: JSON and nothing else. What cannot be taken is refused before it is read, where that is possible.

/** Largest JSON body, in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024

/** A body that still has to be read. */
export interface BodyBytes {
  /** The Content-Type header. */
  readonly type: string | undefined
  /** The Content-Encoding header. */
  readonly encoding: string | undefined
  /** Bytes that were announced; undefined where the length is not known before the end. */
  readonly length: number | undefined
  /** All of it; undefined when there is more than `limit` bytes. Rejects when the client disconnects. */
  read(limit: number): Promise<Buffer | undefined>
}

/** A body that a front end has parsed for reasons of its own. */
export interface ParsedBody {
  readonly value: unknown
  /** Bytes that it was parsed from, if they were sent by a client. */
  readonly size?: number
}

export type SentBody = BodyBytes | ParsedBody

/** Whether there is a body, as far as that is known without reading it. */
export function hasBytes(sent: SentBody): boolean {
  return 'value' in sent ? sent.value !== undefined : (sent.length ?? 0) > 0
}

/** A body that is longer takes the server's thread for milliseconds: that of a polygon of 5,000 corners has 200 kB. */
const MAX_BYTES_AT_ONCE = 32_768

/**
 * Long bodies are read and checked one at a time. While others wait, the thread belongs to other calls for 19 times as long as one
 * took, which keeps the p99 of lookups below twice what it is alone. Without the pause, 20 clients that send a polygon of 5,000
 * corners again and again took nine tenths of the thread.
 */
const longBodies = createWorkQueue(1, 19)

/**
 * Reads a body, and passes its value on: undefined where nothing was sent.
 *
 * @param owner the call, or what a front end reads before there is a call. Its signal is asked for only when a long body waits
 * @param waiting holds the bytes of a long body until its turn, within the bound of all that wait
 * @throws the reason of the owner's signal, for a long body that waits
 */
export async function judgeBody<T>(
  sent: SentBody,
  owner: Pick<Call, 'signal' | 'refuse'>,
  waiting: WaitingInputs,
  judge: (value: unknown) => T | Promise<T>,
): Promise<T | Refusal> {
  const bytes = 'value' in sent ? undefined : await takeBytes(sent)
  if (isRefusal(bytes)) return bytes
  const size = bytes?.length ?? ('value' in sent ? sent.size : undefined) ?? 0
  const isLong = size > MAX_BYTES_AT_ONCE
  const work = async () => {
    if (!bytes) return judge('value' in sent ? sent.value : undefined)
    const read = parseBody(bytes)
    if (isRefusal(read)) return read
    if (isLong) await nextTurn()
    return judge(read.value)
  }
  if (!isLong) return work()
  const leave = waiting.enter(size, (reason) => owner.refuse(reason))
  try {
    return await longBodies.inPlace(work, owner.signal)
  } finally {
    leave()
  }
}

/** undefined: nothing was sent. */
async function takeBytes(sent: BodyBytes): Promise<Buffer | Refusal | undefined> {
  if (!/^(identity)?$/i.test(sent.encoding ?? '')) return refuseType()
  if (sent.type === undefined && sent.length === 0) return undefined
  if (!/^application\/json[ \t]*(;|$)/i.test(sent.type ?? '')) return refuseType()
  const bytes = (sent.length ?? 0) > BODY_LIMIT_BYTES ? undefined : await sent.read(BODY_LIMIT_BYTES)
  if (!bytes) return refuseFor('payload_too_large', 'body', { bound: BODY_LIMIT_BYTES })
  return bytes.length === 0 ? refuseMissingBody() : bytes
}

function parseBody(bytes: Buffer): { readonly value: unknown } | Refusal {
  if (!isUtf8(bytes)) return refuseFor('invalid_json', 'utf8', {})
  try {
    // It refuses the names that would change the prototype of an object.
    return { value: parseJson(bytes.toString('utf8')) }
  } catch {
    return refuseFor('invalid_json', 'syntax', {})
  }
}

/** Bytes of input (`sizeOf`) from which the areas in it are read with pauses: those of a polygon of some 500 corners. */
export const MAX_INPUT_AT_ONCE = 50_000

/**
 * Reads the areas of a search, or of one that is estimated, so that its handler does not have to. Other bodies are left alone.
 *
 * @throws the signal's reason
 */
export async function readAreasIn(body: unknown, signal: AbortSignal): Promise<void> {
  interface Searching {
    readonly filters?: { readonly area?: unknown }
  }
  const { filters, input } = (body ?? {}) as Searching & { readonly input?: { readonly body?: Searching } }
  const { area } = filters ?? input?.body?.filters ?? {}
  if (area !== undefined) await inTurn(readAreasBefore(area), signal)
}

function refuseMissingBody(): Refusal {
  return refuseFor('missing_input', 'body', {})
}

function refuseType(): Refusal {
  return refuseFor('unsupported_media_type', 'not_json', {})
}

/**
 * Check 6: the input is what the contract says. Estimates judge the input of the call that they are about in the same way.
 * undefined: it is valid, and defaults have been filled in.
 */
export function createInputJudge(): (operationId: OperationId, input: Input) => Refusal | undefined {
  const check = createInputCheck({ useDefaults: true })
  return (operationId, input) => {
    const { queryParameters, hasBody } = operations[operationId]
    const repeated = queryParameters.find((name) => Array.isArray(input.query[name]))
    if (repeated !== undefined) {
      return refuseFor('invalid_parameter', 'repeated', { place: repeated }, { parameter: repeated })
    }
    // Whether there is a body at all is not asked by the validator.
    if (hasBody && (input.body === undefined || input.body === null)) return refuseMissingBody()
    const fault = check(operationId, input)
    return fault && refuse(fault.code, fault.message, fault.details)
  }
}
