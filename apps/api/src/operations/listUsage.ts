import type { UsageRow } from '@lotline/contract'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { isRefusal } from '../platform/refusal.ts'
import { deliver } from './deliver.ts'
import { findListPage, pageMeta, refuseTwoPlaces } from './list-page.ts'
import { readSince } from './read-since.ts'

interface Row extends Omit<UsageRow, 'created_at' | 'oauth_client'> {
  created_at: Date
  oauth_client: string | null
  micros: number
  kept_since: Date | null
}

// Newest first: the latest calls are what people look for, and the index is in the order of their moments. The rows behind a
// cursor begin at its moment, which the index finds too. What archives left is read in the same snapshot, so that rows cannot leave in
// between; without rows, it is alone in a row whose id is null.
const USAGE = `
  with page as materialized (
  select id, request_id, stage, endpoint, operation, key_id, actor, units, status_code, credits_charged, created_at,
    (extract(epoch from created_at) * 1000000)::bigint as micros
  from usage_rows
  where account_id = $1 and created_at >= coalesce(to_timestamp($2::float8), '-infinity')
    and created_at <= coalesce('epoch'::timestamptz + $5::float8 * interval '1 microsecond', 'infinity')
    and ($5::float8 is null or (created_at, id) < ('epoch'::timestamptz + $5::float8 * interval '1 microsecond', $6::bigint))
  order by created_at desc, id desc
  limit $3 offset $4
  )
  select page.*, k.oauth_client, nullif(kept.since, '-infinity') as kept_since
  from kept_books kept left join page on true left join api_keys k on k.id = page.key_id
  order by page.created_at desc, page.id desc`

export function listUsage({ database, listCursors }: App): HandlerOf<'listUsage'> {
  return ({ query }, { principal: { accountId } }) => {
    const twice = refuseTwoPlaces(query.cursor, query.offset)
    if (twice) return twice
    return async () => {
      const since = query.since === undefined ? null : readSince(query.since)
      let keptSince: Date | null = null
      const page = await findListPage<Row>(
        { listCursors },
        ['listUsage', accountId, since],
        query,
        async (after, limit) => {
          const { rows } = await database.query<Row>(
            USAGE,
            [accountId, since, limit, query.offset, after?.[0] ?? null, after?.[1] ?? null],
            { name: 'usage' },
          )
          keptSince = rows[0]!.kept_since
          return rows.filter(({ id }) => id !== null)
        },
        ({ micros, id }) => [micros, id],
      )
      if (isRefusal(page)) return page
      return deliver({
        data: page.entries.map(({ micros: _, kept_since: __, oauth_client, ...row }) => ({
          ...row,
          ...(oauth_client !== null && { oauth_client }),
          created_at: row.created_at.toISOString(),
        })),
        meta: {
          ...{ ...pageMeta(page, query.limit), offset: query.offset },
          kept_since: (keptSince as Date | null)?.toISOString() ?? null,
        },
      })
    }
  }
}
