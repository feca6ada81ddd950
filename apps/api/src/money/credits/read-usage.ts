// The usage rows of an account, as GET /v1/usage lists them.

import type { UsageRow } from '@lotline/contract'
import type { Queryable } from '../../infrastructure/database.ts'

export interface UsageEntry extends Omit<UsageRow, 'created_at' | 'oauth_client'> {
  readonly created_at: Date
  readonly oauth_client: string | null
  /** Microseconds since 1970. With `id`, it is the position of the row. */
  readonly micros: number
}

export interface UsageRowsQuery {
  /** Seconds since 1970; null: all that is kept. */
  readonly since: number | null
  readonly limit: number
  readonly offset: number
  /** `micros` and `id` of the previous row; null: from the newest one on. */
  readonly after: readonly unknown[] | null
}

// The order is newest first, like the index. Rows after a cursor begin at its time, which the index finds too. `keptSince` is
// read in the same snapshot, so that no row can be archived in between. If there are no rows, it is in a row of its own whose id
// is null.
const SELECT_USAGE = `
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

/** Newest first. `keptSince`: the time of the first kept row; null: nothing was ever archived. */
export async function readUsage(
  database: Queryable,
  accountId: string,
  { since, limit, offset, after }: UsageRowsQuery,
): Promise<{ readonly rows: UsageEntry[]; readonly keptSince: Date | null }> {
  const { rows } = await database.query<UsageEntry & { readonly kept_since: Date | null }>(
    SELECT_USAGE,
    [accountId, since, limit, offset, after?.[0] ?? null, after?.[1] ?? null],
    { name: 'usage' },
  )
  return {
    rows: rows.filter(({ id }) => id !== null).map(({ kept_since: _, ...row }) => row),
    keptSince: rows[0]!.kept_since,
  }
}
