import type { House } from '../house.ts'
import { deliver } from './deliver.ts'
import { refuseUnknownWebhook, webhookIdOf } from './find-webhook.ts'
import type { HandlerOf } from './handler.ts'

export function listWebhookDeliveries({ webhooks }: House): HandlerOf<'listWebhookDeliveries'> {
  return ({ params, query }, { caller }) => {
    const id = webhookIdOf(params.id)
    if (id === undefined) return refuseUnknownWebhook()
    return async () => {
      const deliveries = await webhooks.deliveries(caller.accountId, id, query.limit)
      return deliveries ? deliver({ data: deliveries }) : refuseUnknownWebhook()
    }
  }
}
