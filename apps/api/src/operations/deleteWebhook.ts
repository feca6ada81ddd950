import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { refuseUnknownWebhook } from './unknown-webhook.ts'

export function deleteWebhook({ webhooks }: House): HandlerOf<'deleteWebhook'> {
  return ({ params }, { caller }) =>
    async () =>
      (await webhooks.revoke(caller.accountId, params.id))
        ? { status: 204, units: 1, body: () => undefined }
        : refuseUnknownWebhook()
}
