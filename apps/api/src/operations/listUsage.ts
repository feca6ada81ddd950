import type { UsageRow } from '@lotline/contract'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { isRefusal } from '../platform/refusal.ts'
import { deliver } from './deliver.ts'
import { findListPage, refuseTwoPlaces } from './list-page.ts'
import { readSince } from './read-since.ts'

interface Row extends Omit<UsageRow, 'created_at' | 'oauth_client'> {
  created_at: Date
  oauth_client: string | null
  micros: number
}

// Newest first: the latest calls are what people look for, and the index is in the order of their moments. The rows behind a
// cursor begin at its moment, which the index finds too.
const USAGE = `
  with page as materialized (
  select id, request_id, stage, endpoint, key_id, actor, units, status_code, credits_charged, created_at,
    (extract(epoch from created_at) * 1000000)::bigint as micros
  from usage_rows
  where account_id = $1 and created_at >= coalesce(to_timestamp($2::float8), '-infinity')
    and created_at <= coalesce('epoch'::timestamptz + $5::float8 * interval '1 microsecond', 'infinity')
    and ($5::float8 is null or (created_at, id) < ('epoch'::timestamptz + $5::float8 * interval '1 microsecond', $6::bigint))
  order by created_at desc, id desc
  limit $3 offset $4
  )
  select page.*, k.oauth_client from page left join api_keys k on k.id = page.key_id
  order by page.created_at desc, page.id desc`

const KEPT_SINCE = `select nullif(since, '-infinity') as "keptSince" from kept_books`

export function listUsage({ database, listCursors }: App): HandlerOf<'listUsage'> {
  return ({ query }, { principal: { accountId } }) => {
    const twice = refuseTwoPlaces(query)
    if (twice) return twice
    return async () => {
      const since = query.since === undefined ? null : readSince(query.since)
      const [page, kept] = await Promise.all([
        findListPage<Row>(
          { listCursors },
          ['listUsage', accountId, since],
          query,
          async (after, limit) =>
            (
              await database.query<Row>(
                USAGE,
                [accountId, since, limit, query.offset, after?.[0] ?? null, after?.[1] ?? null],
                { name: 'usage' },
              )
            ).rows,
          ({ micros, id }) => [micros, id],
        ),
        database.query<{ keptSince: Date | null }>(KEPT_SINCE),
      ])
      if (isRefusal(page)) return page
      const { entries, nextCursor } = page
      return deliver({
        data: entries.map(({ micros: _, oauth_client, ...row }) => ({
          ...row,
          ...(oauth_client !== null && { oauth_client }),
          created_at: row.created_at.toISOString(),
        })),
        meta: {
          kept_since: kept.rows[0]!.keptSince?.toISOString() ?? null,
          ...(nextCursor !== undefined && { next_cursor: nextCursor }),
        },
      })
    }
  }
}
