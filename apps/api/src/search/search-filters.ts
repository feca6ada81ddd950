// The filters of a search, from a JSON body or from the query of GET /v1/listings, to the one shape that providers
// take. The contract has judged every value by itself; what is judged here is how they stand to each other, and the box
// that is written as a text.

import type { Input } from '@lotline/contract'
import { type Fault as InputRefusal, readAreas, readListingsPlace } from '@lotline/contract/checks'
import { cityKey } from '../address/street-address.ts'
import { type Refusal, refuse, refuseInput } from '../platform/refusal.ts'
import {
  type AreaSearch,
  type HomeType,
  type Range,
  type SaleType,
  type SearchStatus,
  WORLD,
} from './area-search.ts'
import { type Fault, isFault, readBox, readRange } from './ranges.ts'

const RANGES = ['price', 'beds', 'baths', 'sqft', 'yearBuilt', 'lotSize', 'hoa'] as const
const SWITCHES = [
  'hasPool',
  'hasGarage',
  'isWaterfront',
  'pending',
  'comingSoon',
  'openHouse',
  'seniorCommunity',
] as const

type NameOf = (filter: 'bbox' | 'area' | (typeof RANGES)[number]) => string
type Filters = Input<'searchWithDetails'>['body']['filters']
type Query = Input<'listListings'>['query']
/** How many are returned, and in which format, is no part of the search. */
type Filtering = Omit<Query, 'max_items' | 'format'>

/** `filters` of a search body; refuses with `invalid_filters`. `forced`: the status that the operation forces. */
export function toAreaSearch(filters: Filters, forced?: SearchStatus): AreaSearch | Refusal {
  return readFilters(filters, { nameOf: (name) => `filters.${name}` }, forced)
}

/** `nameOf`: what the caller calls a filter; `placeOf`: the parameter or field that it is sent in. */
function readFilters(
  filters: Filters,
  { nameOf, placeOf = nameOf }: Record<'nameOf', NameOf> & Partial<Record<'placeOf', NameOf>>,
  forced?: SearchStatus,
): AreaSearch | Refusal {
  const unusable = (name: Parameters<NameOf>[0], { fault }: Fault) =>
    refuseInput('invalid_filters', nameOf(name), fault, { parameter: placeOf(name) })
  const { status, homeTypes, saleTypes, daysOnSite } = filters
  const bbox = filters.bbox ? readBox(filters.bbox) : WORLD
  if (isFault(bbox)) return unusable('bbox', bbox)
  const read = filters.area && readAreas(filters.area, nameOf('area'))
  if (read && 'fault' in read) return refusalOf(read.fault)
  const ranges: Partial<Record<(typeof RANGES)[number], Range>> = {}
  for (const name of RANGES) {
    const range = filters[name] && readRange(filters[name])
    if (isFault(range)) return unusable(name, range)
    if (range) ranges[name] = range
  }
  return {
    status: forced ?? status,
    bbox,
    ...(read && { areas: read.areas }),
    ...(filters.zips && { zips: [...new Set(filters.zips)].sort() }),
    ...(filters.cities && { cities: citiesOf(filters.cities) }),
    ...ranges,
    ...(homeTypes && { homeTypes: [...new Set(homeTypes)] }),
    ...(daysOnSite && { daysOnSite }),
    ...(saleTypes && { saleTypes: [...new Set(saleTypes)] }),
    ...switchesOf(filters),
  }
}

/** In their normal spelling. A state that does not exist is in no address, so nothing is found in it. */
function citiesOf(cities: readonly string[]): string[] {
  const keys = cities.map((text) => {
    const comma = text.lastIndexOf(',')
    const [city, state] = [text.slice(0, comma), text.slice(comma + 1)]
    return cityKey(city, state) ?? text.trim().toUpperCase()
  })
  return [...new Set(keys)].sort()
}

function switchesOf(filters: Filters): Pick<AreaSearch, (typeof SWITCHES)[number]> {
  return Object.fromEntries(
    SWITCHES.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  )
}

/** The query of GET /v1/listings; refuses with `invalid_filters`. */
export function fromListingsQuery(query: Filtering): AreaSearch | Refusal {
  const place = readListingsPlace(query)
  if ('fault' in place) return refusalOf(place.fault)
  const filters = {
    status: query.status,
    ...place,
    price: { min: query.price_min ?? null, max: query.price_max ?? null },
    beds: { min: query.beds_min ?? null, max: query.beds_max ?? null },
    baths: { min: query.baths_min ?? null, max: query.baths_max ?? null },
    sqft: { min: query.sqft_min ?? null, max: query.sqft_max ?? null },
    yearBuilt: { min: query.year_built_min ?? null, max: query.year_built_max ?? null },
    lotSize: { min: query.lot_size_min ?? null, max: query.lot_size_max ?? null },
    hoa: { min: query.hoa_min ?? null, max: query.hoa_max ?? null },
    ...(query.home_types && { homeTypes: listed<HomeType>(query.home_types) }),
    ...(query.sale_types && { saleTypes: listed<SaleType>(query.sale_types) }),
    ...(query.pending !== undefined && { pending: query.pending }),
    ...(query.coming_soon !== undefined && { comingSoon: query.coming_soon }),
    ...(query.open_house !== undefined && { openHouse: query.open_house }),
    ...(query.senior_community !== undefined && { seniorCommunity: query.senior_community }),
    ...(query.days_on_site && { daysOnSite: query.days_on_site }),
  }
  const area = query.near === undefined ? 'polygon' : 'near'
  const nameOf: NameOf = (name) => (name === 'area' ? area : (QUERY_NAMES[name] ?? name))
  return readFilters(filters, { nameOf, placeOf: (name) => (name === 'bbox' ? name : `${nameOf(name)}_min`) })
}

/** Where the query calls a filter otherwise than the body. */
const QUERY_NAMES: Readonly<Record<string, string>> = { yearBuilt: 'year_built', lotSize: 'lot_size' }

/** The contract has found it to be a list of known words, separated by commas. */
function listed<Word extends string>(text: string): Word[] {
  return text.split(',').map((word) => word.trim() as Word)
}

function refusalOf({ code, message, details }: InputRefusal): Refusal {
  return refuse(code, message, details)
}
