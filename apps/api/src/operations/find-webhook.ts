// A webhook by its id: of another account, unknown or malformed, the answer is the same.

import { type Refusal, refuse } from '../refusal.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id, if it can be one. Validators take other spellings for a UUID too, such as `urn:uuid:`. */
export function webhookIdOf(text: string): string | undefined {
  return UUID.test(text) ? text : undefined
}

export function refuseUnknownWebhook(): Refusal {
  return refuse(
    'not_found',
    'There is no webhook with this id in your account. List your webhooks with GET /v1/webhooks.',
  )
}
