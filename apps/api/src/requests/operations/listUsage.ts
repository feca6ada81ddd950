import type { Database, SignedCursors } from '../../infrastructure/database.ts'
import { isRefusal } from '../../infrastructure/refusals.ts'
import { readUsage, type UsageEntry } from '../../money/credits.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from '../presentation/answer.ts'
import { findListPage, pageMeta, refuseTwoPlaces } from './list-page.ts'
import { readSince } from './read-since.ts'

export interface ListUsageDeps {
  readonly database: Database
  readonly listCursors: SignedCursors
}

export function listUsage({ database, listCursors }: ListUsageDeps): HandlerOf<'listUsage'> {
  return ({ query }, { principal: { accountId } }) => {
    const twice = refuseTwoPlaces(query.cursor, query.offset)
    if (twice) return twice
    return async () => {
      const since = query.since === undefined ? null : readSince(query.since)
      let keptSince: Date | null = null
      const page = await findListPage<UsageEntry>(
        { listCursors },
        ['listUsage', accountId, since],
        query,
        async (after, limit) => {
          const found = await readUsage(database, accountId, { since, limit, offset: query.offset, after })
          keptSince = found.keptSince
          return found.rows
        },
        ({ micros, id }) => [micros, id],
      )
      if (isRefusal(page)) return page
      return deliver({
        data: page.entries.map(({ micros: _, oauth_client, ...row }) => ({
          ...row,
          ...(oauth_client !== null && { oauth_client }),
          created_at: row.created_at.toISOString(),
        })),
        meta: {
          ...pageMeta(page, query.limit),
          offset: query.offset,
          kept_since: (keptSince as Date | null)?.toISOString() ?? null,
        },
      })
    }
  }
}
