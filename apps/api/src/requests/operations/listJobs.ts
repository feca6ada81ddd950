import type { SignedCursors } from '../../infrastructure/database.ts'
import { isRefusal } from '../../infrastructure/refusals.ts'
import type { Jobs, ListedJob } from '../../work/jobs.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from '../presentation/answer.ts'
import { findListPage, pageMeta, refuseTwoPlaces } from './list-page.ts'
import { readSince } from './read-since.ts'

export interface ListJobsDeps {
  readonly jobs: Jobs
  readonly listCursors: SignedCursors
}

export function listJobs({ jobs, listCursors }: ListJobsDeps): HandlerOf<'listJobs'> {
  return ({ query }, { principal: { accountId } }) => {
    const twice = refuseTwoPlaces(query.cursor, query.offset)
    if (twice) return twice
    return async () => {
      const { status, type, limit, offset } = query
      const since = query.since === undefined ? undefined : readSince(query.since)
      const page = await findListPage<ListedJob>(
        { listCursors },
        ['listJobs', accountId, status ?? null, type ?? null, since ?? null],
        query,
        (after, limit) => jobs.list(accountId, { status, type, since }, { limit, offset, after }),
        ({ createdAtMicros, job }) => [createdAtMicros, job.id],
      )
      if (isRefusal(page)) return page
      return deliver({ data: page.entries.map(({ job }) => job), meta: { ...pageMeta(page, limit), offset } })
    }
  }
}
