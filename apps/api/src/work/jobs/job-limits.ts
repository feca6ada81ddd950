// Limits on an account's open jobs and stored results. They depend on its plan (accounts/plans.ts) and are checked when a job is accepted.
// A running job is never cut short by them, because its rows are paid for.
// Why: decisions/work/job-limits-at-acceptance.md

import type { Queryable } from '../../infrastructure/database.ts'
import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { PLANS, type PlanId, plans } from '../../money/accounts.ts'

/** An account's current use, under the names that the contract gives it. */
export interface JobStorage {
  readonly open_jobs: number
  readonly stored_rows: number
  readonly stored_bytes: number
}

export type JobBound = keyof JobStorage

const USED = `
  select plan, open_jobs::float8, stored_rows::float8, stored_bytes::float8 from job_storage where account_id = $1`

export async function findJobStorage(
  database: Queryable,
  accountId: string,
): Promise<JobStorage & { readonly plan: PlanId }> {
  const { rows } = await database.query<JobStorage & { plan: PlanId }>(USED, [accountId], {
    name: 'job_storage',
  })
  return rows[0]!
}

export function jobLimitsOf(plan: PlanId): JobStorage {
  const { maxOpenJobs, maxStoredRows, maxStoredBytes } = plans[plan]
  return { open_jobs: maxOpenJobs, stored_rows: maxStoredRows, stored_bytes: maxStoredBytes }
}

/**
 * Refuses a job that exceeds a limit of its account. Call it in the transaction that accepts the job, after its row is written and the
 * account is locked: of two concurrent jobs, the check of the second counts the first. @param ownBytes bytes that the new job already
 * stores
 */
export async function refuseJobLimit(
  tx: Queryable,
  accountId: string,
  ownBytes: number,
): Promise<Refusal | undefined> {
  const { plan, ...used } = await findJobStorage(tx, accountId)
  return judge(plan, withJobs(used, -1, ownBytes), used)
}

/** Checks the limits for an estimate, without writing a job. */
export async function judgeJobLimit(
  database: Queryable,
  accountId: string,
  ownBytes: number,
): Promise<Refusal | undefined> {
  const { plan, ...used } = await findJobStorage(database, accountId)
  return judge(plan, used, withJobs(used, 1, ownBytes))
}

function withJobs(used: JobStorage, jobs: 1 | -1, ownBytes: number): JobStorage {
  return {
    open_jobs: used.open_jobs + jobs,
    stored_rows: used.stored_rows,
    stored_bytes: used.stored_bytes + jobs * (ownBytes + JOB_BYTES),
  }
}

/** @param used includes the new job */
function judge(plan: PlanId, before: JobStorage, used: JobStorage): Refusal | undefined {
  const limits = jobLimitsOf(plan)
  const isFull: Readonly<Record<JobBound, boolean>> = {
    open_jobs: used.open_jobs > limits.open_jobs,
    stored_rows: before.stored_rows >= limits.stored_rows,
    stored_bytes: used.stored_bytes > limits.stored_bytes,
  }
  const bound = BOUNDS.find((one) => isFull[one])
  if (!bound) return undefined
  const [value, limit] = [before[bound], limits[bound]]
  return refuseFor(
    'job_limit',
    bound,
    { plan: plans[plan].title, limit, value },
    { plan, bound, value, limit },
  )
}

export const BOUNDS: readonly JobBound[] = ['open_jobs', 'stored_rows', 'stored_bytes']

/** The overhead of each job, in addition to its rows, failed entries, and request (the view job_storage). */
const JOB_BYTES = 1024

export interface PlanStorage {
  readonly plan: PlanId
  readonly used: JobStorage
  /** For each limit, the account with the highest use. */
  readonly largest: JobStorage
}

const BY_PLAN = `
  select plan,
    sum(open_jobs)::float8 as open_jobs, sum(stored_rows)::float8 as stored_rows, sum(stored_bytes)::float8 as stored_bytes,
    max(open_jobs)::float8 as most_jobs, max(stored_rows)::float8 as most_rows, max(stored_bytes)::float8 as most_bytes
  from job_storage
  where account_id in (
    select account_id from stored_jobs union select account_id from jobs where completed_at is null)
  group by plan`

/** Metrics: the totals of each plan and its largest account. The account is not identified. */
export async function findStorageByPlan(database: Queryable): Promise<PlanStorage[]> {
  const { rows } = await database.query<
    JobStorage & { plan: PlanId; most_jobs: number; most_rows: number; most_bytes: number }
  >(BY_PLAN)
  const found = new Map(rows.map((row) => [row.plan, row]))
  return PLANS.map((plan) => {
    const row = found.get(plan)
    return {
      plan,
      used: {
        open_jobs: row?.open_jobs ?? 0,
        stored_rows: row?.stored_rows ?? 0,
        stored_bytes: row?.stored_bytes ?? 0,
      },
      largest: {
        open_jobs: row?.most_jobs ?? 0,
        stored_rows: row?.most_rows ?? 0,
        stored_bytes: row?.most_bytes ?? 0,
      },
    }
  })
}
