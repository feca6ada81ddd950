// Runs one claimed job: the code of its type does the work, and this file records how it ended.

import { formatMessage } from '@lotline/contract'
import { LookupBudgetExceeded } from '../../../data/record-cache.ts'
import { ProviderFailure, ProviderTimeout } from '../../../data/sources.ts'
import type { Lease } from '../../loop/lease.ts'
import { type Ending, failed } from '../job.ts'
import { runBatch } from '../kinds/batch-detail.ts'
import { runBuilding } from '../kinds/building-units.ts'
import { runChained } from '../kinds/chained-search-detail.ts'
import { runSearch } from '../kinds/search.ts'
import type { ClaimedJob } from '../store/claim-jobs.ts'
import { settleJob } from '../store/settle-job.ts'
import { JobRun, type JobTools } from './run.ts'

const RUN = {
  batch_detail: runBatch,
  search: runSearch,
  chained_search_detail: runChained,
  building_units: runBuilding,
} as const

export async function runJob(tools: JobTools, job: ClaimedJob, lease: Lease): Promise<'done' | 'unfinished'> {
  const ending = await findEnding(new JobRun(tools, job, lease))
  if (ending === 'unfinished') return 'unfinished'
  await settleJob(tools, job, ending, { token: job.token })
  return 'done'
}

/** A failed query fails a job that depends on it. Other errors are thrown. */
async function findEnding(run: JobRun): Promise<Ending | 'unfinished'> {
  try {
    return await RUN[run.job.type](run)
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof LookupBudgetExceeded) {
      await run.waitFor(error.retryAfterMs)
      return 'unfinished'
    }
    if (error instanceof ProviderTimeout) {
      return failed('upstream_timeout', formatMessage('upstream_timeout', 'job', {}))
    }
    if (error instanceof ProviderFailure) {
      return failed('upstream_error', formatMessage('upstream_error', 'job', {}))
    }
    throw error
  }
}
