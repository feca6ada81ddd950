// Redelivers events that were dropped or that the receiver lost, for the operator or the account.

import type { Database } from '../../infrastructure/database.ts'
import { MAX_ATTEMPTS } from './deliver-events.ts'
import { DELIVERIES_CHANNEL } from './delivery-queue.ts'

// The attempt numbers continue, with a full new round of retries. A pending retry is sent now.
const REDELIVER = `
  with again as (
    update webhook_deliveries d set
        state = 'due', due_at = now(), ended_at = null,
        last_attempt = case when d.state = 'waiting' then d.last_attempt else d.attempt + ${MAX_ATTEMPTS} end
      from webhooks w
      where w.account_id = d.account_id and w.id = d.webhook_id and w.revoked_at is null and w.active
        and (($1::text is not null and d.event_id = $1 and d.state in ('delivered', 'dropped', 'waiting'))
          or (d.webhook_id = $2::uuid and d.state = 'dropped'))
    returning 1
  )
  select count(*) as count, pg_notify('${DELIVERIES_CHANNEL}', '') from again`

/** Redelivers an event to each of its webhooks that is still live. Returns the number of webhooks. */
export function redeliverEvent(database: Database, eventId: string): Promise<number> {
  return redeliver(database, eventId, null)
}

/** Redelivers the dropped events of a webhook that are still stored. Returns the number of events. */
export function redeliverDropped(database: Database, webhookId: string): Promise<number> {
  return redeliver(database, null, webhookId)
}

async function redeliver(
  database: Database,
  eventId: string | null,
  webhookId: string | null,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(REDELIVER, [eventId, webhookId])
  return rows[0]?.count ?? 0
}

export type RedeliveryResult =
  | { readonly redelivered: true; readonly eventId: string; readonly attempt: number }
  | {
      readonly redelivered: false
      readonly because: 'no such webhook' | 'revoked' | 'paused' | 'no such delivery' | 'in progress'
    }

// Adds one attempt without retries. A pending retry is sent now, and keeps its remaining attempts.
const REDELIVER_ONCE = `
  with again as (
    update webhook_deliveries set
        state = 'due', due_at = now(), ended_at = null,
        last_attempt = case when state = 'waiting' then last_attempt else attempt + 1 end
      where account_id = $1 and webhook_id = $2 and event_id = $3 and state in ('delivered', 'dropped', 'waiting')
    returning attempt + 1 as attempt
  )
  select attempt, pg_notify('${DELIVERIES_CHANNEL}', '') from again`

/** Redelivers the event of one attempt to its webhook. @param attemptId id of any attempt of the event, as a decimal number */
export function redeliverAttempt(
  database: Database,
  accountId: string,
  webhookId: string,
  attemptId: string,
): Promise<RedeliveryResult> {
  return database.transaction(async (tx): Promise<RedeliveryResult> => {
    const webhooks = await tx.query<{ revoked: boolean; active: boolean }>(
      'select revoked_at is not null as revoked, active from webhooks where account_id = $1 and id = $2 for share',
      [accountId, webhookId],
    )
    const webhook = webhooks.rows[0]
    if (!webhook) return { redelivered: false, because: 'no such webhook' }
    // Checks for the row of the delivery too: the event and the delivery are deleted together.
    const found = await tx.query<{ event_id: string }>(
      `select d.event_id from webhook_attempts t join webhook_deliveries d using (account_id, webhook_id, event_id)
       where t.account_id = $1 and t.webhook_id = $2 and t.id = $3`,
      [accountId, webhookId, attemptId],
    )
    const eventId = found.rows[0]?.event_id
    if (eventId === undefined) return { redelivered: false, because: 'no such delivery' }
    if (webhook.revoked) return { redelivered: false, because: 'revoked' }
    if (!webhook.active) return { redelivered: false, because: 'paused' }
    const { rows } = await tx.query<{ attempt: number }>(REDELIVER_ONCE, [accountId, webhookId, eventId])
    const attempt = rows[0]?.attempt
    return attempt === undefined
      ? { redelivered: false, because: 'in progress' }
      : { redelivered: true, eventId, attempt }
  })
}
