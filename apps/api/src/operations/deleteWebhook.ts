import type { House } from '../house.ts'
import { refuseUnknownWebhook, webhookIdOf } from './find-webhook.ts'
import type { HandlerOf } from './handler.ts'

export function deleteWebhook({ webhooks }: House): HandlerOf<'deleteWebhook'> {
  return ({ params }, { caller }) => {
    const id = webhookIdOf(params.id)
    if (id === undefined) return refuseUnknownWebhook()
    return async () =>
      (await webhooks.revoke(caller.accountId, id))
        ? { status: 204, units: 1, body: () => undefined }
        : refuseUnknownWebhook()
  }
}
