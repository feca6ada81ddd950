// Lengths of the queues: jobs, webhook deliveries, and watches. The metrics and the console show the same figures. Each statement reads an
// index that contains only open rows, so its cost does not grow over the years.

import type { Queryable } from '../../infrastructure/database.ts'

export interface OpenJobs {
  readonly type: string
  readonly status: 'queued' | 'running'
  readonly jobs: number
  /** The age of the oldest one, in seconds. */
  readonly oldest_seconds: number
}

export interface QueueLengths {
  readonly jobs: readonly OpenJobs[]
  /** Due deliveries, and how many seconds the first of them has been waiting. */
  readonly outbox: { readonly due: number; readonly lag_seconds: number }
  /** Changes of the data set that watches have not been evaluated for (counted up to 100,000), and due watches. */
  readonly watches: { readonly changes: number; readonly due: number }
  readonly paused: readonly { readonly reason: string; readonly count: number }[]
}

const OPEN_JOBS = `
  select type, status, count(*)::integer as jobs,
    extract(epoch from now() - min(created_at))::float8 as oldest_seconds
  from jobs where status in ('queued', 'running') group by type, status order by type, status`

// A delivery in `waiting` whose time has come counts as due: the next claim moves it to `due`.
const OUTBOX = `
  select count(*)::integer as due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as lag_seconds
  from (
    select due_at from webhook_deliveries where state = 'due'
    union all select due_at from webhook_deliveries where state = 'waiting' and due_at <= now()
  ) due`

// Counting stops at this many changes: counting all would cost more than the figure is worth.
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
