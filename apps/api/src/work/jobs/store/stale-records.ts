// Checks whether cached copies are current. A synchronous call checks this in the statement that charges it; a job checks before it stores
// its rows, by the same rule (the view current_records).

import type { CachedRecord } from '../../../data/record-cache.ts'
import type { Queryable } from '../../../infrastructure/database.ts'

const STALE = `
  select e.zpid from unnest($1::text[], $2::text[], $3::bigint[]) as e (source, zpid, generation) left join lateral (
      select true as current from current_records c
      where c.source = e.source and c.zpid = e.zpid and c.generation is not distinct from e.generation
      limit 1
    ) kept on true
  where kept.current is null`

/** The zpids whose cached copies are outdated, by an import or by age. */
export async function findStale(
  database: Queryable,
  copies: readonly CachedRecord[],
): Promise<ReadonlySet<string>> {
  if (copies.length === 0) return new Set()
  const { rows } = await database.query<{ zpid: string }>(
    STALE,
    [
      copies.map(({ source }) => source),
      copies.map(({ zpid }) => zpid),
      copies.map(({ generation }) => generation),
    ],
    { name: 'find_stale' },
  )
  return new Set(rows.map(({ zpid }) => zpid))
}
