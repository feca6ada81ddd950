// Settles a job: final status, charge, usage rows, and events, in one transaction. If a worker, the sweeper, and the operator end a job at
// the same time, one of them succeeds and the others find it ended.
// Why: decisions/work/aborted-jobs-count-lookups.md

import {
  type Job,
  type JobError,
  type OperationId,
  operations,
  type PriceStage,
  priceOfStage,
  type Stage,
} from '@lotline/contract'
import type { Database, Queryable } from '../../../infrastructure/database.ts'
import { type Observer, SILENT_OBSERVER } from '../../../infrastructure/platform.ts'
import { type Balance, releaseHold, type StageCost, settleHold } from '../../../money/credits.ts'
import { writeEvents } from '../../events/write-events.ts'
import { ENDED_JOBS_CHANNEL, type Ending, type JobId, MAX_PAUSE_MS } from '../job.ts'
import { findListedJob } from './find-jobs.ts'

/**
 * Writes the event of a job in the transaction that ends it, so the event exists exactly when the job has ended. `job` has the form of GET
 * /v1/jobs.
 */
export type WriteJobEvent = (tx: Queryable, accountId: string, job: Job) => Promise<void>

export const writeJobEvent: WriteJobEvent = (tx, accountId, job) =>
  writeEvents(tx, {
    accountId,
    subject: { type: 'job', id: job.id },
    type: `job.${job.status}`,
    happenedAt: job.completed_at!,
    data: { job },
  })

export interface SettleTools {
  readonly database: Database
  readonly writeEvent: WriteJobEvent
  /** Called after the commit with the account's remaining credits. */
  readonly onBalance: (accountId: string, balance: Balance) => void
  readonly observer?: Observer
}

export interface SettleConditions {
  /** Settles only if this lease is still held. */
  readonly token?: string
  /** Settles only if the job is overdue. */
  readonly overdue?: boolean
}

interface UnsettledJob {
  readonly operation: OperationId
  readonly request_id: string
  readonly units: number
  readonly search_units: number
  /** The lease token of the job's worker. */
  readonly lease_token: string | null
  /** The prices when the job was accepted; null: the prices of the contract. */
  readonly prices: readonly PriceStage[] | null
}

// A process that is paused in this transaction keeps the job and its account locked. This limit equals the time that a job may stay without
// a worker.
const LOCK_LIVE = `
  select operation, request_id, units, search_units, lease_token,
    (select prices from holds h where h.account_id = jobs.account_id and h.job_id = jobs.id) as prices,
    set_config('idle_in_transaction_session_timeout', '${MAX_PAUSE_MS}', true)
  from jobs
  where account_id = $1 and id = $2 and status in ('queued', 'running')
    and ($3::uuid is null or lease_token = $3) and (not $4::boolean or deadline_at <= now())
  for update`

// The same statement counts the bytes that the ended job keeps (stored_jobs).
const END = `
  with ended as (
    update jobs set
      status = $3, truncated_by = $4, error_code = $5, error_message = $6, completed_at = now(),
      lease_token = null, lease_until = null, request = null, checkpoint = null, found = null,
      stored_bytes = stored_bytes - octet_length(request::text),
      -- The job is complete: it has all rows that exist, or all rows that could be paid for.
      progress_total = case when $3 = 'succeeded' and $4::text is null then coalesce(progress_total, progress_done)
        else progress_total end
    where account_id = $1 and id = $2 and status in ('queued', 'running')
    returning account_id, row_count, stored_bytes
  )
  insert into stored_jobs as s (account_id, jobs, rows, bytes)
    select account_id, 1, row_count, stored_bytes from ended
    on conflict (account_id) do update
      set jobs = s.jobs + 1, rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes`

/** Whether this call ended the job. False if the job had already ended, or a condition is not met. */
export async function settleJob(
  { database, writeEvent, onBalance, observer = SILENT_OBSERVER }: SettleTools,
  id: JobId,
  ending: Ending,
  conditions: SettleConditions = {},
): Promise<boolean> {
  const ended = await database.transaction(async (tx) => {
    const { rows } = await tx.query<UnsettledJob>(
      LOCK_LIVE,
      [id.accountId, id.jobId, conditions.token ?? null, conditions.overdue ?? false],
      { name: 'lock_live_job' },
    )
    if (!rows[0]) return undefined
    // The job's row is locked before the account's row, as in every transaction.
    const left = await closeHold(tx, id, ending, rows[0])
    const error: JobError | undefined = ending.status === 'succeeded' ? undefined : ending.error
    await tx.query(
      END,
      [
        id.accountId,
        id.jobId,
        ending.status,
        ending.status === 'succeeded' ? ending.truncatedBy : null,
        error?.code ?? null,
        error?.message ?? null,
      ],
      { name: 'end_job' },
    )
    await writeEvent(tx, id.accountId, (await findListedJob(tx, id))!)
    // Without this notification, the worker would notice the end with the next renewal of its lease, seconds later, and would keep querying
    // until then.
    if (rows[0].lease_token !== null && conditions.token === undefined) {
      await tx.query('select pg_notify($1, $2)', [ENDED_JOBS_CHANNEL, rows[0].lease_token], {
        name: 'notify',
      })
    }
    return { left, operation: rows[0].operation, costs: costsOf(rows[0]) }
  })
  if (!ended) return false
  onBalance(id.accountId, ended.left)
  observer.jobEnded(ended.operation, ending.status)
  const credits = ended.costs.reduce((sum, cost) => sum + cost.credits, 0)
  if (ending.status === 'succeeded' && credits > 0) observer.charged(ended.operation, credits)
  return true
}

/** Charges successful rows; everything else is free. */
function closeHold(tx: Queryable, id: JobId, ending: Ending, job: UnsettledJob): Promise<Balance> {
  return ending.status === 'succeeded' ? settleHold(tx, { ...id, stages: costsOf(job) }) : releaseHold(tx, id)
}

function costsOf(job: UnsettledJob): StageCost[] {
  const unitsOf = (stage: Stage) => (stage === 'search' ? job.search_units : job.units)
  return (job.prices ?? operations[job.operation].price.stages).map((priced) => {
    const units = unitsOf(priced.stage)
    return { requestId: job.request_id, stage: priced.stage, units, credits: priceOfStage(priced, units) }
  })
}
