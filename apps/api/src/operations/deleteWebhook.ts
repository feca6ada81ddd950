import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { type Refusal, refuseFor } from '../platform/refusal.ts'

export function deleteWebhook({ webhooks }: App): HandlerOf<'deleteWebhook'> {
  return ({ params }, { principal }) =>
    async () =>
      (await webhooks.revoke(principal.accountId, params.id))
        ? { status: 204, units: 1, body: () => undefined }
        : refuseUnknownWebhook()
}

/** The same for an unknown id and for one of another account. */
export function refuseUnknownWebhook(): Refusal {
  return refuseFor('not_found', 'webhook', {})
}
