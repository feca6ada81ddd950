// Jobs of an account, as it can read them. An ended job, its rows included, is kept for 30 days.
// Why: decisions/work/first-twenty-failures.md

import type { Job, JobStatus, JobType } from '@lotline/contract'
import type { Queryable } from '../../../infrastructure/database.ts'
import { FAILURE_REASONS } from '../failure-reasons.ts'
import { type JobId, RETENTION_DAYS } from '../job.ts'
import type { FailedEntry } from './checkpoint.ts'

/** Whether the job belongs to the account and was started with this key. */
export async function isJobOfKey(
  database: Queryable,
  { accountId, jobId }: JobId,
  keyId: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'select from holds where account_id = $1 and job_id = $2 and key_id = $3',
    [accountId, jobId, keyId],
  )
  return rowCount > 0
}

interface JobRow
  extends Omit<
    Job,
    | 'created_at'
    | 'started_at'
    | 'completed_at'
    | 'error'
    | 'failures'
    | 'ignored'
    | 'area'
    | 'more_skipped'
    | 'max_credits'
  > {
  readonly more_skipped: NonNullable<Job['more_skipped']> | null
  readonly failures: readonly FailedEntry[]
  readonly ignored: string[] | null
  readonly places: NonNullable<Job['area']> | null
  readonly max_credits: number | null
  readonly error_code: NonNullable<Job['error']>['code'] | null
  readonly error_message: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly completed_at: Date | null
}

export interface JobFilter {
  readonly status?: JobStatus | undefined
  readonly type?: JobType | undefined
  /** Seconds since 1970. Lists only jobs created at this time or later. */
  readonly since?: number | undefined
}

export const READABLE = `(completed_at is null or completed_at > now() - interval '${RETENTION_DAYS} days')`

/** Failures shown for each job in lists and events. With all failures, a page of 500 jobs could have half a gigabyte. */
const FIRST_FAILURES = 20

// Credits are read from the hold, so a job never contradicts the ledger.
const jobWith = (mostFailures: number | 'all') => `
  j.id, j.type, j.status, j.chain_stage,
  json_build_object('done', j.progress_done, 'total', j.progress_total) as progress,
  case when j.status = 'succeeded' then j.row_count end as result_count,
  j.failure_count,
  coalesce((
    select json_agg(json_build_object('position', f.position, 'input', f.input, 'reason', f.reason) order by f.position)
    from (
      select * from job_failures f where f.account_id = j.account_id and f.job_id = j.id
      order by f.position limit ${mostFailures}
    ) f
  ), '[]') as failures,
  j.skipped_count, j.skipped, ${mostFailures === 'all' ? 'j.more_skipped' : 'null::json as more_skipped'},
  j.error_code, j.error_message, j.coverage, j.ignored, j.places,
  case when h.state = 'open' then h.amount else 0 end as credits_held,
  h.charged as credits_charged, j.truncated_by, h.max_amount as max_credits, j.created_at, j.started_at, j.completed_at
  from jobs j join holds h on h.account_id = j.account_id and h.job_id = j.id`

const ONE = `where j.account_id = $1 and j.id = $2 and ${READABLE}`
const FIND_JOB = `select ${jobWith('all')} ${ONE}`
const FIND_LISTED_JOB = `select ${jobWith(FIRST_FAILURES)} ${ONE}`

const LIST_JOBS = `
  select (extract(epoch from j.created_at) * 1000000)::bigint as micros, ${jobWith(FIRST_FAILURES)}
  where j.account_id = $1 and ${READABLE}
    and ($7::float8 is null
      or (j.created_at, j.id) < ('epoch'::timestamptz + $7::float8 * interval '1 microsecond', $8::uuid))
    and ($2::text is null or j.status = $2) and ($3::text is null or j.type = $3)
    and j.created_at >= coalesce(to_timestamp($4::float8), '-infinity')
  order by j.created_at desc, j.id desc
  limit $5 offset $6`

/** Search rows that count as one lookup: about as many as one query to the provider returns. */
const ROWS_PER_LOOKUP = 50
/** An aborted job costs at most this many failed lookups. */
const MAX_UNPAID_LOOKUPS = 500

const UNPAID_LOOKUPS = `
  select least(${MAX_UNPAID_LOOKUPS}, ceil(search_units / ${ROWS_PER_LOOKUP}.0) + case
      when type in ('batch_detail', 'chained_search_detail') then units else ceil(units / ${ROWS_PER_LOOKUP}.0) end)::integer
    as count
  from jobs where account_id = $1 and id = $2`

/** The unpaid lookups of a job: one for each record, and one for every 50 rows of a search. */
export async function countUnpaidLookups(database: Queryable, { accountId, jobId }: JobId): Promise<number> {
  const { rows } = await database.query<{ count: number }>(UNPAID_LOOKUPS, [accountId, jobId])
  return rows[0]?.count ?? 0
}

/** undefined: the account has no such job, or its retention has ended. */
export async function findJob(database: Queryable, { accountId, jobId }: JobId): Promise<Job | undefined> {
  const { rows } = await database.query<JobRow>(FIND_JOB, [accountId, jobId], { name: 'find_job' })
  return rows[0] && jobOf(rows[0])
}

/** The job in the form of `listJobs`. */
export async function findListedJob(
  database: Queryable,
  { accountId, jobId }: JobId,
): Promise<Job | undefined> {
  const { rows } = await database.query<JobRow>(FIND_LISTED_JOB, [accountId, jobId], {
    name: 'find_listed_job',
  })
  return rows[0] && jobOf(rows[0])
}

export interface ListedJob {
  readonly job: Job
  /** Creation time, in microseconds since 1970. */
  readonly createdAtMicros: number
}

export interface JobPageRange {
  readonly limit: number
  readonly offset: number
  /** Lists jobs after the one with this creation time and id; null: from the latest. */
  readonly after: readonly [micros: number, id: string | number] | null
}

/** Lists jobs, latest first, each with its first failures. */
export async function listJobs(
  database: Queryable,
  accountId: string,
  filter: JobFilter,
  { limit, offset, after }: JobPageRange,
): Promise<ListedJob[]> {
  const { rows } = await database.query<JobRow & { readonly micros: number }>(
    LIST_JOBS,
    [
      accountId,
      filter.status ?? null,
      filter.type ?? null,
      filter.since ?? null,
      limit,
      offset,
      after?.[0] ?? null,
      after?.[1] ?? null,
    ],
    { name: 'list_jobs' },
  )
  return rows.map((row) => ({ job: jobOf(row), createdAtMicros: row.micros }))
}

/** In the order of the contract. */
function jobOf(row: JobRow): Job {
  const { coverage } = row
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    chain_stage: row.chain_stage,
    progress: row.progress,
    result_count: row.result_count,
    failure_count: row.failure_count,
    failures: row.failures.map(({ position, input, reason }) => ({
      position,
      input,
      ...FAILURE_REASONS[reason],
    })),
    skipped_count: row.skipped_count,
    skipped: row.skipped,
    ...(row.more_skipped && { more_skipped: row.more_skipped }),
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    coverage: coverage && {
      tiles: coverage.tiles,
      capped_tiles: coverage.capped_tiles,
      total: coverage.total,
      rows: coverage.rows,
    },
    credits_held: row.credits_held,
    credits_charged: row.credits_charged,
    truncated_by: row.truncated_by,
    ...(row.max_credits !== null && { max_credits: row.max_credits }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    ...(row.places && { area: row.places }),
    ...(row.ignored && { ignored: row.ignored }),
  }
}
