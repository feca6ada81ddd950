import type { WebhookDelivery } from '@lotline/contract'
import type { Queryable } from '../database/database.ts'

interface AttemptRow extends Omit<WebhookDelivery, 'attempted_at'> {
  readonly attempted_at: Date
}

/** The `job_id` of an event that is about no job: the contract requires a UUID there. */
const NO_JOB = '00000000-0000-0000-0000-000000000000'

// An attempt under way has no outcome yet, and the contract has no word for that but this one.
const ATTEMPTS = `
  select t.id, t.event_id, case e.subject_type when 'job' then e.subject_id else '${NO_JOB}' end as job_id,
    json_build_object('type', e.subject_type, 'id', e.subject_id) as subject, e.type as event, t.attempt,
    t.status_code, t.delivered,
    case when t.ended_at is null then 'The receiver has not answered yet.' else t.error end as error,
    t.attempted_at, t.response_preview
  from webhook_attempts t join webhook_events e on e.account_id = t.account_id and e.id = t.event_id
  where t.account_id = $1 and t.webhook_id = $2
  order by t.id desc limit $3`

/** The latest attempts to deliver to a webhook, the latest first. */
export async function listDeliveries(
  database: Queryable,
  accountId: string,
  webhookId: string,
  limit: number,
): Promise<WebhookDelivery[]> {
  const { rows } = await database.query<AttemptRow>(ATTEMPTS, [accountId, webhookId, limit], {
    name: 'list_deliveries',
  })
  return rows.map((row) => ({ ...row, attempted_at: row.attempted_at.toISOString() }))
}
