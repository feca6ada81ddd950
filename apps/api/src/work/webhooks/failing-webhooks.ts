// Lists webhooks with failed deliveries in the last 24 hours, for the operator.

import type { Queryable } from '../../infrastructure/database.ts'

export interface FailingWebhook {
  readonly id: string
  readonly account_id: string
  readonly email: string | null
  readonly url: string
  /** False: its account has paused it. */
  readonly active: boolean
  /** All attempts and failed attempts of the last 24 hours. */
  readonly attempts: number
  readonly failed: number
  /** The last failed attempt. */
  readonly failed_at: Date
  readonly status_code: number | null
  readonly error: string | null
  /** The last accepted attempt in the 24 hours. */
  readonly delivered_at: Date | null
  /** Unfinished deliveries. */
  readonly open: number
}

// An index of times finds the attempts of a day, and one index for each state finds open deliveries. A condition with several states would
// not use them.
const FAILING = `
  with recent as (
    select account_id, webhook_id, count(*)::integer as attempts,
      (count(*) filter (where not delivered and ended_at is not null))::integer as failed,
      max(attempted_at) filter (where delivered) as delivered_at
    from webhook_attempts where attempted_at > now() - interval '24 hours' group by 1, 2
  ), open as (
    select account_id, webhook_id, count(*)::integer as deliveries from (
      select account_id, webhook_id from webhook_deliveries where state = 'due'
      union all select account_id, webhook_id from webhook_deliveries where state = 'waiting'
      union all select account_id, webhook_id from webhook_deliveries where state = 'sending'
    ) o group by 1, 2
  )
  select w.id, w.account_id, a.email, w.url, w.active, r.attempts, r.failed, r.delivered_at,
    last.attempted_at as failed_at, last.status_code, last.error, coalesce(o.deliveries, 0) as open
  from recent r
    join webhooks w on w.account_id = r.account_id and w.id = r.webhook_id and w.revoked_at is null
    join accounts a on a.id = w.account_id
    left join open o on o.account_id = r.account_id and o.webhook_id = r.webhook_id
    cross join lateral (
      select attempted_at, status_code, error from webhook_attempts t
      where t.account_id = r.account_id and t.webhook_id = r.webhook_id and not t.delivered and t.ended_at is not null
      order by t.id desc limit 1
    ) last
  where r.failed > 0
  order by r.failed desc, last.attempted_at desc limit $1`

/** Most failures first. */
export async function listFailingWebhooks(database: Queryable, limit: number): Promise<FailingWebhook[]> {
  return (await database.query<FailingWebhook>(FAILING, [limit])).rows
}
