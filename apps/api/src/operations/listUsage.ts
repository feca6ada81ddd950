import type { UsageRow } from '@lotline/contract'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from './deliver.ts'
import { readSince } from './read-since.ts'

interface Row extends Omit<UsageRow, 'created_at'> {
  created_at: Date
}

// Newest first: the latest calls are what people look for, and the index is in the order of their moments.
const USAGE = `
  select id, request_id, stage, endpoint, actor, units, status_code, credits_charged, created_at
  from usage_rows
  where account_id = $1 and created_at >= coalesce(to_timestamp($2::float8), '-infinity')
  order by created_at desc, id desc
  limit $3 offset $4`

const KEPT_SINCE = `select nullif(since, '-infinity') as "keptSince" from kept_books`

export function listUsage({ database }: App): HandlerOf<'listUsage'> {
  return ({ query }, { principal }) =>
    async () => {
      const since = query.since === undefined ? null : readSince(query.since)
      const [{ rows }, kept] = await Promise.all([
        database.query<Row>(USAGE, [principal.accountId, since, query.limit, query.offset], {
          name: 'usage',
        }),
        database.query<{ keptSince: Date | null }>(KEPT_SINCE),
      ])
      return deliver({
        data: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
        meta: { kept_since: kept.rows[0]!.keptSince?.toISOString() ?? null },
      })
    }
}
