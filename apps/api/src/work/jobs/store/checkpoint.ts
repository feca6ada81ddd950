// A worker's checkpoint: new rows, failed entries, and progress, in one statement. So a row is stored if and only if its checkpoint is,
// positions have no gaps, and a worker without its lease writes nothing.

import type { JobCoverage, JobSkipped } from '@lotline/contract'
import type { DataSource } from '../../../data/sources.ts'
import type { Database } from '../../../infrastructure/database.ts'
import { LeaseLost } from '../../loop/lease.ts'
import type { FailureReason } from '../failure-reasons.ts'
import type { JobId } from '../job.ts'
import type { ClaimedJob } from './claim-jobs.ts'

/** A result row. */
export interface NewRow {
  /** JSON. */
  readonly body: string
  /** The row's home, so that rows of a withheld home can be found. undefined: the row has no home. */
  readonly zpid?: string | undefined
  /** Whether the row is charged. */
  readonly charged: boolean
}

export interface FailedEntry {
  /** The entry's position in the job. */
  readonly position: number
  /** The entry's first characters (`cutInput`). */
  readonly input: string
  readonly reason: FailureReason
}

/** Entries skipped because the result was cut, in the form of the contract. */
export interface SkippedEntries {
  /** The first `MAX_SKIPPED` skipped entries. */
  readonly first: readonly JobSkipped[]
  /** The number of further skipped entries. */
  readonly more: readonly JobSkipped[]
  /** The total. */
  readonly count: number
}

/** Absent fields remain unchanged. */
export interface CheckpointWrite {
  readonly rows?: readonly NewRow[]
  /** Skips rows of homes that the job already has: overlapping searches find a home again. */
  readonly distinct?: boolean
  /** The maximum number of new rows to store. Default: no limit. */
  readonly room?: number
  readonly failures?: readonly FailedEntry[]
  readonly skipped?: SkippedEntries | undefined
  /** The progress, in the format of the job's type. */
  readonly checkpoint?: unknown
  readonly found?: unknown
  readonly chainStage?: 'detail'
  readonly searchUnits?: number
  readonly done?: number
  readonly total?: number
  readonly coverage?: Omit<JobCoverage, 'rows'>
  readonly columns?: readonly string[]
  /** The source of rows that do not name their own. */
  readonly source?: DataSource | undefined
}

export interface StoredCounts {
  /** All rows of the job. */
  readonly rowCount: number
  /** Charged rows of the job. */
  readonly units: number
}

// Looks up known homes one by one (`lateral … limit 1`). The planner turns `not exists` into a join that reads all rows of the job for each
// page, because the statistics do not include a new job. A search of 87,000 rows took twice as long that way.
const WRITE = `
  with given as (
    select * from rows from (
      string_to_table($4::text, E'\\n'), unnest($5::text[]), unnest($6::boolean[])
    ) with ordinality as g (body, zpid, charged, ord)
  ), fresh as (
    select g.ord, g.charged, row_number() over (order by g.ord) as n
    from given g left join lateral (
        select true as there from job_rows r
        where $23::boolean and r.account_id = $1 and r.job_id = $2 and r.zpid = g.zpid limit 1
      ) known on true
    where known.there is null
  ), taken as (
    select * from fresh where n <= coalesce($7::integer, n)
  ), moved as (
    update jobs set
        row_count = row_count + (select count(*) from taken),
        units = units + (select count(*) from taken where charged),
        stored_bytes = stored_bytes
          + (select coalesce(sum(octet_length(given.body)), 0) from taken join given using (ord))
          -- A failed entry is a row with its own key: 100 bytes beside its text.
          + (select coalesce(sum(octet_length(f.input) + 100), 0) from unnest($17::text[]) as f (input))
          + coalesce(octet_length($21::text), 0),
        failure_count = failure_count + cardinality($16::integer[]),
        skipped = coalesce($19::json, skipped),
        skipped_count = coalesce($20::integer, skipped_count),
        more_skipped = coalesce($21::text::json, more_skipped),
        checkpoint = coalesce($8::json, checkpoint),
        found = coalesce($9::json, found),
        chain_stage = coalesce($10::text, chain_stage),
        search_units = coalesce($11::integer, search_units),
        -- The number of new rows is known only here.
        progress_done = coalesce($12::integer, row_count + (select count(*) from taken)),
        progress_total = coalesce($13::integer, progress_total),
        coverage = case when $14::jsonb is null then coverage
          else $14::jsonb || jsonb_build_object(
            'rows', coalesce($11::integer, row_count + (select count(*) from taken))) end,
        columns = coalesce($15::text[], columns),
        source = coalesce($22::json, source)
      where account_id = $1 and id = $2 and lease_token = $3
    returning row_count, units, row_count - (select count(*) from taken) as first
  ), rows as (
    insert into job_rows (account_id, job_id, position, zpid, body)
    select $1, $2, moved.first + taken.n - 1, given.zpid, given.body
    from taken join given using (ord), moved
  ), failures as (
    insert into job_failures (account_id, job_id, position, input, reason)
    select $1, $2, f.* from unnest($16::integer[], $17::text[], $18::text[]) as f, moved
  )
  select moved.row_count as "rowCount", moved.units from moved`

/** @throws {LeaseLost} if another worker has the job, or the job has ended; nothing is written then */
export async function writeStep(
  database: Database,
  job: ClaimedJob,
  step: CheckpointWrite,
): Promise<StoredCounts> {
  const { rows = [], failures = [] } = step
  const written = await database.query<StoredCounts>(
    WRITE,
    [
      job.accountId,
      job.jobId,
      job.token,
      // JSON contains no raw line feeds, so one text joined by them needs none of the quoting of a text array.
      rows.length === 0 ? null : rows.map(({ body }) => body).join('\n'),
      rows.map(({ zpid }) => zpid ?? null),
      rows.map(({ charged }) => charged),
      step.room ?? null,
      asJson(step.checkpoint),
      asJson(step.found),
      step.chainStage ?? null,
      step.searchUnits ?? null,
      step.done ?? null,
      step.total ?? null,
      asJson(step.coverage),
      step.columns ?? null,
      failures.map(({ position }) => position),
      failures.map(({ input }) => input),
      failures.map(({ reason }) => reason),
      asJson(step.skipped?.first),
      step.skipped?.count ?? null,
      step.skipped && step.skipped.more.length > 0 ? asJson(step.skipped.more) : null,
      asJson(step.source),
      step.distinct ?? false,
    ],
    { name: 'write_job_step' },
  )
  const stored = written.rows[0]
  if (!stored) throw new LeaseLost()
  return stored
}

const COUNT_NEW = `
  select count(*) as fresh from unnest($3::text[]) as g (zpid) left join lateral (
      select true as there from job_rows r
      where r.account_id = $1 and r.job_id = $2 and r.zpid = g.zpid limit 1
    ) known on true
  where known.there is null`

/** Counts the homes that the job has no row of. */
export async function countNew(
  database: Database,
  { accountId, jobId }: JobId,
  zpids: readonly string[],
): Promise<number> {
  const { rows } = await database.query<{ fresh: number }>(COUNT_NEW, [accountId, jobId, zpids], {
    name: 'count_new_job_rows',
  })
  return rows[0]!.fresh
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
