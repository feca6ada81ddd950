// Whether cached copies are still current. A synchronous call learns it in the statement that charges; a job asks before
// it stores its rows, by the same rule (the view current_records in migrations/0005_record_cache.sql).

import type { CachedRecord } from '../../../data/record-cache.ts'
import type { Queryable } from '../../../infrastructure/database.ts'

const STALE = `
  select e.zpid from unnest($1::text[], $2::text[], $3::bigint[]) as e (source, zpid, generation) left join lateral (
      select true as current from current_records c
      where c.source = e.source and c.zpid = e.zpid and c.generation is not distinct from e.generation
      limit 1
    ) kept on true
  where kept.current is null`

/** The zpids of those that an import or the time has made stale. */
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
