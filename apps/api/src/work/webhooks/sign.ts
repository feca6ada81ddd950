// Signs requests by Standard Webhooks (https://www.standardwebhooks.com), so that receivers can use existing libraries.

import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** The bytes to sign with. */
export function createSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The form that the webhook's owner gets, once. */
export function showSecret(secret: Buffer): string {
  return PREFIX + secret.toString('base64')
}

/** The headers that are specific to a signed request, with one signature for each secret. */
export function signedHeaders(
  message: { readonly id: string; readonly attempt: number; readonly body: Buffer },
  secrets: readonly Buffer[],
  now = new Date(),
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${message.id}.${timestamp}.`).update(message.body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'webhook-attempt': String(message.attempt),
  }
}
