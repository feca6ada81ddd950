import type { Property } from '@lotline/contract'
import type { App } from '../app.ts'
import type { Call } from '../engine/call.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { refuseFor } from '../platform/refusal.ts'
import { searchStatusOf } from '../record/status-of.ts'
import { parseRecord } from '../record-cache/record-cache.ts'
import { findBoxAround, NEARBY_COUNT, rankNearby } from '../search/nearby.ts'
import { toSearchRow } from '../search/search-row.ts'
import { deliver, recordUsed } from './deliver.ts'

/** Tried in turn until there are enough to compare; far enough for the country, near enough for a city. */
const REACHES_KM = [1, 5, 25]
/** The newest listings around the home, of which the most alike are shown. */
const MAX_CANDIDATES = 500

export function getPropertyNearby(app: App): HandlerOf<'getPropertyNearby'> {
  const { records, sites } = app
  return ({ params }, call) =>
    async () => {
      const found = await records.find(params.zpid, call)
      if (!found) return refuseFor('not_found', 'zpid', { value: params.zpid })
      const home = parseRecord(found)
      const nearby = rankNearby(home, await findCandidates(app, home, call))
      const now = new Date()
      const data = nearby.map((record) => toSearchRow(record, now, sites))
      return deliver(
        {
          data,
          meta: {
            cached: found.storedAt < call.admittedTick,
            count: nearby.length,
            source: found.origin,
          },
        },
        // The homes around it change too.
        { record: recordUsed(records, found), version: JSON.stringify(data) },
      )
    }
}

/** Listings of the home's own status; around a home that is off the market, those for sale. */
async function findCandidates({ provider }: App, home: Property, call: Call): Promise<readonly Property[]> {
  const status = searchStatusOf(home.homeStatus) ?? 'for_sale'
  let candidates: readonly Property[] = []
  for (const reachKm of REACHES_KM) {
    const bbox = findBoxAround(home, reachKm)
    if (!bbox) return []
    const around = await provider.search({ status, bbox }, { limit: MAX_CANDIDATES }, call)
    candidates = around.records
    // One of them is the home itself.
    if (candidates.length > NEARBY_COUNT) break
  }
  return candidates
}
