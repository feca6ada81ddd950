// The job queue: which jobs run next, and which worker runs them. A claim writes a new token into the job's row, and every later write of
// the worker must name it. The SQL function claim_jobs decides the order of accounts.

import type { JobCoverage, JobType, OperationId, PriceStage } from '@lotline/contract'
import type { DataSource } from '../../../data/sources.ts'
import type { Database } from '../../../infrastructure/database.ts'
import { JOBS_CHANNEL, type JobId, MAX_CRASHES } from '../job.ts'

/** A claimed job: its input and its progress so far. */
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
  /** The provider that the job is bound to; null: the first provider that answers. */
  readonly provider: string | null
  /** The source of the stored rows that do not name their own; null: there are none. */
  readonly source: DataSource | null
  /** Held credits. */
  readonly held: number
  /** The client's credit limit; null: none. */
  readonly maxCredits: number | null
  /** The limit that cut the hold; null: the hold was not cut. */
  readonly shortOf: 'credits' | 'key_limit' | null
  /** The prices of its stages when the job was accepted; null: the prices of the contract. */
  readonly prices: readonly PriceStage[] | null
}

export interface ClaimOptions {
  readonly leaseMs: number
  /** Milliseconds from the start of the work. */
  readonly timeoutMs: number
  /** Maximum concurrent jobs of one account, over all processes. */
  readonly perAccount: number
}

const READ_CLAIMED = `
  select c.account_id as "accountId", c.id as "jobId", c.lease_token as token, c.type, c.operation, c.request,
    c.checkpoint, c.found, c.coverage, c.chain_stage as "chainStage", c.progress_done as done,
    c.progress_total as total, c.row_count as "rowCount", c.units, c.search_units as "searchUnits", c.columns, c.provider,
    c.source,
    h.amount as held, h.max_amount as "maxCredits", h.short_of as "shortOf", h.prices
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as mine (account_id, id, token)
    join jobs c on c.account_id = mine.account_id and c.id = mine.id and c.lease_token = mine.token
    join holds h on h.account_id = c.account_id and h.job_id = c.id`

/** Claims up to `room` jobs without a worker. */
export async function claimJobs(
  database: Database,
  room: number,
  { perAccount, leaseMs, timeoutMs }: ClaimOptions,
): Promise<ClaimedJob[]> {
  // Claims and reads in two statements, so that the lock on claims is released before large inputs are sent. A worker that is paused while
  // it receives its jobs must not block all others.
  const { rows: taken } = await database.query<{ account_id: string; id: string; token: string }>(
    'select account_id, id, token from claim_jobs($1, $2, $3, $4)',
    [room, perAccount, leaseMs, timeoutMs],
    { name: 'claim_jobs' },
  )
  if (taken.length === 0) return []
  const { rows } = await database.query<ClaimedJob>(
    READ_CLAIMED,
    [taken.map(({ account_id }) => account_id), taken.map(({ id }) => id), taken.map(({ token }) => token)],
    { name: 'read_claimed_jobs' },
  )
  return rows
}

// Steps through the accounts with waiting jobs by the index, as claim_jobs does.
const COUNT_WAITING = `
  with recursive waiting (account_id) as (
    (select j.account_id from jobs j
      where j.status in ('queued', 'running') and j.lease_token is null order by j.account_id limit 1)
    union all
    select (
      select j.account_id from jobs j
      where j.status in ('queued', 'running') and j.lease_token is null and j.account_id > w.account_id
      order by j.account_id limit 1)
    from waiting w where w.account_id is not null
  )
  select count(*)::integer as accounts from (
    select from waiting w
    where w.account_id is not null
      and not exists (select from jobs l where l.account_id = w.account_id and l.lease_token is not null)
      and exists (
        select from jobs c
        where c.account_id = w.account_id and c.status in ('queued', 'running') and c.lease_token is null
          and c.crashes < ${MAX_CRASHES} and c.deadline_at > now())
    limit $1) needy`

/** Counts accounts with waiting jobs and no running one, up to `limit`. */
export async function countWaitingAccounts(database: Database, limit: number): Promise<number> {
  const { rows } = await database.query<{ accounts: number }>(COUNT_WAITING, [limit], {
    name: 'count_waiting_accounts',
  })
  return rows[0]!.accounts
}

const RENEW = `
  update jobs j set lease_until = now() + $1::float8 * interval '1 ms'
    from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as mine (account_id, id, token)
    where j.account_id = mine.account_id and j.id = mine.id and j.lease_token = mine.token
  returning j.lease_token as token`

/** Returns the tokens of the leases that are still held. */
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
    -- The account goes to the end of its turn order: among accounts with equally few running jobs, the longest-waiting account is first.
    update jobs set lease_token = null, lease_until = null, crashes = crashes + $4::integer, waiting_since = now()
      where account_id = $1 and id = $2 and lease_token = $3
    returning 1
  )
  select pg_notify('${JOBS_CHANNEL}', '') from freed`

/** Returns a job to the queue. `crashed`: its run failed with an unexpected error. */
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

/** Removes expired leases, whose workers were killed, paused, or disconnected. Returns how many there were. */
export async function reapLeases(database: Database): Promise<number> {
  const { rows } = await database.query<{ lost: number }>(REAP)
  return rows[0]?.lost ?? 0
}
