// The webhooks of an account: created, listed, deleted, and what was sent to them.

import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { JOB_EVENTS } from '../jobs/job.ts'
import { isRefusal, type Refusal, refuseFor } from '../platform/refusal.ts'
import { deliver } from './deliver.ts'

type WebhookOperations = {
  readonly [K in 'createWebhook' | 'listWebhooks' | 'deleteWebhook' | 'listWebhookDeliveries']: HandlerOf<K>
}

export function createWebhookOperations(app: App): WebhookOperations {
  return {
    createWebhook: createWebhook(app),
    listWebhooks: listWebhooks(app),
    deleteWebhook: deleteWebhook(app),
    listWebhookDeliveries: listWebhookDeliveries(app),
  }
}

function createWebhook({ webhooks }: App): HandlerOf<'createWebhook'> {
  return ({ body: { url, events = JOB_EVENTS, description = '' } }, { principal }) => {
    const refusal = webhooks.refuseUrl(url)
    if (refusal) return refusal
    return async () => {
      const created = await webhooks.create(principal.accountId, { url, events, description })
      return isRefusal(created) ? created : { status: 201, units: 1, body: () => ({ data: created }) }
    }
  }
}

function listWebhooks({ webhooks }: App): HandlerOf<'listWebhooks'> {
  return (_input, { principal }) =>
    async () =>
      deliver({ data: await webhooks.list(principal.accountId) })
}

function deleteWebhook({ webhooks }: App): HandlerOf<'deleteWebhook'> {
  return ({ params }, { principal }) =>
    async () =>
      (await webhooks.revoke(principal.accountId, params.id))
        ? { status: 204, units: 1, body: () => undefined }
        : refuseUnknownWebhook()
}

/** The same for an unknown id and for one of another account. */
function refuseUnknownWebhook(): Refusal {
  return refuseFor('not_found', 'webhook', {})
}

function listWebhookDeliveries({ webhooks }: App): HandlerOf<'listWebhookDeliveries'> {
  return ({ params, query }, { principal }) =>
    async () => {
      const deliveries = await webhooks.deliveries(principal.accountId, params.id, query.limit)
      return deliveries ? deliver({ data: deliveries }) : refuseUnknownWebhook()
    }
}
