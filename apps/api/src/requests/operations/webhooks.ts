// The webhooks of an account: created, listed, changed, tested, deleted, and what was sent to them.

import type { WebhookDelivery } from '@lotline/contract'
import type { SignedCursors } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { RunOnce } from '../../work/idempotency.ts'
import { JOB_EVENTS } from '../../work/jobs.ts'
import type { Webhooks } from '../../work/webhooks.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from '../presentation/answer.ts'
import { findListPage, pageMeta } from './list-page.ts'
import { onceCall } from './once.ts'

export interface WebhooksDeps {
  readonly listCursors: SignedCursors
  readonly once: RunOnce
  readonly webhooks: Webhooks
}

type WebhookOperation =
  | 'createWebhook'
  | 'listWebhooks'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'testWebhook'
  | 'rotateWebhookSecret'
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'redeliverWebhookEvent'

type WebhookOperations = { readonly [K in WebhookOperation]: HandlerOf<K> }

export function createWebhookOperations(deps: WebhooksDeps): WebhookOperations {
  return {
    createWebhook: createWebhook(deps),
    listWebhooks: listWebhooks(deps),
    getWebhook: getWebhook(deps),
    updateWebhook: updateWebhook(deps),
    deleteWebhook: deleteWebhook(deps),
    testWebhook: testWebhook(deps),
    rotateWebhookSecret: rotateWebhookSecret(deps),
    listWebhookDeliveries: listWebhookDeliveries(deps),
    getWebhookDelivery: getWebhookDelivery(deps),
    redeliverWebhookEvent: redeliverWebhookEvent(deps),
  }
}

function createWebhook({ webhooks, once }: WebhooksDeps): HandlerOf<'createWebhook'> {
  return ({ body, headers }, call) => {
    const { url, events = JOB_EVENTS, description = '', credits_threshold: creditsThreshold } = body
    const refusal = webhooks.refuseUrl(url)
    if (refusal) return refusal
    return async () => {
      const wanted = { url, events, description, creditsThreshold }
      const asked = onceCall('createWebhook', call, { headers, input: body, hasSecret: true })
      const made = await once.run(asked, (database) =>
        webhooks.create(call.principal.accountId, wanted, database),
      )
      if (isRefusal(made)) return made
      const { answer, replayed } = made
      return {
        status: 201,
        units: 1,
        body: () => ({ data: answer }),
        ...(replayed && { replayed: true as const }),
      }
    }
  }
}

type ListedWebhook = Awaited<ReturnType<Webhooks['list']>>[number]

function listWebhooks({ webhooks, listCursors }: WebhooksDeps): HandlerOf<'listWebhooks'> {
  return ({ query }, { principal: { accountId } }) =>
    async () => {
      const page = await findListPage<ListedWebhook>(
        { listCursors },
        ['listWebhooks', accountId],
        query,
        (after, limit) => webhooks.list(accountId, { after, limit }),
        ({ webhook, micros }) => [micros, webhook.id],
      )
      if (isRefusal(page)) return page
      return deliver({ data: page.entries.map(({ webhook }) => webhook), meta: pageMeta(page, query.limit) })
    }
}

function getWebhook({ webhooks }: WebhooksDeps): HandlerOf<'getWebhook'> {
  return ({ params }, { principal }) =>
    async () => {
      const webhook = await webhooks.find(principal.accountId, params.id)
      return webhook ? deliver({ data: webhook }) : refuseUnknownWebhook()
    }
}

function deleteWebhook({ webhooks }: WebhooksDeps): HandlerOf<'deleteWebhook'> {
  return ({ params }, { principal }) =>
    async () =>
      (await webhooks.revoke(principal.accountId, params.id))
        ? { status: 204, units: 1, body: () => undefined }
        : refuseUnknownWebhook()
}

function updateWebhook({ webhooks }: WebhooksDeps): HandlerOf<'updateWebhook'> {
  return ({ params, body }, { principal }) => {
    const { credits_threshold: creditsThreshold } = body
    // A webhook always has a URL, and is active or not: null changes nothing.
    const url = body.url ?? undefined
    const active = body.active ?? undefined
    const refusal = url === undefined ? undefined : webhooks.refuseUrl(url)
    if (refusal) return refusal
    // Null is what a new webhook has. An empty list means the same as none.
    const events = body.events === null ? JOB_EVENTS : body.events?.length ? body.events : undefined
    const description = body.description === null ? '' : body.description
    const changes = { url, events, description, active, creditsThreshold }
    return async () => {
      const updated = await webhooks.update(principal.accountId, params.id, changes)
      if (updated === 'revoked') return refuseFor('webhook_inactive', 'revoked', {})
      return updated ? deliver({ data: updated }) : refuseUnknownWebhook()
    }
  }
}

function testWebhook({ webhooks }: WebhooksDeps): HandlerOf<'testWebhook'> {
  return ({ params }, call) =>
    async () => {
      const test = await webhooks.test(call.principal.accountId, params.id, call.signal)
      if (!test.sent) return refuseUnsent(test.because)
      const { delivered, statusCode: status_code, error, preview } = test.outcome
      const { eventId: event_id, url } = test
      return deliver({ data: { event_id, url, delivered, status_code, error, response_preview: preview } })
    }
}

function rotateWebhookSecret({ webhooks, once }: WebhooksDeps): HandlerOf<'rotateWebhookSecret'> {
  return ({ params, query, headers }, call) =>
    async () => {
      const input = [params, query]
      const asked = onceCall('rotateWebhookSecret', call, { headers, input, hasSecret: true })
      const done = await once.run(asked, async (database) => {
        const { accountId } = call.principal
        const rotation = await webhooks.rotateSecret(accountId, params.id, query.overlap_hours, database)
        if (!rotation.rotated) return refuseUnsent(rotation.because)
        const { secret, oldUntil } = rotation
        const old_secret_until = oldUntil?.toISOString() ?? null
        return { webhook_id: params.id.toLowerCase(), secret, old_secret_until }
      })
      if (isRefusal(done)) return done
      return { ...deliver({ data: done.answer }), ...(done.replayed && { replayed: true as const }) }
    }
}

function redeliverWebhookEvent({ webhooks, once }: WebhooksDeps): HandlerOf<'redeliverWebhookEvent'> {
  return ({ params, headers }, call) =>
    async () => {
      const asked = onceCall('redeliverWebhookEvent', call, { headers, input: params, hasSecret: false })
      const done = await once.run(asked, async (database) => {
        const { accountId } = call.principal
        const again = await webhooks.redeliver(accountId, params.id, params.delivery_id, database)
        if (!again.redelivered) return refuseRedelivery(again.because)
        return { webhook_id: params.id.toLowerCase(), event_id: again.eventId, attempt: again.attempt }
      })
      if (isRefusal(done)) return done
      return { ...deliver({ data: done.answer }), ...(done.replayed && { replayed: true as const }) }
    }
}

type Redelivery = Awaited<ReturnType<Webhooks['redeliver']>>

function refuseRedelivery(because: Exclude<Redelivery, { redelivered: true }>['because']): Refusal {
  switch (because) {
    case 'no such delivery':
      return refuseFor('not_found', 'delivery', {})
    case 'in progress':
      return refuseFor('delivery_in_progress', 'attempt', {})
    case 'paused':
      return refuseFor('webhook_inactive', 'paused', {})
    default:
      return refuseUnsent(because)
  }
}

function refuseUnsent(because: 'no such webhook' | 'revoked'): Refusal {
  return because === 'revoked' ? refuseFor('webhook_inactive', 'revoked', {}) : refuseUnknownWebhook()
}

/** The same for an unknown id and for one of another account. */
function refuseUnknownWebhook(): Refusal {
  return refuseFor('not_found', 'webhook', {})
}

function listWebhookDeliveries({ webhooks, listCursors }: WebhooksDeps): HandlerOf<'listWebhookDeliveries'> {
  return ({ params, query }, { principal: { accountId } }) =>
    async () => {
      let isKnown = true
      const page = await findListPage<WebhookDelivery, readonly [id: number]>(
        { listCursors },
        ['listWebhookDeliveries', accountId, params.id.toLowerCase()],
        query,
        async (after, limit) => {
          const part = { before: after?.[0] ?? null, limit }
          const deliveries = await webhooks.deliveries(accountId, params.id, part)
          isKnown = deliveries !== undefined
          return deliveries ?? []
        },
        ({ id }) => [id],
      )
      if (isRefusal(page)) return page
      return isKnown
        ? deliver({ data: page.entries, meta: pageMeta(page, query.limit) })
        : refuseUnknownWebhook()
    }
}

function getWebhookDelivery({ webhooks }: WebhooksDeps): HandlerOf<'getWebhookDelivery'> {
  return ({ params }, { principal }) =>
    async () => {
      const delivery = await webhooks.delivery(principal.accountId, params.id, params.delivery_id)
      if (delivery) return deliver({ data: delivery })
      const webhook = await webhooks.find(principal.accountId, params.id)
      return webhook ? refuseFor('not_found', 'delivery', {}) : refuseUnknownWebhook()
    }
}
