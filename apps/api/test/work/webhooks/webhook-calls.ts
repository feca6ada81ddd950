// Webhooks of an account over the test's own server: creating them, changing them, and an event that was dropped.

import { expect } from 'vitest'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { statesOf } from '../../setup/deliveries.ts'
import { until } from '../../setup/receiver.ts'
import type { withTestDatabase } from '../../setup/test-database.ts'
import type { TestResponse, withTestServer } from '../../setup/test-server.ts'
import { endJobs } from '../../setup/webhook-jobs.ts'

export interface CreatedWebhook extends OpenedAccount {
  readonly id: string
  readonly secret: string
}

type WebhookOfKey = Pick<CreatedWebhook, 'id' | 'key'>

export function webhookCalls(
  server: ReturnType<typeof withTestServer>,
  testDatabase: ReturnType<typeof withTestDatabase>,
) {
  return {
    async makeWebhook(url: string, account?: OpenedAccount): Promise<CreatedWebhook> {
      const owner = account ?? (await server.openAccount())
      const { json } = await server.post('/v1/webhooks', { url }, { key: owner.key })
      expect(json.data, JSON.stringify(json)).toBeDefined()
      return { ...owner, id: json.data.id, secret: json.data.secret }
    },
    change: ({ id, key }: WebhookOfKey, body: object): Promise<TestResponse> =>
      server.send('PATCH', `/v1/webhooks/${id}`, { key, body }),
    act: ({ id, key }: WebhookOfKey, action: string): Promise<TestResponse> =>
      server.send('POST', `/v1/webhooks/${id}/${action}`, { key }),
    /** Drops an event of the webhook after its three attempts. Returns the event's id and the id of the last attempt. */
    async dropOne(webhook: CreatedWebhook): Promise<{ attemptId: number; eventId: string }> {
      await endJobs(testDatabase.database, webhook.accountId)
      await until(async () => (await statesOf(testDatabase.database, webhook.id)).dropped === 1, 'the drop')
      const { json } = await server.get(`/v1/webhooks/${webhook.id}/deliveries`, { key: webhook.key })
      return { attemptId: json.data[0].id, eventId: json.data[0].event_id }
    },
  }
}
