// POST /v1/search and its three presets: one handler, with the status open or forced.

import { cost, type ExtractionMethod, type Input, type Property, type SearchRow } from '@lotline/contract'
import type { App } from '../app.ts'
import { HOLD_STEP } from '../credits/holds.ts'
import type { Call } from '../engine/call.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { AreaSearch, SearchStatus } from '../search/area-search.ts'
import { planSearch } from '../search/plan-search.ts'
import { toMapMarker, toSearchRow } from '../search/search-row.ts'
import { deliverRows } from './deliver.ts'
import { readSearches } from './search-body.ts'
import { startJob } from './start-job.ts'

/** The four operations take the same input. */
type SearchInput = Omit<Input<'searchListings'>, 'params'>

type SearchOperation = 'searchListings' | 'searchForSale' | 'searchForRent' | 'searchSold'

/** The handler of each by its operationId. */
export function createSearches(app: App): { readonly [K in SearchOperation]: HandlerOf<K> } {
  return {
    searchListings: searchWithStatus(app, 'searchListings'),
    searchForSale: searchWithStatus(app, 'searchForSale', 'for_sale'),
    searchForRent: searchWithStatus(app, 'searchForRent', 'for_rent'),
    searchSold: searchWithStatus(app, 'searchSold', 'sold'),
  }
}

/** They answer alike, too: the table above holds each of the four to its own answers. */
function searchWithStatus(app: App, operation: SearchOperation, status?: SearchStatus) {
  const hosts = app.config.listingHosts
  return (input: SearchInput, call: Call) => {
    const { body, query, headers } = input
    const searches = readSearches(body, {
      hosts,
      ...(status && { status }),
      onIgnored: (names) => call.ignore(names),
    })
    if (isRefusal(searches)) return searches
    const plan = planSearch(body)
    if (isRefusal(plan)) return plan
    if (plan.mode === 'async') {
      const { method, maxItems } = plan
      return startJob(app, call, {
        order: {
          type: 'search',
          operation,
          request: { searches, method, ...(maxItems !== undefined && { maxItems }) },
        },
        // How much there is in an area is known only when it has been searched.
        cost: cost(operation, { params: {}, ...input }),
        ...(method === 'PAGINATION_WITH_ZOOM_IN' && { firstHold: HOLD_STEP }),
        idempotency: { key: headers['idempotency-key'], input: body },
      })
    }
    return async () => {
      const found = await searchAll(app, searches, plan.maxItems, plan.method, call)
      return deliverRows(found.rows, { format: query.format, accept: call.accept, total: found.total })
    }
  }
}

interface Found {
  readonly rows: readonly SearchRow[]
  /** undefined: not known. */
  readonly total: number | undefined
}

/** Rows of all searches in their order, each home once. When there are `maxItems`, no further search is asked for. */
async function searchAll(
  app: App,
  searches: readonly AreaSearch[],
  maxItems: number,
  method: ExtractionMethod,
  call: Call,
): Promise<Found> {
  const rows = new Map<string, SearchRow>()
  const now = new Date()
  const toRow = (record: Property) =>
    method === 'MAP_MARKERS' ? toMapMarker(record, app.sites) : toSearchRow(record, now, app.sites)
  let total: number | undefined = 0
  let isWhole = true
  for (const search of searches) {
    if (rows.size >= maxItems) {
      isWhole = false
      break
    }
    const found = await app.provider.search(search, { limit: maxItems }, call)
    for (const record of found.records) rows.set(String(record.zpid), toRow(record))
    total = found.total
    isWhole &&= found.records.length === found.total
  }
  // A home may be in several areas: how many they hold together is known only where each of them was seen.
  const known = isWhole ? rows.size : undefined
  return { rows: [...rows.values()].slice(0, maxItems), total: searches.length === 1 ? total : known }
}
