// Sends a signed test delivery immediately, with the same checks, signature, limits, and timeout as a real one. It is not stored: it is
// never retried and not listed.

import type { Config } from '../../infrastructure/config.ts'
import type { Database } from '../../infrastructure/database.ts'
import { createReceiverConnections, type Network } from '../../infrastructure/net.ts'
import type { Observer } from '../../infrastructure/platform.ts'
import { bodyOf, createEventId } from '../events/event.ts'
import { type AttemptResult, outcomeName } from './delivery-queue.ts'
import type { SecretBox } from './secret-box.ts'
import { openSecrets } from './secrets.ts'
import { createSendLock } from './send-lock.ts'
import { createSender } from './send-message.ts'

export const PING = 'webhook.ping'

export type Ping =
  | { readonly sent: true; readonly eventId: string; readonly url: string; readonly outcome: AttemptResult }
  | { readonly sent: false; readonly because: 'no such webhook' | 'revoked' }

const FIND = `
  select w.account_id, w.url, w.revoked_at is not null as revoked, array(
    select s.sealed from webhook_secrets s where s.account_id = w.account_id and s.webhook_id = w.id
      and (s.retires_at is null or s.retires_at > now()) order by s.id desc) as secrets
  from webhooks w where w.id = $1 and ($2::uuid is null or w.account_id = $2)`

export interface PingOptions {
  /** The account that must own the webhook. Default: any. */
  readonly accountId?: string
  /** Aborts the attempt; its reason is thrown, unless a response has begun. */
  readonly signal?: AbortSignal
  readonly network?: Partial<Network>
  readonly observer?: Observer
}

/** Sends a test delivery and waits for the response, at most `config.webhooks.timeoutMs`. A paused webhook also gets it. */
export async function pingWebhook(
  { webhooks: { allowPrivateNetworks, timeoutMs } }: Pick<Config, 'webhooks'>,
  database: Database,
  box: SecretBox,
  webhookId: string,
  { accountId, signal = new AbortController().signal, network, observer }: PingOptions = {},
): Promise<Ping> {
  const { rows } = await database.query<{
    account_id: string
    url: string
    revoked: boolean
    secrets: Buffer[]
  }>(FIND, [webhookId, accountId ?? null])
  const [webhook] = rows
  if (!webhook) return { sent: false, because: 'no such webhook' }
  if (webhook.revoked) return { sent: false, because: 'revoked' }

  const connections = createReceiverConnections({ allowPrivateNetworks, ...network })
  const sender = createSender(connections, createSendLock(database), timeoutMs)
  const eventId = createEventId()
  const end = observer?.attemptWebhook()
  let outcome: AttemptResult | undefined
  try {
    outcome = await sender.send(
      {
        accountId: webhook.account_id,
        webhookId,
        attemptId: null,
        url: webhook.url,
        eventId,
        attempt: 1,
        body: bodyOf({ id: eventId, type: PING, happenedAt: new Date(), attempt: 1, data: '{}' }),
        secrets: openSecrets(box, webhookId, webhook.secrets),
      },
      signal,
    )
    return outcome ? { sent: true, eventId, url: webhook.url, outcome } : { sent: false, because: 'revoked' }
  } finally {
    end?.(outcomeName(outcome))
    sender.close()
  }
}
