// Maintains jobs without a worker: it requeues jobs whose lease expired, fails jobs that lost their worker too often, and times out overdue
// jobs. It runs in every process, so that this also happens if no worker runs. Several sweepers can run at the same time.

import { formatMessage } from '@lotline/contract'
import { type Database, DatabaseUnavailable } from '../../../infrastructure/database.ts'
import type { Chore } from '../../../infrastructure/platform.ts'
import { type Ending, failed, type JobId, MAX_CRASHES, RETENTION_DAYS } from '../job.ts'
import { reapLeases } from './claim-jobs.ts'
import { type SettleTools, settleJob } from './settle-job.ts'

const SWEEP_EVERY_MS = 1_000
const JOBS_AT_A_TIME = 100
const ROWS_AT_A_TIME = 20_000

export const TIMED_OUT: Ending = {
  status: 'timed_out',
  error: {
    code: 'timed_out',
    message: formatMessage('job', 'timed_out', {}),
  },
}

const JOB_CRASHED = failed(
  'internal_error',
  formatMessage('internal_error', 'crashed', { times: MAX_CRASHES }),
)

export function sweepChore(tools: SettleTools, leaseMs: number): Chore {
  let reapFrom = 0

  async function sweep(): Promise<boolean> {
    try {
      return await sweepJobs(tools, { reap: performance.now() >= reapFrom })
    } catch (error) {
      // While the database was away, no lease could be renewed. Workers get the length of one lease to reconnect and return their jobs.
      if (error instanceof DatabaseUnavailable) reapFrom = performance.now() + leaseMs
      throw error
    }
  }

  return { name: 'sweep jobs', everyMs: SWEEP_EVERY_MS, run: sweep }
}

const OVERDUE = `
  select account_id as "accountId", id as "jobId" from jobs
  where status in ('queued', 'running') and deadline_at <= now() order by deadline_at limit ${JOBS_AT_A_TIME}`

const CRASHED = `
  select account_id as "accountId", id as "jobId" from jobs
  where status in ('queued', 'running') and lease_token is null and crashes >= ${MAX_CRASHES}
  limit ${JOBS_AT_A_TIME}`

/** Requeues jobs with expired leases if `reap` is set, and ends some of the due jobs. Returns true if there are more. */
export async function sweepJobs(tools: SettleTools, { reap = true } = {}): Promise<boolean> {
  const { database } = tools
  if (reap) await reapLeases(database)
  const overdue = await database.query<JobId>(OVERDUE)
  for (const id of overdue.rows) await settleJob(tools, id, TIMED_OUT, { overdue: true })
  const crashed = await database.query<JobId>(CRASHED)
  for (const id of crashed.rows) await settleJob(tools, id, JOB_CRASHED)
  return [overdue, crashed].some(({ rows }) => rows.length === JOBS_AT_A_TIME)
}

const OLD = `
  select account_id, id from jobs
  where completed_at < now() - interval '${RETENTION_DAYS} days'
  order by completed_at limit 1`

const REMOVE = `
  with removed as (
    delete from jobs where account_id = $1 and id = $2 and completed_at is not null
    returning account_id, row_count, stored_bytes
  )
  update stored_jobs s set jobs = s.jobs - 1, rows = s.rows - removed.row_count, bytes = s.bytes - removed.stored_bytes
    from removed where s.account_id = removed.account_id`

/** Deletes some of the expired rows. True: there are more. */
export async function removeOldJobs(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ account_id: string; id: string }>(OLD)
  const job = rows[0]
  if (!job) return false
  const id = [job.account_id, job.id]
  // The job is deleted last: as long as it exists, its remaining rows can be found.
  for (const table of ['job_rows', 'job_failures']) {
    const removed = await database.query(
      `delete from ${table} where account_id = $1 and job_id = $2 and position < (
         select min(position) + ${ROWS_AT_A_TIME} from ${table} where account_id = $1 and job_id = $2)`,
      id,
    )
    if (removed.rowCount > 0) return true
  }
  await database.query(REMOVE, id)
  return true
}
