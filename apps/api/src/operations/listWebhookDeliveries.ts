import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { refuseUnknownWebhook } from './deleteWebhook.ts'
import { deliver } from './deliver.ts'

export function listWebhookDeliveries({ webhooks }: House): HandlerOf<'listWebhookDeliveries'> {
  return ({ params, query }, { caller }) =>
    async () => {
      const deliveries = await webhooks.deliveries(caller.accountId, params.id, query.limit)
      return deliveries ? deliver({ data: deliveries }) : refuseUnknownWebhook()
    }
}
