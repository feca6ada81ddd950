// The receiver's side of Standard Webhooks: a delivery is genuine if one of its signatures fits the received bytes and one of
// the secrets, and if it was sent recently. The comparison is Web Crypto's own, which takes the same time
// wherever two signatures differ.

import type { WebhookEvent } from './contract.ts'
import { WebhookVerificationError } from './errors.ts'

export interface VerifyOptions {
  /** The maximum age of a delivery, and how far its time may be ahead of this clock. In seconds; the default is 300. */
  toleranceSeconds?: number | undefined
}

/** Headers as any server has them: Fetch's, Node's, or those of a function in the cloud. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const TOLERANCE_SECONDS = 300

/**
 * Returns the event if the delivery is genuine. A test delivery of the operator has the type `webhook.ping` and no job:
 * answer it with 2xx and do nothing else. Every other event has its job in `event.data.job` or its watch in
 * `event.data.watch`; `watch.changes` has the changes in `event.data.events`. Recognize repetitions by
 * `event.id`, which is the same in every attempt.
 *
 * @param payload the body exactly as it came, before any parsing
 * @param secret the webhook's `whsec_…`, or several while one replaces another
 * @throws WebhookVerificationError when it is not genuine; TypeError if `payload` or `secret` has the wrong type
 */
export async function verifyWebhook(
  payload: string | ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = toBytes(payload)
  const keys = await Promise.all([secret].flat().map(importKey))
  if (keys.length === 0)
    throw new TypeError('The secret is missing. Pass the secret of the webhook to verifyWebhook.')
  const id = getHeader(headers, 'webhook-id')
  const timestamp = getHeader(headers, 'webhook-timestamp')
  const signatures = parseSignatures(getHeader(headers, 'webhook-signature'))
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const verdicts = await Promise.all(
    keys.flatMap((key) =>
      signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
    ),
  )
  if (!verdicts.includes(true)) {
    throw new WebhookVerificationError(
      'No signature matches. Check that the secret belongs to this webhook and that the payload is the unmodified body of the request.',
    )
  }
  checkAge(timestamp, toleranceSeconds)
  return parseEvent(body)
}

function checkAge(timestamp: string, toleranceSeconds: number): void {
  const ageSeconds = Date.now() / 1000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN)
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  throw new WebhookVerificationError(
    ageSeconds > 0
      ? 'The delivery is too old. It may be a copy of an earlier one, or the clock here is ahead.'
      : 'The delivery comes from the future, or has no time at all. The clock here may be behind.',
  )
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookVerificationError(
    `The header ${name} is missing in the delivery. Pass all headers of the request.`,
  )
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

function parseSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(' ').flatMap((part) => {
    const [version, signature] = part.split(',')
    const bytes = version === 'v1' && signature ? decodeSecret(signature) : undefined
    return bytes ? [bytes] : []
  })
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' ? decodeSecret(secret.replace(/^whsec_/, '')) : undefined
  if (!bytes?.length)
    throw new TypeError('The webhook secret is malformed. It must be whsec_ followed by Base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decodeSecret(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function toBytes(payload: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload)
  if (ArrayBuffer.isView(payload)) {
    return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength)
  }
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  throw new TypeError(
    'The payload must be the unmodified body of the request, as text or bytes. A parsed body cannot be verified.',
  )
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  } catch (cause) {
    throw new WebhookVerificationError(
      'The signature is valid, but the body of the delivery is not JSON.',
      cause,
    )
  }
}
