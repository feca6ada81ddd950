// Holds connected sources after one of their imports was undone: a person resumes them when the source is right again.

import type { Queryable } from '../../infrastructure/database.ts'

// A run that is under way loses its lease, and ends before its next page.
const PAUSE = `
  update connected_sources set paused_at = coalesce(paused_at, now()), lease_token = null, lease_until = null
  where name = any ($1) returning name`

// A home that an undone sweep had withdrawn is looked for again by the next sweeps.
const RELIST = `
  update source_records r set state = 'listed', reason = null, misses = 0
  from record_identities i, listings l
  where r.source = any ($1) and r.state = 'withdrawn' and i.source = r.source and i.source_key = r.source_key
    and l.zpid = i.zpid and l.source = r.source and l.kind <> 'off_market'`

/**
 * Pauses these sources, as far as they are connected, in the transaction of the undo and after its homes were restored. Their positions
 * stay. Returns the names of those that are paused now.
 */
export async function holdSources(tx: Queryable, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await tx.query<{ name: string }>(PAUSE, [names])
  await tx.query(RELIST, [names])
  return rows.map(({ name }) => name).sort()
}
