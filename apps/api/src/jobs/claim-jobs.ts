// The queue: which jobs are worked on next, and by whom. A job is claimed by writing a new token into its row, which
// everything its worker writes from then on must name.

import type { JobCoverage, JobType, OperationId } from '@lotline/contract'
import type { Database } from '../database/database.ts'
import { JOBS_CHANNEL, type JobId, MOST_CRASHES } from './job.ts'

/** A job as its worker takes it up: what to do, and how far others have come with it. */
export interface ClaimedJob extends JobId {
  readonly token: string
  readonly type: JobType
  readonly operation: OperationId
  readonly request: unknown
  readonly checkpoint: unknown
  readonly found: unknown
  readonly coverage: JobCoverage | null
  readonly chainStage: 'search' | 'detail' | null
  readonly done: number
  readonly total: number | null
  readonly rowCount: number
  readonly units: number
  readonly searchUnits: number
  readonly columns: readonly string[] | null
  /** Credits. */
  readonly held: number
}

export interface ClaimOptions {
  readonly leaseMs: number
  /** From the moment work begins. */
  readonly timeoutMs: number
  /** Jobs of one account at a time, over all processes. */
  readonly perAccount: number
}

// Any number will do that no other program in the same database uses for its advisory locks.
export const CLAIM_LOCK = 7_240_316_520

// Accounts are stepped through by the index, one probe each, so a long queue of one account costs the others nothing.
// Those with the fewest jobs at work come first, then the oldest job: nobody's thousand jobs delay anybody's one.
// A job that a lost worker has left stands in the queue like one that was never begun, at its old place.
const CLAIM = `
  with recursive waiting (account_id) as (
    (select account_id from jobs
      where status in ('queued', 'running') and lease_token is null order by account_id limit 1)
    union all
    select (
      select j.account_id from jobs j
      where j.status in ('queued', 'running') and j.lease_token is null and j.account_id > w.account_id
      order by j.account_id limit 1)
    from waiting w where w.account_id is not null
  ), next as (
    select j.account_id, j.id, j.created_at, b.running + row_number() over (
        partition by j.account_id order by j.created_at, j.id) as turn
    from waiting w
      cross join lateral (
        select count(*) as running from jobs l where l.account_id = w.account_id and l.lease_token is not null) b
      cross join lateral (
        select c.account_id, c.id, c.created_at from jobs c
        where c.account_id = w.account_id and c.status in ('queued', 'running') and c.lease_token is null
          and c.crashes < ${MOST_CRASHES} and c.deadline_at > now()
        order by c.created_at, c.id limit $2) j
    where w.account_id is not null
  ), free as (
    select j.account_id, j.id from jobs j join (
        select account_id, id from next where turn <= $2 order by turn, created_at, id limit $1
      ) chosen using (account_id, id)
    where j.lease_token is null and j.status in ('queued', 'running')
    for update of j skip locked
  ), claimed as (
    update jobs j set
        status = 'running', lease_token = gen_random_uuid(), lease_until = now() + $3::float8 * interval '1 ms',
        started_at = coalesce(j.started_at, now()),
        deadline_at = case when j.started_at is null then now() + $4::float8 * interval '1 ms' else j.deadline_at end
      from free where j.account_id = free.account_id and j.id = free.id
    returning j.*
  )
  select c.account_id as "accountId", c.id as "jobId", c.lease_token as token, c.type, c.operation, c.request,
    c.checkpoint, c.found, c.coverage, c.chain_stage as "chainStage", c.progress_done as done,
    c.progress_total as total, c.row_count as "rowCount", c.units, c.search_units as "searchUnits", c.columns,
    h.amount as held
  from claimed c join holds h on h.account_id = c.account_id and h.job_id = c.id`

/** Takes up to `room` jobs that nobody works on. */
export function claimJobs(database: Database, room: number, options: ClaimOptions): Promise<ClaimedJob[]> {
  return database.transaction(async (tx) => {
    // One claim at a time: two at the same moment would each count the other's jobs as not begun.
    await tx.query('select pg_advisory_xact_lock($1)', [CLAIM_LOCK], { name: 'lock_claims' })
    const { rows } = await tx.query<ClaimedJob>(
      CLAIM,
      [room, options.perAccount, options.leaseMs, options.timeoutMs],
      { name: 'claim_jobs' },
    )
    return rows
  })
}

const RENEW = `
  update jobs j set lease_until = now() + $1::float8 * interval '1 ms'
    from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as mine (account_id, id, token)
    where j.account_id = mine.account_id and j.id = mine.id and j.lease_token = mine.token
  returning j.lease_token as token`

/** Answers with the tokens of the leases that are still held. */
export async function renewLeases(
  database: Database,
  jobs: readonly ClaimedJob[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ token: string }>(RENEW, [
    leaseMs,
    jobs.map(({ accountId }) => accountId),
    jobs.map(({ jobId }) => jobId),
    jobs.map(({ token }) => token),
  ])
  return new Set(rows.map(({ token }) => token))
}

const HAND_BACK = `
  with freed as (
    update jobs set lease_token = null, lease_until = null, crashes = crashes + $4::integer
      where account_id = $1 and id = $2 and lease_token = $3
    returning 1
  )
  select pg_notify('${JOBS_CHANNEL}', '') from freed`

/** Leaves a job to whoever claims it next. `crashed`: its work has broken down. */
export async function handBackJob(
  database: Database,
  { accountId, jobId, token }: ClaimedJob,
  { crashed = false } = {},
): Promise<void> {
  await database.query(HAND_BACK, [accountId, jobId, token, crashed ? 1 : 0])
}

const REAP = `
  with lost as (
    update jobs set lease_token = null, lease_until = null, crashes = crashes + 1
      where (account_id, id) in (
        select account_id, id from jobs where lease_token is not null and lease_until < now()
        for update skip locked
      ) and lease_until < now()
    returning 1
  )
  select count(*) as lost, pg_notify('${JOBS_CHANNEL}', '') from lost having count(*) > 0`

/** Takes away the leases that ran out: their workers were killed, paused or cut off. Answers how many there were. */
export async function reapLeases(database: Database): Promise<number> {
  const { rows } = await database.query<{ lost: number }>(REAP)
  return rows[0]?.lost ?? 0
}
