import type { Property } from '@lotline/contract'
import { parseRecord, type RecordCache } from '../../data/record-cache.ts'
import type { SourceDirectory, StandInProvider } from '../../data/sources.ts'
import { toSearchStatus } from '../../domain/record.ts'
import { findBoxAround, NEARBY_COUNT, rankNearby } from '../../domain/search.ts'
import type { ListingSites } from '../../domain/site-urls.ts'
import { refuseFor } from '../../infrastructure/refusals.ts'
import type { Call } from '../engine/call.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { presentNearby } from '../presentation/nearby.ts'

export interface GetPropertyNearbyDeps {
  readonly provider: StandInProvider
  readonly records: RecordCache
  readonly sites: ListingSites
  readonly sources: SourceDirectory
}

/** Tried in turn until there are enough to compare; far enough for the country, near enough for a city. */
const REACHES_KM = [1, 5, 25]
/** The newest listings around the home, of which the most alike are shown. */
const MAX_CANDIDATES = 500

/** What a search found, with its sources. */
type Candidates = Pick<Awaited<ReturnType<StandInProvider['search']>>, 'records' | 'sources' | 'provider'>

export function getPropertyNearby(deps: GetPropertyNearbyDeps): HandlerOf<'getPropertyNearby'> {
  return ({ params }, call) =>
    async () => {
      const found = await deps.records.find(params.zpid, call)
      if (!found) return refuseFor('not_found', 'zpid', { value: params.zpid })
      const home = parseRecord(found)
      const around = await findCandidates(deps, home, call)
      const nearby = { ...around, records: rankNearby(home, around.records) }
      return presentNearby(deps, found, nearby, call)
    }
}

/** Listings of the home's own status; around a home that is off the market, those for sale. */
async function findCandidates(
  { provider }: GetPropertyNearbyDeps,
  home: Property,
  call: Call,
): Promise<Candidates> {
  const status = toSearchStatus(home.homeStatus) ?? 'for_sale'
  let candidates: Candidates = { records: [] }
  for (const reachKm of REACHES_KM) {
    const bbox = findBoxAround(home, reachKm)
    if (!bbox) return { records: [] }
    candidates = await provider.search({ status, bbox }, { limit: MAX_CANDIDATES }, call)
    // One of them is the home itself.
    if (candidates.records.length > NEARBY_COUNT) break
  }
  return candidates
}
