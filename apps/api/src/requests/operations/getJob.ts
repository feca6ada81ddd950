import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { type Jobs, RETENTION_DAYS } from '../../work/jobs.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from '../presentation/answer.ts'

export interface GetJobDeps {
  readonly jobs: Jobs
}

export function getJob({ jobs }: GetJobDeps): HandlerOf<'getJob'> {
  return ({ params }, { principal }) =>
    async () => {
      const job = await jobs.find({ accountId: principal.accountId, jobId: params.id })
      return job ? deliver({ data: job }) : refuseUnknownJob()
    }
}

/** The same for an unknown id and for one of another account. */
export function refuseUnknownJob(): Refusal {
  return refuseFor('job_not_found', 'unknown', { days: RETENTION_DAYS })
}
