import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from './deliver.ts'
import { refuseUnknownJob } from './unknown-job.ts'

export function getJob({ jobs }: House): HandlerOf<'getJob'> {
  return ({ params }, { caller }) =>
    async () => {
      const job = await jobs.find({ accountId: caller.accountId, jobId: params.id })
      return job ? deliver({ data: job }) : refuseUnknownJob()
    }
}
