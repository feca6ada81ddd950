// Makes webhooks for receivers of all manners, looks at their deliveries, and revokes them again. A creation is sent until it is
// answered. Its Idempotency-Key is the description of the webhook, so that the database shows what the key has created.

import type { Webhook, WebhookWithSecret } from '@lotline/contract'
import { MANNERS } from '../receivers/receivers.ts'
import { call, keptConnection } from './call.ts'
import { callOnce } from './once.ts'
import { pause } from './pause.ts'
import type { MakeClient } from './world.ts'

/** Live ones at a time. */
const MOST = 4
const EVENTS = ['job.succeeded', 'job.failed', 'job.timed_out', 'job.aborted'] as const

export const keepsWebhooks: MakeClient = (world, name, key, random) => {
  const agent = keptConnection()
  const live = new Map<string, string>()
  let created = 0

  async function create(): Promise<void> {
    const { url, hook } = world.receivers.newHook(random.pick(MANNERS))
    const events = random.chance(0.5) ? undefined : random.chance(0.8) ? ['job.succeeded'] : ['job.failed']
    const idempotencyKey = `${name}-${++created}`
    const asked = { operation: 'createWebhook', method: 'POST', path: '/v1/webhooks', agent } as const
    const body = { url, description: idempotencyKey, ...(events && { events }) }
    const answer = await callOnce(world, name, key, random, { ...asked, idempotencyKey, body })
    if (answer?.status !== 201) return
    const { data } = JSON.parse(answer.text) as { data: WebhookWithSecret }
    live.set(data.id, hook)
    world.secrets.set(hook, data.secret)
    world.log.write({
      kind: 'webhook',
      webhookId: data.id,
      keyId: key.id,
      hook,
      events: events ?? EVENTS,
      endAt: answer.endAt,
    })
  }

  async function revoke(webhookId: string, hook: string): Promise<void> {
    const answer = await call(world, name, key, {
      operation: 'deleteWebhook',
      method: 'DELETE',
      path: `/v1/webhooks/${webhookId}`,
      agent,
    })
    if (answer?.status !== 204) return
    live.delete(webhookId)
    const { sentAt, endAt } = answer
    world.log.write({ kind: 'revoked', webhookId, hook, sentAt, endAt })
  }

  /** Those whose creation was answered with nothing are there nevertheless, and their secret is not known. */
  async function tidyUp(): Promise<void> {
    const answer = await call(world, name, key, { operation: 'listWebhooks', path: '/v1/webhooks', agent })
    if (!answer?.whole || answer.status !== 200) return
    const { data } = JSON.parse(answer.text) as { data: Webhook[] }
    for (const { id, url, active } of data) {
      if (active && !live.has(id)) await revoke(id, new URL(url).pathname)
    }
  }

  return {
    name,
    async turn() {
      const [oldest] = live
      if (oldest && (live.size >= MOST || random.chance(0.2))) await revoke(...oldest)
      else await create()
      const [webhookId] = random.pick([...live, ['00000000-0000-4000-8000-000000000000', '']])
      await call(world, name, key, {
        operation: 'listWebhookDeliveries',
        path: `/v1/webhooks/${webhookId}/deliveries?limit=200`,
        agent,
      })
      if (random.chance(0.3)) await tidyUp()
      await pause(random, 700)
    },
  }
}
