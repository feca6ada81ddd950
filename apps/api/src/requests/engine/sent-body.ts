// The body of a call: JSON and nothing else. What cannot be taken is refused before it is read, where that is possible.

import { isUtf8 } from 'node:buffer'
import parseJson from 'secure-json-parse'
import { createWorkQueue, nextEventLoopTurn } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { WaitingInputs } from '../../money/limits.ts'
import type { Call } from './call.ts'

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
 * Long bodies are read and checked one at a time, and accounts take turns. While others wait, the thread belongs to other calls for 19 times as long as one
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
  owner: Pick<Call, 'signal' | 'refuse'> & Partial<Pick<Call, 'accountId'>>,
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
    if (isLong) await nextEventLoopTurn()
    return judge(read.value)
  }
  if (!isLong) return work()
  const leave = waiting.enter(size, (reason) => owner.refuse(reason))
  try {
    return await longBodies.run(work, owner.signal, owner.accountId)
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

export function refuseMissingBody(): Refusal {
  return refuseFor('missing_input', 'body', {})
}

function refuseType(): Refusal {
  return refuseFor('unsupported_media_type', 'not_json', {})
}
