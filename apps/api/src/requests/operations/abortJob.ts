import { refuseFor } from '../../infrastructure/refusals.ts'
import type { Jobs } from '../../work/jobs.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from '../presentation/answer.ts'
import { refuseUnknownJob } from './getJob.ts'

export interface AbortJobDeps {
  readonly jobs: Jobs
}

export function abortJob({ jobs }: AbortJobDeps): HandlerOf<'abortJob'> {
  return ({ params }, { principal }) =>
    async () => {
      const { accountId, keyId, isOfClient } = principal
      // The key of an OAuth client aborts only the jobs that it has started.
      if (isOfClient && !(await jobs.isOfKey({ accountId, jobId: params.id }, keyId)))
        return refuseUnknownJob()
      const job = await jobs.abort({ accountId, jobId: params.id })
      if (!job) return refuseUnknownJob()
      const { status } = job
      return status === 'aborted'
        ? deliver({ data: job })
        : refuseFor('job_ended', 'ended', { status }, { status })
    }
}
