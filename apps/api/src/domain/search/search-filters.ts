// Turns the filters of a JSON body, or of the query of GET /v1/listings, into the one form that providers receive. The contract has checked
// every value on its own. This file checks values against each other, and the box, which is written as text.

import { type Input, type InputFault, inputFault, shownValue } from '@lotline/contract'
import {
  boxDetails,
  findSwappedBox,
  type Fault as InputRefusal,
  type NamePlace,
  namePlacesIn,
  readAreas,
  readListingsPlace,
} from '@lotline/contract/checks'
import { type Refusal, refuse, refuseInput } from '../../infrastructure/refusals.ts'
import { cityKey } from '../address/street-address.ts'
import {
  type AreaSearch,
  type BoundingBox,
  type NumberRange,
  type SearchStatus,
  WORLD,
} from './area-search.ts'
import {
  FILTER_ENTRIES,
  FILTERS,
  type Filter,
  type FilterName,
  type FilterValues,
} from './searchable-facts.ts'

type NameOf = (filter: 'bbox' | FilterName) => string
type BodyFilters = Input<'searchWithDetails'>['body']['filters']
type ListQuery = Input<'listListings'>['query']
/** The number, order, and format of the rows are no part of the search. */
type Filtering = Omit<ListQuery, 'max_items' | 'format' | 'shape' | 'sort' | 'cursor'>

/** The client's name of an area in `filters.area`, which is one area or a list. */
export function areaPlaceIn({ area }: { readonly area?: unknown }): (index: number) => string {
  return (index) => (Array.isArray(area) ? `filters.area.${index}` : 'filters.area')
}

/** Reads `filters` of a search body, and refuses with `invalid_filters`. `forced` is the status that the operation prescribes. */
export function toAreaSearch(filters: BodyFilters, forced?: SearchStatus): AreaSearch | Refusal {
  return readFilters(
    filters,
    { nameOf: (name) => `filters.${name}`, areaPlaceOf: namePlacesIn('filters.area') },
    forced,
  )
}

/** The client's name of a filter, the parameter or field that it is sent in, and the place of a part of an area in it. */
interface FilterNames {
  readonly nameOf: NameOf
  readonly placeOf?: NameOf
  readonly areaPlaceOf: NamePlace
}

function readFilters(
  filters: BodyFilters,
  { nameOf, placeOf = nameOf, areaPlaceOf }: FilterNames,
  forced?: SearchStatus,
): AreaSearch | Refusal {
  const { status } = filters
  const bbox = filters.bbox ? readBox(filters.bbox) : WORLD
  if (isFault(bbox))
    return refuseInput('invalid_filters', nameOf('bbox'), bbox.fault, boxDetails(placeOf('bbox'), bbox.fault))
  const swapped = filters.bbox && findSwappedBox(filters.bbox, namePlacesIn(nameOf('bbox')))
  if (swapped) return toRefusal(swapped)
  const read = filters.area && readAreas(filters.area, areaPlaceOf)
  if (read && 'fault' in read) return toRefusal(read.fault)
  const values: Partial<Record<FilterName, unknown>> = {}
  for (const [name, { kind }] of FILTER_ENTRIES) {
    const value = readValue(kind, filters[name])
    if (isFault(value))
      return refuseInput('invalid_filters', nameOf(name), value.fault, { parameter: placeOf(name) })
    if (value !== undefined) values[name] = value
  }
  return {
    status: forced ?? status,
    bbox,
    ...(read && { areas: read.areas }),
    ...(filters.zips && { zips: [...new Set(filters.zips)].sort() }),
    ...(filters.cities && { cities: uniqueCities(filters.cities) }),
    ...(values as FilterValues),
  }
}

/** undefined: the filter restricts nothing. */
function readValue(kind: Filter['kind'], value: unknown): unknown {
  switch (kind) {
    case 'range':
      return value ? readRange(value) : undefined
    case 'words':
      return value ? [...new Set(value as readonly string[])] : undefined
    case 'age':
      return value || undefined
    case 'flag':
    case 'word-flag':
    case 'until':
      return value
  }
}

/** The cities in their normal spelling. A state that does not exist occurs in no address, so nothing is found there. */
function uniqueCities(cities: readonly string[]): string[] {
  const keys = cities.map((text) => {
    const comma = text.lastIndexOf(',')
    const [city, state] = [text.slice(0, comma), text.slice(comma + 1)]
    return cityKey(city, state) ?? text.trim().toUpperCase()
  })
  return [...new Set(keys)].sort()
}

/** Reads the query of GET /v1/listings, and refuses with `invalid_filters`. */
export function fromListingsQuery(query: Filtering): AreaSearch | Refusal {
  const read = readListingsPlace(query)
  if ('fault' in read) return toRefusal(read.fault)
  const { placeOf: areaPlaceOf, ...place } = read
  const values = FILTER_ENTRIES.map(([name, { kind, query: parameter }]) => [
    name,
    parameter === null ? undefined : readParameter(kind, parameter, query),
  ])
  const filters: BodyFilters = { status: query.status, ...place, ...Object.fromEntries(values) }
  const nameOf: NameOf = (name) => (name === 'bbox' ? name : (FILTERS[name].query ?? name))
  const placeOf: NameOf = (name) => (name === 'bbox' ? name : `${nameOf(name)}_min`)
  return readFilters(filters, { nameOf, placeOf, areaPlaceOf })
}

/** The value of a filter, in the form that a body has. */
function readParameter(
  kind: Filter['kind'],
  parameter: string,
  query: Readonly<Record<string, unknown>>,
): unknown {
  const value = query[parameter]
  switch (kind) {
    case 'range':
      return { min: query[`${parameter}_min`], max: query[`${parameter}_max`] }
    case 'words':
      // The contract has checked that it is a list of known words, separated by commas.
      return value
        ? String(value)
            .split(',')
            .map((word) => word.trim())
        : undefined
    case 'age':
    case 'flag':
    case 'word-flag':
    case 'until':
      return value
  }
}

function toRefusal({ code, message, details }: InputRefusal): Refusal {
  return refuse(code, message, details)
}

// Reads a box and a range, which filters of bodies and of search URLs have in common. No contract has checked values from a URL. Each
// function returns the value or the fault, without a place and a code, so that every caller can add its own.

/** The reason why a value cannot be used. */
export interface Fault {
  readonly fault: InputFault
}

const MAX_BOUND = 1e12

/** undefined: the range restricts nothing. A null bound is open. */
export function readRange(value: unknown): NumberRange | Fault | undefined {
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

/** A box in degrees. If `west` is east of `east`, the box crosses the antimeridian. */
export function readBox(value: unknown): BoundingBox | Fault {
  if (!isRecord(value)) return { fault: inputFault('box_form', { value: shownValue(value) }) }
  const [west, south, east, north] = ['west', 'south', 'east', 'north'].map((name) => ownValue(value, name))
  if (!isDegree(west, 180) || !isDegree(east, 180)) {
    return { fault: inputFault('box_longitude', { west: shownValue(west), east: shownValue(east) }) }
  }
  if (!isDegree(south, 90) || !isDegree(north, 90)) {
    return { fault: inputFault('box_latitude', { south: shownValue(south), north: shownValue(north) }) }
  }
  if (south > north) return { fault: inputFault('box_inverted', { south, north }) }
  return { west, south, east, north }
}

export function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'fault' in value
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that the object itself has, so that `constructor` and the like are absent. */
export function ownValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function readBound(range: Readonly<Record<string, unknown>>, name: string): unknown {
  return ownValue(range, name) ?? undefined
}

function isDegree(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit
}
