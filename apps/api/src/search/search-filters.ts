// The filters of a search, from a JSON body or from the query of GET /v1/listings, to the one shape that providers
// take. The contract has judged every value by itself; what is judged here is how they stand to each other, and the box
// that is written as a text.

import type { Input } from '@lotline/contract'
import { type Refusal, refuse } from '../platform/refusal.ts'
import type { AreaSearch, HomeType, Range, SearchStatus } from './area-search.ts'
import { isFault, readBox, readRange } from './ranges.ts'

const RANGES = ['price', 'beds', 'baths', 'sqft', 'yearBuilt'] as const

type Filters = Input<'searchWithDetails'>['body']['filters']
type Query = Input<'listListings'>['query']
/** How many are returned, and in which format, is no part of the search. */
type Filtering = Omit<Query, 'max_items' | 'format'>

/** `filters` of a search body; refuses with `invalid_filters`. `forced`: the status that the operation forces. */
export function toAreaSearch(filters: Filters, forced?: SearchStatus): AreaSearch | Refusal {
  return read(filters, (name) => `filters.${name}`, forced)
}

/** `nameOf`: what the caller calls a filter. */
function read(
  filters: Filters,
  nameOf: (filter: 'bbox' | (typeof RANGES)[number]) => string,
  forced?: SearchStatus,
): AreaSearch | Refusal {
  const { status, homeTypes, daysOnSite, hasPool, hasGarage, isWaterfront } = filters
  const bbox = readBox(filters.bbox)
  if (isFault(bbox)) return unusable(`${nameOf('bbox')} ${bbox.fault}.`)
  const ranges: Partial<Record<(typeof RANGES)[number], Range>> = {}
  for (const name of RANGES) {
    const range = filters[name] && readRange(filters[name])
    if (isFault(range)) return unusable(`${nameOf(name)} ${range.fault}.`)
    if (range) ranges[name] = range
  }
  return {
    status: forced ?? status,
    bbox,
    ...ranges,
    ...(homeTypes && { homeTypes: [...new Set(homeTypes)] }),
    ...(daysOnSite && { daysOnSite }),
    ...(hasPool !== undefined && { hasPool }),
    ...(hasGarage !== undefined && { hasGarage }),
    ...(isWaterfront !== undefined && { isWaterfront }),
  }
}

/** The query of GET /v1/listings; refuses with `invalid_filters`. */
export function fromListingsQuery(query: Filtering): AreaSearch | Refusal {
  const [west, south, east, north] = query.bbox.split(',').map(Number) as [number, number, number, number]
  const filters = {
    status: query.status,
    bbox: { west, south, east, north },
    price: { min: query.price_min ?? null, max: query.price_max ?? null },
    beds: { min: query.beds_min ?? null, max: query.beds_max ?? null },
    baths: { min: query.baths_min ?? null, max: query.baths_max ?? null },
    sqft: { min: query.sqft_min ?? null, max: query.sqft_max ?? null },
    yearBuilt: { min: query.year_built_min ?? null, max: query.year_built_max ?? null },
    ...(query.home_types && {
      homeTypes: query.home_types.split(',').map((type) => type.trim() as HomeType),
    }),
    ...(query.days_on_site && { daysOnSite: query.days_on_site }),
  }
  return read(filters, (name) => (name === 'yearBuilt' ? 'year_built' : name))
}

function unusable(message: string): Refusal {
  return refuse('invalid_filters', message)
}
