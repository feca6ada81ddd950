// Sending again, at the operator's wish: an event that was dropped, or that its receiver has lost.

import type { Database } from '../database/database.ts'
import { MAX_ATTEMPTS } from './deliver-events.ts'
import { DELIVERIES_CHANNEL } from './delivery-queue.ts'

// Attempts are counted on, and there is a whole round of them. What waits for its next attempt is sent now.
const REDELIVER = `
  with again as (
    update webhook_deliveries d set
        state = 'due', due_at = now(), ended_at = null,
        last_attempt = case when d.state = 'waiting' then d.last_attempt else d.attempt + ${MAX_ATTEMPTS} end
      from webhooks w
      where w.account_id = d.account_id and w.id = d.webhook_id and w.revoked_at is null
        and (($1::text is not null and d.event_id = $1 and d.state in ('delivered', 'dropped', 'waiting'))
          or (d.webhook_id = $2::uuid and d.state = 'dropped'))
    returning 1
  )
  select count(*) as count, pg_notify('${DELIVERIES_CHANNEL}', '') from again`

/** Sends an event again to each webhook it was for and that is still live. Returns to how many. */
export function redeliverEvent(database: Database, eventId: string): Promise<number> {
  return redeliver(database, eventId, null)
}

/** Sends again what was dropped for a webhook, as far as it is still kept. Returns how many events. */
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
