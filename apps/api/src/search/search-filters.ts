// The filters of a search, from a JSON body or from the query of GET /v1/listings, to the one shape that providers
// take. The contract has checked every value by itself. This file checks values against each other, and the box that is
// written as text.

import { type Input, type InputFault, inputFault, shownValue } from '@lotline/contract'
import {
  boxDetails,
  findSwappedBox,
  type Fault as InputRefusal,
  type PlaceOf,
  placesIn,
  readAreas,
  readListingsPlace,
} from '@lotline/contract/checks'
import { cityKey } from '../address/street-address.ts'
import { type Refusal, refuse, refuseInput } from '../platform/refusal.ts'
import {
  type AreaSearch,
  type BoundingBox,
  type HomeType,
  type Range,
  type SaleType,
  type SearchStatus,
  WORLD,
} from './area-search.ts'

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

type NameOf = (filter: 'bbox' | (typeof RANGES)[number]) => string
type Filters = Input<'searchWithDetails'>['body']['filters']
type Query = Input<'listListings'>['query']
/** How many are returned, in which order and in which format, is no part of the search. */
type Filtering = Omit<Query, 'max_items' | 'format' | 'shape' | 'sort' | 'cursor'>

/** The client's name of an area of `filters.area`, which is one area or a list. */
export function areaPlaceIn({ area }: { readonly area?: unknown }): (index: number) => string {
  return (index) => (Array.isArray(area) ? `filters.area.${index}` : 'filters.area')
}

/** `filters` of a search body; refuses with `invalid_filters`. `forced`: the status that the operation forces. */
export function toAreaSearch(filters: Filters, forced?: SearchStatus): AreaSearch | Refusal {
  return readFilters(
    filters,
    { nameOf: (name) => `filters.${name}`, areaPlaceOf: placesIn('filters.area') },
    forced,
  )
}

/** The client's name of a filter; the parameter or field that it is sent in; and where in that a part of an area is. */
interface Names {
  readonly nameOf: NameOf
  readonly placeOf?: NameOf
  readonly areaPlaceOf: PlaceOf
}

function readFilters(
  filters: Filters,
  { nameOf, placeOf = nameOf, areaPlaceOf }: Names,
  forced?: SearchStatus,
): AreaSearch | Refusal {
  const unusable = (name: (typeof RANGES)[number], { fault }: Fault) =>
    refuseInput('invalid_filters', nameOf(name), fault, { parameter: placeOf(name) })
  const { status, homeTypes, saleTypes, daysOnSite } = filters
  const bbox = filters.bbox ? readBox(filters.bbox) : WORLD
  if (isFault(bbox))
    return refuseInput('invalid_filters', nameOf('bbox'), bbox.fault, boxDetails(placeOf('bbox'), bbox.fault))
  const swapped = filters.bbox && findSwappedBox(filters.bbox, placesIn(nameOf('bbox')))
  if (swapped) return refusalOf(swapped)
  const read = filters.area && readAreas(filters.area, areaPlaceOf)
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
  const read = readListingsPlace(query)
  if ('fault' in read) return refusalOf(read.fault)
  const { placeOf: areaPlaceOf, ...place } = read
  const filters = {
    status: query.status,
    ...place,
    price: rangeOf(query.price_min, query.price_max),
    beds: rangeOf(query.beds_min, query.beds_max),
    baths: rangeOf(query.baths_min, query.baths_max),
    sqft: rangeOf(query.sqft_min, query.sqft_max),
    yearBuilt: rangeOf(query.year_built_min, query.year_built_max),
    lotSize: rangeOf(query.lot_size_min, query.lot_size_max),
    hoa: rangeOf(query.hoa_min, query.hoa_max),
    ...(query.home_types && { homeTypes: listed<HomeType>(query.home_types) }),
    ...(query.sale_types && { saleTypes: listed<SaleType>(query.sale_types) }),
    ...(query.pending !== undefined && { pending: query.pending }),
    ...(query.coming_soon !== undefined && { comingSoon: query.coming_soon }),
    ...(query.open_house !== undefined && { openHouse: query.open_house }),
    ...(query.senior_community !== undefined && { seniorCommunity: query.senior_community }),
    ...(query.days_on_site && { daysOnSite: query.days_on_site }),
  }
  const nameOf: NameOf = (name) => QUERY_NAMES[name] ?? name
  const placeOf: NameOf = (name) => (name === 'bbox' ? name : `${nameOf(name)}_min`)
  return readFilters(filters, { nameOf, placeOf, areaPlaceOf })
}

function rangeOf(min: number | undefined, max: number | undefined): Range {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

/** The filters whose name in the query differs from that in the body. */
const QUERY_NAMES: Readonly<Record<string, string>> = { yearBuilt: 'year_built', lotSize: 'lot_size' }

/** The contract has found it to be a list of known words, separated by commas. */
function listed<Word extends string>(text: string): Word[] {
  return text.split(',').map((word) => word.trim() as Word)
}

function refusalOf({ code, message, details }: InputRefusal): Refusal {
  return refuse(code, message, details)
}

// Reading the parts that filters of bodies and of search URLs share: a box and a range. No contract has judged what is
// in a URL. Each returns the value or the fault, without a place and a code, so that every caller can add its own.

/** Why a value cannot be used. */
export interface Fault {
  readonly fault: InputFault
}

const MAX_BOUND = 1e12

/** undefined: the range restricts nothing. A null end is an open one. */
export function readRange(value: unknown): Range | Fault | undefined {
  if (!isRecord(value)) return { fault: inputFault('range_form', { value: shownValue(value) }) }
  const min = readBound(value, 'min')
  const max = readBound(value, 'max')
  for (const [name, bound] of [['min', min] as const, ['max', max] as const]) {
    if (bound === undefined) continue
    if (typeof bound !== 'number' || !Number.isFinite(bound) || bound < 0 || bound > MAX_BOUND) {
      return { fault: inputFault('range_bound', { end: name, value: shownValue(bound) }) }
    }
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    return { fault: inputFault('range_inverted', { min, max }) }
  }
  if (min === undefined && max === undefined) return undefined
  return {
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  }
}

/** A box in degrees. `west` may lie east of `east`: the box then crosses the antimeridian. */
export function readBox(value: unknown): BoundingBox | Fault {
  if (!isRecord(value)) return { fault: inputFault('box_form', { value: shownValue(value) }) }
  const [west, south, east, north] = ['west', 'south', 'east', 'north'].map((name) => own(value, name))
  if (!isDegree(west, 180) || !isDegree(east, 180)) {
    return { fault: inputFault('box_longitude', { west: shownValue(west), east: shownValue(east) }) }
  }
  if (!isDegree(south, 90) || !isDegree(north, 90)) {
    return { fault: inputFault('box_latitude', { south: shownValue(south), north: shownValue(north) }) }
  }
  if (south > north) return { fault: inputFault('box_inverted', { south, north }) }
  return { west, south, east, north }
}

export function isFault(value: object | undefined): value is Fault {
  return value !== undefined && 'fault' in value
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that the object itself holds, so that `constructor` and the like are absent. */
export function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function readBound(range: Readonly<Record<string, unknown>>, name: string): unknown {
  return own(range, name) ?? undefined
}

function isDegree(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit
}
