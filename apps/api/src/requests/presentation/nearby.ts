import type { CachedRecord } from '../../data/record-cache.ts'
import type { FoundRows, SourceDirectory } from '../../data/sources.ts'
import { toSearchRow } from '../../domain/search.ts'
import type { ListingSites } from '../../domain/site-urls.ts'
import type { Call } from '../engine/call.ts'
import { type HomeDeps, presentPart } from './home.ts'

export type NearbyDeps = HomeDeps & {
  readonly sites: ListingSites
  readonly sources: SourceDirectory
}

/** Homes around a home, as a part of its record. */
export function presentNearby(deps: NearbyDeps, home: CachedRecord, nearby: FoundRows, call: Call) {
  const { sites, sources } = deps
  const now = new Date()
  const { of } = sources.describe(nearby, now)
  // `meta.source` is that of the home itself, and names its office: what is said of another home differs.
  const own = sources.creditOf(home.origin)
  const data = nearby.records.map((record) => {
    const row = toSearchRow(record, now, sites)
    const source = of(row.zpid)
    return source && sources.creditOf(source) !== own ? { ...row, source } : row
  })
  return presentPart(deps, home, call, { data, meta: { count: data.length } })
}
