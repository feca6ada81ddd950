// Jobs of all accounts for the operator, without their input and results.

import type { JobStatus, JobType } from '@lotline/contract'
import type { Queryable } from '../../../infrastructure/database.ts'

export interface JobInfo {
  readonly job_id: string
  readonly account_id: string
  readonly type: JobType
  readonly status: JobStatus
  readonly chain_stage: 'search' | 'detail' | null
  readonly progress_done: number
  /** null: unknown. */
  readonly progress_total: number | null
  /** Stored rows. */
  readonly row_count: number
  readonly credits_held: number
  readonly credits_charged: number
  /** How often the job has lost its worker. */
  readonly crashes: number
  readonly error_code: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly completed_at: Date | null
}

export interface AllJobsFilter {
  readonly id?: string
  readonly account?: string
  /** `live`: queued or running. */
  readonly status?: JobStatus | 'live'
  readonly type?: JobType
  readonly limit: number
}

const JOBS = `
  select j.id as job_id, j.account_id, j.type, j.status, j.chain_stage, j.progress_done, j.progress_total, j.row_count,
    case when h.state = 'open' then h.amount else 0 end as credits_held, h.charged as credits_charged,
    j.crashes, j.error_code, j.created_at, j.started_at, j.completed_at
  from jobs j join holds h on h.account_id = j.account_id and h.job_id = j.id`

const ALL_JOBS = `${JOBS}
  where ($1::uuid is null or j.account_id = $1) and ($3::text is null or j.type = $3)
    and ($2::text is null or j.status = $2 or ($2 = 'live' and j.status in ('queued', 'running')))
    and ($5::uuid is null or j.id = $5)
  order by j.created_at desc, j.id desc limit $4`

/** Lists jobs, latest first. */
export async function listAllJobs(database: Queryable, filter: AllJobsFilter): Promise<JobInfo[]> {
  const { id, account, status, type, limit } = filter
  const { rows } = await database.query<JobInfo>(ALL_JOBS, [
    account ?? null,
    status ?? null,
    type ?? null,
    limit,
    id ?? null,
  ])
  return rows
}

// Uses the condition of the index `jobs_by_deadline`, which contains only open jobs. The cost does not grow with ended jobs.
const LIVE_JOBS = `${JOBS}
  where j.status in ('queued', 'running') order by j.created_at desc, j.id desc limit $1`

/** Queued and running jobs, latest first. */
export async function listLiveJobs(database: Queryable, limit: number): Promise<JobInfo[]> {
  return (await database.query<JobInfo>(LIVE_JOBS, [limit])).rows
}
