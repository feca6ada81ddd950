// The interface of the jobs module: accept, find, list, read, and abort jobs. Processes with the worker role also run them.

import { formatMessage, type Job } from '@lotline/contract'
import type { Logger } from 'pino'
import type { LookupBudget, RecordCache } from '../../data/record-cache.ts'
import { createSemaphore, type Provider, type SourceDirectory } from '../../data/sources.ts'
import type { ListingSites } from '../../domain/site-urls.ts'
import type { Database } from '../../infrastructure/database.ts'
import { type Observer, SILENT_OBSERVER, startChores } from '../../infrastructure/platform.ts'
import type { Balance } from '../../money/credits.ts'
import { startWorkLoop } from '../loop/work-loop.ts'
import { ENDED_JOBS_CHANNEL, type Ending, JOBS_CHANNEL, type JobId, type JobSpec } from './job.ts'
import { PROVIDER_RETRY, type ProviderRetryOptions } from './run/provider-retry.ts'
import type { JobTools } from './run/run.ts'
import { runJob } from './run/run-job.ts'
import { type Acceptance, type AskingCall, acceptJob, type HoldAsked, type Size } from './store/accept-job.ts'
import { claimJobs, countWaitingAccounts, handBackJob, renewLeases } from './store/claim-jobs.ts'
import {
  countUnpaidLookups,
  findJob,
  isJobOfKey,
  type JobFilter,
  type JobPageRange,
  type ListedJob,
  listJobs,
} from './store/find-jobs.ts'
import { findResult, type JobResult } from './store/job-rows.ts'
import { findColumns, openPage, type PageOrder, type ResultPage } from './store/result-page.ts'
import { settleJob, type WriteJobEvent, writeJobEvent } from './store/settle-job.ts'
import { sweepChore } from './store/sweeper.ts'

export interface Jobs {
  accept(call: AskingCall, order: JobSpec, hold: HoldAsked, size: Size): Promise<Acceptance>
  find(id: JobId): Promise<Job | undefined>
  list(accountId: string, filter: JobFilter, page: JobPageRange): Promise<ListedJob[]>
  /**
   * Aborts a live job for its account and returns its current state, which is not `aborted` if the job had already ended in another way.
   * Its results so far count as failed lookups. undefined: the account has no such job.
   */
  abort(id: JobId): Promise<Job | undefined>
  /** Whether the job belongs to the account and was started with this key. */
  isOfKey(id: JobId, keyId: string): Promise<boolean>
  findResult(id: JobId): Promise<JobResult | undefined>
  openPage(id: JobId, result: JobResult, page: PageOrder): Promise<ResultPage>
  findColumns(id: JobId, result: JobResult): Promise<readonly string[]>
  /** Starts expiring overdue jobs, which every process does. With `work`, this process also runs jobs. */
  start(options: { readonly work: boolean }): RunningJobs
}

export interface RunningJobs {
  /** Stops running jobs at their next checkpoint, so that another process can continue them. */
  stop(): Promise<void>
}

export interface JobParts {
  readonly database: Database
  readonly log: Logger
  readonly provider: Provider
  readonly records: RecordCache
  readonly budget?: LookupBudget
  readonly sites: ListingSites
  readonly sources: SourceDirectory
  readonly timeoutMs: number
  readonly leaseMs: number
  readonly onBalance: (accountId: string, balance: Balance, keyId?: string) => void
  readonly writeEvent?: WriteJobEvent
  readonly observer?: Observer
  readonly providerRetry?: ProviderRetryOptions
  /** Jobs that this process runs at a time. Default: 64. */
  readonly atATime?: number | undefined
}

/**
 * Maximum concurrent jobs of this process. Jobs mostly wait for the provider, whose queries are limited in sources/resilience. This limit
 * only bounds their memory, up to 2 MB each.
 */
const AT_A_TIME = 64
/** Maximum jobs that hold a page of search rows in memory. Pages are the largest objects that jobs handle. */
const PAGES_AT_A_TIME = 8
/** A page whose provider takes longer than this releases its place, so that other jobs' pages are not delayed. */
const PAGE_HELD_MS = 5_000
/** Maximum concurrent jobs of one account, over all processes. */
const PER_ACCOUNT = 4

export function createJobs(parts: JobParts): Jobs {
  const { database, leaseMs, timeoutMs } = parts
  const tools: JobTools = {
    ...parts,
    writeEvent: parts.writeEvent ?? writeJobEvent,
    providerRetry: parts.providerRetry ?? PROVIDER_RETRY,
    pages: createSemaphore({ count: PAGES_AT_A_TIME, heldMs: PAGE_HELD_MS }),
  }
  return {
    accept: (call, order, hold, size) => acceptJob({ ...tools, timeoutMs }, call, order, hold, size),
    find: (id) => findJob(database, id),
    list: (accountId, filter, page) => listJobs(database, accountId, filter, page),
    async abort(id) {
      if (await settleJob(tools, id, ABORTED_BY_ACCOUNT)) {
        await tools.budget?.chargeUnpaid(id.accountId, await countUnpaidLookups(database, id))
      }
      return findJob(database, id)
    },
    isOfKey: (id, keyId) => isJobOfKey(database, id, keyId),
    findResult: (id) => findResult(database, id),
    openPage: (id, result, page) => openPage(database, id, result, page),
    findColumns: (id, result) => findColumns(database, id, result),

    start({ work }) {
      const sweeper = startChores(parts.log, sweepChore(tools, leaseMs))
      const worker = work
        ? startWorker(tools, { leaseMs, timeoutMs, atATime: parts.atATime ?? AT_A_TIME })
        : undefined
      return {
        async stop() {
          await Promise.all([sweeper.stop(), worker?.stop()])
        },
      }
    },
  }
}

function startWorker(
  tools: JobTools,
  {
    leaseMs,
    timeoutMs,
    atATime,
  }: { readonly leaseMs: number; readonly timeoutMs: number; readonly atATime: number },
): RunningJobs {
  const { database, log, observer = SILENT_OBSERVER } = tools
  const loop = startWorkLoop(
    {
      name: 'jobs',
      claim: (room) => claimJobs(database, room, { leaseMs, timeoutMs, perAccount: PER_ACCOUNT }),
      renew: (jobs) => renewLeases(database, jobs, leaseMs),
      run: (job, lease) => observer.runJob(job.type, () => runJob(tools, job, lease)),
      handBack: (job) => handBackJob(database, job),
      fail: (job) => handBackJob(database, job, { crashed: true }),
      turns: {
        ownerOf: ({ accountId }) => accountId,
        countWaiting: (limit) => countWaitingAccounts(database, limit),
      },
    },
    { leaseMs, atATime, log },
  )
  // A lost notification only delays the work, so starting and stopping do not wait for the listener.
  const listening = [database.listen(JOBS_CHANNEL, loop.wake), database.listen(ENDED_JOBS_CHANNEL, loop.lose)]
  for (const one of listening)
    one.catch((error: unknown) => log.debug({ err: error }, 'jobs are found by polling alone'))
  return {
    async stop() {
      for (const one of listening) void one.then((unlisten) => unlisten()).catch(() => {})
      await loop.stop()
    },
  }
}

/** The operator aborts a job. False: there is no such job, or it has ended. */
export async function abortJob(database: Database, jobId: string): Promise<boolean> {
  const { rows } = await database.query<{ account_id: string }>('select account_id from jobs where id = $1', [
    jobId,
  ])
  if (!rows[0]) return false
  const tools = { database, writeEvent: writeJobEvent, onBalance: () => {} }
  return settleJob(tools, { accountId: rows[0].account_id, jobId }, ABORTED)
}

const ABORTED_BY_ACCOUNT: Ending = {
  status: 'aborted',
  error: { code: 'aborted', message: formatMessage('job', 'aborted_by_account', {}) },
}

const ABORTED: Ending = {
  status: 'aborted',
  error: { code: 'aborted', message: formatMessage('job', 'aborted', {}) },
}
