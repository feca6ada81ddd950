import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from './deliver.ts'
import { readSince } from './read-since.ts'

export function listJobs({ jobs }: App): HandlerOf<'listJobs'> {
  return ({ query }, { principal }) =>
    async () => {
      const { status, type, limit, offset } = query
      const since = query.since === undefined ? undefined : readSince(query.since)
      // One more than asked for tells whether there are more.
      const found = await jobs.list(
        principal.accountId,
        { status, type, since },
        { limit: limit + 1, offset },
      )
      const data = found.slice(0, limit)
      return deliver({
        data,
        meta: { count: data.length, limit, offset, has_more: found.length > limit },
      })
    }
}
