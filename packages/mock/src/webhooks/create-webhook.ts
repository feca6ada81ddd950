// A delivery as the service sends it: body, headers and signature as Standard Webhooks has it
// (https://www.standardwebhooks.com). Or one that a receiver must refuse, to see that it does.

import { createHmac, randomBytes } from 'node:crypto'
import { createId } from '../ids.ts'
import { DEMO_SECRET, exampleEventData, WEBHOOK_TYPES, type WebhookType } from './events.ts'

/**
 * What is wrong with a delivery: it is signed with another secret, its signature is ten minutes old, its body was
 * changed after it was signed, or it has no signature at all.
 */
export type WebhookFault = 'signature' | 'timestamp' | 'body' | 'headers'

export const WEBHOOK_FAULTS: readonly WebhookFault[] = ['signature', 'timestamp', 'body', 'headers']

export interface WebhookOptions {
  readonly type: WebhookType
  /**
   * `whsec_` and Base64; that which the mock's POST /v1/webhooks answers by default. Several, while one replaces
   * another, make a signature each.
   */
  readonly secret?: string | readonly string[]
  /** The id of the event. Pass the same id to repeat an event. The default is a new id. */
  readonly eventId?: string
  /** The number of the attempt, counted from 1, the default. */
  readonly attempt?: number
  /** The `id` of the job in it; that of the contract's example by default. */
  readonly jobId?: string
  /** When it happened, and was sent; now by default. */
  readonly at?: Date
  /** The fault of the delivery. The default is none. */
  readonly wrong?: WebhookFault
}

export interface SignedWebhook {
  readonly eventId: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body. Send it unchanged, because the signature covers these exact characters. */
  readonly body: string
}

/** Older than what receivers may accept, which is five minutes. Seconds. */
const STALE_BY_S = 600

/** @throws RangeError when an option cannot be used; its message says which and why */
export function createWebhook(options: WebhookOptions): SignedWebhook {
  const { type, eventId = createId('evt'), attempt = 1, jobId, at = new Date(), wrong } = options
  if (!WEBHOOK_TYPES.includes(type))
    throw new RangeError(`Unknown event type ${type}. Use ${list(WEBHOOK_TYPES)}.`)
  if (!/^[\w.-]{1,64}$/.test(eventId))
    throw new RangeError('The event id may contain only letters, digits, and _.')
  if (!Number.isInteger(attempt) || attempt < 1)
    throw new RangeError('The attempt must be a whole number of 1 or more.')
  if (wrong !== undefined && !WEBHOOK_FAULTS.includes(wrong)) {
    throw new RangeError(`Unknown fault ${wrong}. Use ${list(WEBHOOK_FAULTS)}.`)
  }
  const keys = [options.secret ?? DEMO_SECRET].flat().map(decodeSecret)
  if (keys.length === 0)
    throw new RangeError('The secret is missing. Pass a secret to sign the webhook with.')

  const bodyWith = (number: number) =>
    JSON.stringify({
      id: eventId,
      type,
      timestamp: at.toISOString(),
      attempt: number,
      data: data(type, jobId),
    })
  const body = bodyWith(attempt)
  const timestamp = String(Math.floor(at.getTime() / 1000) - (wrong === 'timestamp' ? STALE_BY_S : 0))
  const signatures = (wrong === 'signature' ? [randomBytes(32)] : keys).map(
    (key) => `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`,
  )
  return {
    eventId,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Lotline-Webhooks/1',
      ...(wrong !== 'headers' && {
        'webhook-id': eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
        'webhook-attempt': String(attempt),
      }),
    },
    body: wrong === 'body' ? bodyWith(attempt + 1) : body,
  }
}

function data(type: WebhookType, jobId: string | undefined): object {
  const { job, ...rest } = exampleEventData(type) as { job?: object }
  return job === undefined ? rest : { ...rest, job: { ...job, ...(jobId !== undefined && { id: jobId }) } }
}

/** Standard Webhooks has secrets of 24 to 64 bytes; those of Lotline have 32. */
function decodeSecret(secret: string): Buffer {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(base64, 'base64')
  if (key.length >= 24 && key.length <= 64 && key.toString('base64') === base64) return key
  throw new RangeError(
    'The secret is malformed. It must be whsec_ and the Base64 form of 32 bytes, as returned by POST /v1/webhooks.',
  )
}

function list(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
