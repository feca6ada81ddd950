// The webhooks of an account: created, listed, changed, tested, deleted, and what was sent to them.

import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { JOB_EVENTS } from '../jobs/job.ts'
import { isRefusal, type Refusal, refuseFor } from '../platform/refusal.ts'
import { deliver } from './deliver.ts'

type WebhookOperation =
  | 'createWebhook'
  | 'listWebhooks'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'testWebhook'
  | 'rotateWebhookSecret'
  | 'listWebhookDeliveries'
  | 'redeliverWebhookEvent'

type WebhookOperations = { readonly [K in WebhookOperation]: HandlerOf<K> }

export function createWebhookOperations(app: App): WebhookOperations {
  return {
    createWebhook: createWebhook(app),
    listWebhooks: listWebhooks(app),
    updateWebhook: updateWebhook(app),
    deleteWebhook: deleteWebhook(app),
    testWebhook: testWebhook(app),
    rotateWebhookSecret: rotateWebhookSecret(app),
    listWebhookDeliveries: listWebhookDeliveries(app),
    redeliverWebhookEvent: redeliverWebhookEvent(app),
  }
}

function createWebhook({ webhooks }: App): HandlerOf<'createWebhook'> {
  return ({ body: { url, events = JOB_EVENTS, description = '', creditsThreshold } }, { principal }) => {
    const refusal = webhooks.refuseUrl(url)
    if (refusal) return refusal
    return async () => {
      const wanted = { url, events, description, creditsThreshold }
      const created = await webhooks.create(principal.accountId, wanted)
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

function updateWebhook({ webhooks }: App): HandlerOf<'updateWebhook'> {
  return ({ params, body: { url, events, description, active, creditsThreshold } }, { principal }) => {
    const refusal = url === undefined ? undefined : webhooks.refuseUrl(url)
    if (refusal) return refusal
    // An empty list means the same as none.
    const changes = {
      ...{ url, events: events?.length ? events : undefined, description, active },
      creditsThreshold,
    }
    return async () => {
      const updated = await webhooks.update(principal.accountId, params.id, changes)
      if (updated === 'revoked') return refuseFor('webhook_inactive', 'revoked', {})
      return updated ? deliver({ data: updated }) : refuseUnknownWebhook()
    }
  }
}

function testWebhook({ webhooks }: App): HandlerOf<'testWebhook'> {
  return ({ params }, call) =>
    async () => {
      const test = await webhooks.test(call.principal.accountId, params.id, call.signal)
      if (!test.sent) return refuseUnsent(test.because)
      const { delivered, statusCode: status_code, error, preview } = test.outcome
      const { eventId: event_id, url } = test
      return deliver({ data: { event_id, url, delivered, status_code, error, response_preview: preview } })
    }
}

function rotateWebhookSecret({ webhooks }: App): HandlerOf<'rotateWebhookSecret'> {
  return ({ params, query }, { principal }) =>
    async () => {
      const rotation = await webhooks.rotateSecret(principal.accountId, params.id, query.overlap_hours)
      if (!rotation.rotated) return refuseUnsent(rotation.because)
      const { secret, oldUntil } = rotation
      const old_secret_until = oldUntil?.toISOString() ?? null
      return deliver({ data: { webhook_id: params.id.toLowerCase(), secret, old_secret_until } })
    }
}

function redeliverWebhookEvent({ webhooks }: App): HandlerOf<'redeliverWebhookEvent'> {
  return ({ params }, { principal }) =>
    async () => {
      const again = await webhooks.redeliver(principal.accountId, params.id, params.delivery_id)
      if (again.redelivered) {
        const { eventId: event_id, attempt } = again
        return deliver({ data: { webhook_id: params.id.toLowerCase(), event_id, attempt } })
      }
      switch (again.because) {
        case 'no such delivery':
          return refuseFor('not_found', 'delivery', {})
        case 'in progress':
          return refuseFor('delivery_in_progress', 'attempt', {})
        case 'paused':
          return refuseFor('webhook_inactive', 'paused', {})
        default:
          return refuseUnsent(again.because)
      }
    }
}

function refuseUnsent(because: 'no such webhook' | 'revoked'): Refusal {
  return because === 'revoked' ? refuseFor('webhook_inactive', 'revoked', {}) : refuseUnknownWebhook()
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
