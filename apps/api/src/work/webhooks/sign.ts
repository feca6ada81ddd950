// Signatures as Standard Webhooks has them (https://www.standardwebhooks.com), so that receivers need no code of ours.

import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Bytes to sign with. */
export function createSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** As the owner of the webhook gets it, once. */
export function showSecret(secret: Buffer): string {
  return PREFIX + secret.toString('base64')
}

/** The head of a signed request, but for what every request has. One signature for each secret. */
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
