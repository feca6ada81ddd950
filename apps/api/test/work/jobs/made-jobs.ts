// Jobs made and claimed directly, without a server: for what races, leases and clocks do to them.

import { randomUUID } from 'node:crypto'
import { ADVISORY_LOCKS } from '../../../src/infrastructure/database/advisory-locks.ts'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import type { JobId, JobSpec } from '../../../src/work/jobs/job.ts'
import { acceptJob } from '../../../src/work/jobs/store/accept-job.ts'
import { type ClaimedJob, claimJobs, handBackJob } from '../../../src/work/jobs/store/claim-jobs.ts'
import type { SettleTools } from '../../../src/work/jobs/store/settle-job.ts'

export interface MadeAccount {
  readonly accountId: string
  readonly keyId: string
  readonly key: string
}

export function makeAccount(database: Database, credits = 10_000): Promise<MadeAccount> {
  return openAccount(database, { plan: 'custom', credits, ratePerMinute: 100_000 })
}

const BATCH: JobSpec = {
  type: 'batch_detail',
  operation: 'createPropertyBatch',
  request: { urls: [], addresses: ['1 Main St'], prefer: 'FOR_SALE', units: 'disabled' },
}

export interface MakeOptions {
  /** Default: a batch of one entry. */
  readonly order?: JobSpec
  readonly wanted?: number
  readonly timeoutMs?: number
}

/** A job, accepted. */
export async function makeJob(
  database: Database,
  { accountId, keyId }: Omit<MadeAccount, 'key'>,
  { order = BATCH, wanted = 10, timeoutMs = 3_600_000 }: MakeOptions = {},
): Promise<JobId & { readonly requestId: string }> {
  const requestId = `req_${randomUUID()}`
  const acceptance = await acceptJob(
    { database, timeoutMs, onBalance: () => {} },
    { accountId, keyId, requestId, endpoint: '/v1/properties/batch', admittedAt: new Date() },
    order,
    { wanted, least: 1 },
    1,
  )
  if (acceptance.accepted !== 'now') throw new Error(JSON.stringify(acceptance))
  return { accountId, jobId: acceptance.job.job_id, requestId }
}

export const CLAIM = { leaseMs: 60_000, timeoutMs: 3_600_000, perAccount: 1_000 }

/** Claims this very job. */
export async function claimJob(
  database: Database,
  { jobId }: JobId,
  options: Partial<typeof CLAIM> = {},
): Promise<ClaimedJob> {
  const claimed = await claimJobs(database, 1_000, { ...CLAIM, ...options })
  const job = claimed.find((one) => one.jobId === jobId)
  for (const other of claimed) if (other !== job) await handBackJob(database, other)
  if (!job) throw new Error('The job could not be claimed.')
  return job
}

export function settleTools(database: Database): SettleTools {
  return { database, writeEvent: async () => {}, onBalance: () => {} }
}

export function rowsOf(count: number, from = 0) {
  return Array.from({ length: count }, (_, at) => ({
    body: JSON.stringify({ zpid: String(from + at) }),
    charged: true,
  }))
}

/** The job's row. */
export async function jobRow(database: Database, { jobId }: JobId): Promise<Record<string, unknown>> {
  const { rows } = await database.query<Record<string, unknown>>('select * from jobs where id = $1', [jobId])
  return rows[0]!
}

/** While `work` goes on, no worker claims a job: the test has the lock that claims are made under. */
export function withoutClaims<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.jobClaims])
    return work()
  })
}
