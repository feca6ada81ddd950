// POST /v1/search and its three presets: one handler, with the status open or forced.

import {
  cost,
  type ExtractionMethod,
  type Input,
  MAX_ITEMS,
  maxHomesWithDetails,
  maxRowsOfSearch,
  type Property,
  type Schemas,
} from '@lotline/contract'
import { findOrderFault } from '@lotline/contract/checks'
import { isSearchJob, MAX_SYNC_ITEMS } from '@lotline/contract/search-mode'
import { checkPlaces, findPlaces, placesOf } from '../../data/places.ts'
import type { StandInProvider } from '../../data/sources.ts'
import {
  type AreaSearch,
  areaPlaceIn,
  fromSearchUrl,
  type SearchStatus,
  toAreaSearch,
} from '../../domain/search.ts'
import type { Config } from '../../infrastructure/config.ts'
import type { Database } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuse, refuseFor } from '../../infrastructure/refusals.ts'
import { HOLD_STEP } from '../../money/credits.ts'
import type { Call } from '../engine/call.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { type HomesDeps, presentHomes } from '../presentation/homes.ts'
import {
  type AreaListings,
  type FoundPage,
  findPage,
  refuseWide,
  type SearchPageDeps,
} from './search-page.ts'
import { mayStartJobs, type StartJobDeps, startJob } from './start-job.ts'

export type SearchesDeps = HomesDeps &
  SearchPageDeps &
  StartJobDeps & {
    readonly config: Pick<Config, 'listingHosts'>
    readonly database: Database
    readonly provider: StandInProvider
  }

/** The four operations take the same input. */
type SearchInput = Omit<Input<'searchListings'>, 'params'>

type SearchOperation = 'searchListings' | 'searchForSale' | 'searchForRent' | 'searchSold'

/** The handler of each by its operationId. */
export function createSearches(deps: SearchesDeps): { readonly [K in SearchOperation]: HandlerOf<K> } {
  return {
    searchListings: searchWithStatus(deps, 'searchListings'),
    searchForSale: searchWithStatus(deps, 'searchForSale', 'for_sale'),
    searchForRent: searchWithStatus(deps, 'searchForRent', 'for_rent'),
    searchSold: searchWithStatus(deps, 'searchSold', 'sold'),
  }
}

/** They answer alike, too: the table above holds each of the four to its own answers. */
function searchWithStatus(deps: SearchesDeps, operation: SearchOperation, status?: SearchStatus) {
  const hosts = deps.config.listingHosts
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
    const fault = findOrderFault(body)
    if (fault) return refuse(fault.code, fault.message, fault.details)
    if (plan.mode === 'async') {
      if (!mayStartJobs(call.principal))
        return refuseFor('key_not_allowed', 'reader', { bound: MAX_SYNC_ITEMS }, { operation })
      const { method, maxItems } = plan
      return startJob(deps, call, {
        order: {
          type: 'search',
          operation,
          request: { searches, method, ...(maxItems !== undefined && { maxItems }) },
        },
        // How much there is in an area is known only when it has been searched.
        cost: cost(operation, { params: {}, ...input }),
        ...(method === 'PAGINATION_WITH_ZOOM_IN' && { firstHold: HOLD_STEP }),
        idempotency: { key: headers['idempotency-key'], input: body },
        ...(body.filters && { areaPlaceOf: areaPlaceIn(body.filters) }),
      })
    }
    // Taken out here: what the work names is kept while the call waits, and a body can be large.
    const { sort, cursor } = body
    const asked = { query, call, areMarkers: plan.method === 'MAP_MARKERS' }
    const placeOf = areaPlaceIn(body.filters ?? {})
    // Only filters name places, and they are one search.
    const hasAreas = searches[0]!.areas !== undefined
    const work = async () => {
      const isPaged = sort !== undefined || cursor !== undefined
      const first = hasAreas ? await findPlaces(deps.database, searches[0]!, { placeOf }) : searches[0]!
      if (isRefusal(first)) return first
      const found = isPaged
        ? await findPage(deps, first, { sort, cursor, limit: plan.maxItems }, call)
        : await searchAll(deps, [first, ...searches.slice(1)], plan.maxItems, call)
      if (isRefusal(found)) return found
      const places = hasAreas ? placesOf(first) : undefined
      return presentHomes(deps, { ...found, places }, asked)
    }
    return hasAreas ? Object.assign(work, { check: checkPlaces(deps.database, searches, placeOf) }) : work
  }
}

type SourceOfRow = Parameters<Parameters<NonNullable<AreaListings['sources']>['forEach']>[0]>[0]

/** The homes of all searches in their order, each home once. When there are `maxItems`, no further search is asked for. */
async function searchAll(
  deps: SearchesDeps,
  searches: readonly AreaSearch[],
  maxItems: number,
  call: Call,
): Promise<FoundPage | Refusal> {
  const homes = new Map<string, Property>()
  const sources = new Map<string, SourceOfRow>()
  let total: number | undefined = 0
  let isWhole = true
  let answeredBy: string | undefined
  for (const search of searches) {
    if (homes.size >= maxItems) {
      isWhole = false
      break
    }
    // Of several providers, the one that answered the first search answers all.
    const page = { limit: maxItems, ...(answeredBy !== undefined && { provider: answeredBy }) }
    const found = await deps.provider.search(search, page, call)
    if (found.isIncomplete) return refuseWide(search)
    answeredBy = found.provider
    for (const record of found.records) homes.set(String(record.zpid), record)
    for (const [zpid, source] of found.sources ?? []) sources.set(zpid, source)
    total = found.total
    isWhole &&= found.records.length === found.total
  }
  // A home may be in several areas: how many they hold together is known only where each of them was seen.
  const known = isWhole ? homes.size : undefined
  const records = [...homes.values()].slice(0, maxItems)
  return {
    records,
    ...(sources.size > 0 && { sources }),
    ...(answeredBy !== undefined && { provider: answeredBy }),
    total: searches.length === 1 ? total : known,
  }
}

export interface SearchBodyRules {
  /** The hosts that a search URL may be on. */
  readonly hosts: readonly string[]
  /** The status that the operation forces on every search. */
  readonly status?: SearchStatus
  /** Called with the places of values in a search URL that nothing reads, such as `searchUrls.0.url.filterState.cityv`. */
  readonly onIgnored?: (names: readonly string[]) => void
}

/**
 * The body as a list of searches: one from `filters`, or one from each of `searchUrls`. Nothing reaches a provider before the
 * whole list has been read. At least one search, since the contract lets no body pass that has neither. The same search twice is
 * kept once.
 */
export function readSearches(
  { filters, searchUrls = [] }: Pick<Input<'searchListings'>['body'], 'filters' | 'searchUrls'>,
  rules: SearchBodyRules,
): readonly AreaSearch[] | Refusal {
  if (!filters) return readSearchUrls(searchUrls, rules)
  const search = toAreaSearch(filters, rules.status)
  return isRefusal(search) ? search : [search]
}

function readSearchUrls(
  urls: readonly Schemas['SearchUrl'][],
  { hosts, status, onIgnored }: SearchBodyRules,
): readonly AreaSearch[] | Refusal {
  const searches = new Map<string, AreaSearch>()
  for (const [index, { url }] of urls.entries()) {
    const place = `searchUrls.${index}.url`
    const read = fromSearchUrl(url, hosts, place, status)
    if (isRefusal(read)) return { ...read, details: { parameter: place, index } }
    const { search, ignored } = read
    if (ignored.length > 0) onIgnored?.(ignored.map((name) => `${place}.${name}`))
    searches.set(JSON.stringify(search), search)
  }
  return [...searches.values()]
}

// How much a call may ask for, and whether it is answered at once or by a job. The contract has refused what no method
// allows; the bound of the method that was chosen is held here. Values out of bounds are refused with
// `invalid_parameter` and never clamped, so that no client pays for a number that it did not choose.
export type SearchPlan =
  | { readonly mode: 'sync'; readonly method: ExtractionMethod; readonly maxItems: number }
  /** Without `maxItems` the job returns all that there is. */
  | { readonly mode: 'async'; readonly method: ExtractionMethod; readonly maxItems?: number }

/** POST /v1/search and the presets. */
export function planSearch(
  asked: Pick<Input<'searchListings'>['body'], 'extractionMethod' | 'maxItems' | 'async'>,
): SearchPlan | Refusal {
  const { extractionMethod: method, maxItems } = asked
  if (maxItems !== undefined && maxItems > MAX_ITEMS[method]) {
    return tooMany(maxItems, method, MAX_ITEMS[method])
  }
  const items = maxRowsOfSearch(asked)
  if (items === undefined) return { mode: 'async', method }
  return { mode: isSearchJob(asked) ? 'async' : 'sync', method, maxItems: items }
}

/** POST /v1/search/with-details: always a job, and never more than 820 homes, whichever way they are found. */
export function planSearchWithDetails(
  asked: Pick<Input<'searchWithDetails'>['body'], 'extractionMethod' | 'maxItems'>,
): { readonly method: ExtractionMethod; readonly maxItems: number } | Refusal {
  const { extractionMethod: method } = asked
  const most = maxHomesWithDetails(method)
  const { maxItems = most } = asked
  return maxItems > most ? tooMany(maxItems, method, most) : { method, maxItems }
}

function tooMany(value: number, method: ExtractionMethod, most: number): Refusal {
  return refuseFor(
    'invalid_parameter',
    'max_items',
    { place: 'maxItems', bound: most, method, value },
    { parameter: 'maxItems', minimum: 1, maximum: most },
  )
}
