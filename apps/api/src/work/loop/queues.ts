// What waits: jobs, deliveries of webhooks, and watches. The metrics and the console show the same figures. Each statement reads an index
// that holds only what is open, so it costs the same on the first day and after years.

import type { Queryable } from '../../infrastructure/database.ts'

export interface OpenJobs {
  readonly type: string
  readonly status: 'queued' | 'running'
  readonly jobs: number
  /** Age of the oldest one, in seconds. */
  readonly oldest_seconds: number
}

export interface QueueLengths {
  readonly jobs: readonly OpenJobs[]
  /** Deliveries whose time has come, and for how many seconds the first of them has been waiting. */
  readonly outbox: { readonly due: number; readonly lag_seconds: number }
  /** Changes of the data set that watches have not been compared with (100,000 at most are counted), and watches that are due. */
  readonly watches: { readonly changes: number; readonly due: number }
  readonly paused: readonly { readonly reason: string; readonly count: number }[]
}

const OPEN_JOBS = `
  select type, status, count(*)::integer as jobs,
    extract(epoch from now() - min(created_at))::float8 as oldest_seconds
  from jobs where status in ('queued', 'running') group by type, status order by type, status`

// A delivery in `waiting` whose time has come is as due as one in `due`: it moves there with the next claim.
const OUTBOX = `
  select count(*)::integer as due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as lag_seconds
  from (
    select due_at from webhook_deliveries where state = 'due'
    union all select due_at from webhook_deliveries where state = 'waiting' and due_at <= now()
  ) due`

// More changes than this are one count: reading them all would cost more than the figure is worth.
const WATCHES = `
  select (select count(*) from (select from listing_changes where seq > position limit 100000) c)::integer as changes,
    (select count(*) from watches where status <> 'paused' and not is_current and due_at <= now())::integer as due
  from watch_progress`
const PAUSED_WATCHES = `
  select paused_reason as reason, count(*)::integer as count from watches where status = 'paused' group by 1 order by 1`

export async function readQueues(database: Queryable): Promise<QueueLengths> {
  const [jobs, outbox, watches, paused] = await Promise.all([
    database.query<OpenJobs>(OPEN_JOBS),
    database.query<QueueLengths['outbox']>(OUTBOX),
    database.query<QueueLengths['watches']>(WATCHES),
    database.query<QueueLengths['paused'][number]>(PAUSED_WATCHES),
  ])
  return { jobs: jobs.rows, outbox: outbox.rows[0]!, watches: watches.rows[0]!, paused: paused.rows }
}
