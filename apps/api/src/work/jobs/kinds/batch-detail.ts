// `batch_detail`: looks up as many as 500 homes and buildings by URL and by address.

import type { BatchJobRequest, Ending } from '../job.ts'
import type { JobRun } from '../run/run.ts'
import type { LookupEntry } from './look-up.ts'
import { lookUpAll } from './look-up-all.ts'

export function runBatch(run: JobRun): Promise<Ending | 'unfinished'> {
  const { urls, addresses, prefer, units, maxItems } = run.job.request as BatchJobRequest
  const entries: LookupEntry[] = [
    ...urls.map((text) => ({ by: 'url', text }) as const),
    ...addresses.map((text) => ({ by: 'address', text }) as const),
  ]
  return lookUpAll(run, entries, {
    prefer,
    units,
    maxItems: maxItems ?? Number.POSITIVE_INFINITY,
    stage: null,
    reserved: 0,
  })
}
