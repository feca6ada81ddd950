// The body of a call: JSON and nothing else. What cannot be taken is refused before it is read, where that is possible.

import { isUtf8 } from 'node:buffer'
import parseJson from 'secure-json-parse'
import { type Refusal, refuseFor } from '../platform/refusal.ts'

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

/** As bytes, or as a value where a front end has parsed it for reasons of its own. */
export type SentBody = BodyBytes | { readonly value: unknown }

/** `value` is undefined where nothing was sent. */
export async function readBody(sent: SentBody): Promise<{ readonly value: unknown } | Refusal> {
  if ('value' in sent) return sent
  if (!/^(identity)?$/i.test(sent.encoding ?? '')) return refuseType()
  if (sent.type === undefined && sent.length === 0) return { value: undefined }
  if (!/^application\/json[ \t]*(;|$)/i.test(sent.type ?? '')) return refuseType()
  const bytes = (sent.length ?? 0) > BODY_LIMIT_BYTES ? undefined : await sent.read(BODY_LIMIT_BYTES)
  if (!bytes) return refuseFor('payload_too_large', 'body', { bound: BODY_LIMIT_BYTES })
  if (bytes.length === 0) return refuseMissingBody()
  if (!isUtf8(bytes)) return refuseFor('invalid_json', 'utf8', {})
  try {
    // It refuses the names that would change the prototype of an object.
    const text = bytes.toString('utf8')
    const value = parseJson(text)
    if (mayHaveSurrogates(text) && !isWellFormed(value)) return refuseFor('invalid_json', 'surrogate', {})
    return { value }
  } catch {
    return refuseFor('invalid_json', 'syntax', {})
  }
}

/** UTF-8 has no lone surrogates, so they can only be escaped. */
function mayHaveSurrogates(json: string): boolean {
  return /\\u[dD][89a-fA-F]/.test(json)
}

/** Neither PostgreSQL nor UTF-8 can hold half of a surrogate pair. Without recursion: bodies may be nested deeply. */
function isWellFormed(value: unknown): boolean {
  const pending = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (!next.isWellFormed()) return false
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, inner] of Object.entries(next)) pending.push(name, inner)
    }
  }
  return true
}

export function refuseMissingBody(): Refusal {
  return refuseFor('missing_input', 'body', {})
}

function refuseType(): Refusal {
  return refuseFor('unsupported_media_type', 'not_json', {})
}
