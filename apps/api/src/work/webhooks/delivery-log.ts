// Why: decisions/work/delivery-bodies-are-not-stored.md

import type { WebhookDelivery } from '@lotline/contract'
import { EVENT_WITH_HOMES, findWithheld, type HomeEventData, maskEvents } from '../../data/rights.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { bodyOf } from '../events/event.ts'
import { previewOf } from './send-message.ts'

interface AttemptRow extends Omit<WebhookDelivery, 'attempted_at' | 'request_preview' | 'request_bytes'> {
  readonly attempted_at: Date
  readonly happened_at: Date
  /** The first characters of the event's data, at most as many as the preview can have. */
  readonly data_start: string
  readonly data_bytes: number
}

/** Bytes of a request body in the list of deliveries. */
const REQUEST_PREVIEW_BYTES = 4096

// Request bodies are not stored. They are built from the event and the attempt number, the same way as when they were sent. An unfinished
// attempt has no result yet, and the contract has no value for that except this one.
const SELECT = `
  select t.id, t.event_id, case e.subject_type when 'job' then e.subject_id end as job_id,
    json_build_object('type', e.subject_type, 'id', e.subject_id) as subject, e.type as event, t.attempt,
    t.status_code, t.delivered,
    case when t.ended_at is null then 'The receiver has not answered yet.' else t.error end as error,
    t.attempted_at, t.response_preview, e.happened_at, left(e.data, ${REQUEST_PREVIEW_BYTES}) as data_start,
    octet_length(e.data) as data_bytes
  from webhook_attempts t join webhook_events e on e.account_id = t.account_id and e.id = t.event_id`

const ATTEMPTS = `${SELECT}
  where t.account_id = $1 and t.webhook_id = $2 and ($4::bigint is null or t.id < $4)
  order by t.id desc limit $3`

export interface AttemptsPart {
  /** The previous attempt; null: from the latest. */
  readonly before: number | null
  readonly limit: number
}

/** Attempts to deliver to a webhook, latest first. */
export async function listDeliveries(
  database: Queryable,
  accountId: string,
  webhookId: string,
  { before, limit }: AttemptsPart,
): Promise<WebhookDelivery[]> {
  const { rows } = await database.query<AttemptRow>(ATTEMPTS, [accountId, webhookId, limit, before], {
    name: 'list_deliveries',
  })
  return showAttempts(database, accountId, rows)
}

const ATTEMPT = `${SELECT}
  where t.account_id = $1 and t.webhook_id = $2 and t.id = $3`

/** undefined: the webhook has no such attempt. */
export async function findDelivery(
  database: Queryable,
  accountId: string,
  webhookId: string,
  attemptId: string,
): Promise<WebhookDelivery | undefined> {
  const { rows } = await database.query<AttemptRow>(ATTEMPT, [accountId, webhookId, attemptId], {
    name: 'find_delivery',
  })
  return (await showAttempts(database, accountId, rows))[0]
}

async function showAttempts(
  database: Queryable,
  accountId: string,
  rows: readonly AttemptRow[],
): Promise<WebhookDelivery[]> {
  const shown = await withoutWithheldHomes(database, accountId, rows)
  return shown.map(({ attempted_at, happened_at, data_start, data_bytes, ...row }) => ({
    ...row,
    attempted_at: attempted_at.toISOString(),
    ...requestOf(row, happened_at, data_start, data_bytes),
  }))
}

/** The `zpid` field comes first in the text of a watch event's home. */
const ZPID = /"zpid":"(\d+)"/g

const FULL_DATA = 'select id, data from webhook_events where account_id = $1 and id = any($2::text[])'

/**
 * Removes withheld data from the attempts. Withheld homes are read after the attempts, so no home is shown after the commit that withholds
 * it. Only events with a withheld home are read completely.
 */
async function withoutWithheldHomes(
  database: Queryable,
  accountId: string,
  attempts: readonly AttemptRow[],
): Promise<readonly AttemptRow[]> {
  const zpidsOf = ({ data_start }: AttemptRow) => [...data_start.matchAll(ZPID)].map(([, zpid]) => zpid!)
  const withHomes = attempts.filter(({ event }) => event === EVENT_WITH_HOMES)
  const withheld = await findWithheld(database, [...new Set(withHomes.flatMap(zpidsOf))])
  const concerned = withHomes.filter((attempt) => zpidsOf(attempt).some((zpid) => withheld.has(zpid)))
  if (concerned.length === 0) return attempts
  const ids = [...new Set(concerned.map(({ event_id }) => event_id))]
  const { rows } = await database.query<{ id: string; data: string }>(FULL_DATA, [accountId, ids])
  const permitted = new Map<string, string>()
  for (const { id, data } of rows) {
    const shown = await maskEvents(database, JSON.parse(data) as HomeEventData)
    permitted.set(id, shown ? JSON.stringify(shown) : data)
  }
  return attempts.map((attempt) => {
    const data = permitted.get(attempt.event_id)
    if (data === undefined) return attempt
    const data_start = data.slice(0, REQUEST_PREVIEW_BYTES)
    return { ...attempt, data_start, data_bytes: Buffer.byteLength(data) }
  })
}

/** The beginning of an attempt's body as it was sent, and the body's full length. */
function requestOf(
  { event_id: id, event: type, attempt }: Pick<WebhookDelivery, 'event_id' | 'event' | 'attempt'>,
  happenedAt: Date,
  dataStart: string,
  dataBytes: number,
): Pick<WebhookDelivery, 'request_preview' | 'request_bytes'> {
  const body = bodyOf({ id, type, happenedAt, attempt, data: dataStart })
  const request_bytes = body.length - Buffer.byteLength(dataStart) + dataBytes
  // If data was cut, the end of the body is not in the preview.
  return { request_preview: previewOf(body, REQUEST_PREVIEW_BYTES), request_bytes }
}
