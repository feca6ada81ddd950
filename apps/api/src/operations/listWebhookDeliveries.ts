import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { refuseUnknownWebhook } from './deleteWebhook.ts'
import { deliver } from './deliver.ts'

export function listWebhookDeliveries({ webhooks }: App): HandlerOf<'listWebhookDeliveries'> {
  return ({ params, query }, { principal }) =>
    async () => {
      const deliveries = await webhooks.deliveries(principal.accountId, params.id, query.limit)
      return deliveries ? deliver({ data: deliveries }) : refuseUnknownWebhook()
    }
}
