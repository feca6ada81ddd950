import { type Refusal, refuse } from '../platform/refusal.ts'

/** The same for an id that nobody has and for one of another account. */
export function refuseUnknownWebhook(): Refusal {
  return refuse(
    'not_found',
    'There is no webhook with this id in your account. List your webhooks with GET /v1/webhooks.',
  )
}
