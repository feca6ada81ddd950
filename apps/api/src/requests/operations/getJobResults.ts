import type { SignedCursors } from '../../infrastructure/database.ts'
import { refuseAt, refuseFor } from '../../infrastructure/refusals.ts'
import type { Jobs } from '../../work/jobs.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { presentStoredRows } from '../presentation/stored-rows.ts'
import { refuseUnknownJob } from './getJob.ts'
import { refuseTwoPlaces } from './list-page.ts'

export interface GetJobResultsDeps {
  readonly jobs: Jobs
  readonly listCursors: SignedCursors
}

export function getJobResults({ jobs, listCursors }: GetJobResultsDeps): HandlerOf<'getJobResults'> {
  return ({ params, query }, call) => {
    const twice = refuseTwoPlaces(query.cursor, query.offset)
    if (twice) return twice
    return async () => {
      const { accountId } = call.principal
      const id = { accountId, jobId: params.id }
      // Rows never move: the number of a row is its place for good.
      const own = await listCursors.of(['getJobResults', accountId, params.id.toLowerCase()])
      const begin = query.cursor === undefined ? [query.offset] : own.read(query.cursor)
      const result = await jobs.findResult(id)
      if (!result) return refuseUnknownJob()
      if (result.status !== 'succeeded') {
        return refuseFor(
          'job_not_ready',
          result.status === 'queued' || result.status === 'running' ? 'status' : 'ended',
          { status: result.status },
          { status: result.status },
        )
      }
      if (begin === 'other') return refuseAt('invalid_cursor', 'other_list', 'cursor', {})
      if (begin === 'unknown') return refuseAt('invalid_cursor', 'unknown', 'cursor', {})
      const cursorAt = (offset: number) => own.write([offset])
      return presentStoredRows({ jobs }, id, result, { query, offset: begin[0] as number, cursorAt }, call)
    }
  }
}
