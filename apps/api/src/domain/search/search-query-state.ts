// Reads a search as the listing site writes it into its own URLs: JSON in the query parameter searchQueryState. It reads the short keys of
// URLs and the long keys of request bodies. The response lists unknown keys, because the site adds new ones all the time. A known key with
// the wrong type is refused: a filter must not be ignored silently. The contract lists every key that is read, in words
// (spec/schemas/SearchUrl.yaml) and as a table (packages/contract/src/checks/search-url-keys.ts).

import {
  BOX_KEYS,
  HOME_TYPE_KEYS,
  OTHER_KEYS,
  RANGE_KEYS,
  RENT_KEY,
  SALE_TYPE_KEYS,
  STATE_KEYS,
  STATUS_KEYS,
  SWITCH_KEYS,
  type UrlKey,
} from '@lotline/contract/checks'
import { type Refusal, refuseAt, refuseInput } from '../../infrastructure/refusals.ts'
import { readSiteUrl } from '../site-urls/listing-url.ts'
import {
  type AreaSearch,
  DAYS_ON_SITE,
  type HomeType,
  type NumberRange,
  type SaleType,
  type SearchStatus,
} from './area-search.ts'
import { FilterState, saysSomething, typeFault, UnusableFilter } from './filter-state.ts'
import { isFault, isRecord, ownValue, readBox } from './search-filters.ts'

export const MAX_SEARCH_URL_LENGTH = 8192
const INVALID_URL_CODE = 'invalid_search_url'

const HOME_TYPE_ENTRIES = keyEntries(HOME_TYPE_KEYS)
const SALE_TYPE_ENTRIES = keyEntries(SALE_TYPE_KEYS)
const SWITCHES = keyEntries(SWITCH_KEYS)
const { price: PRICE_KEY, ...FACT_RANGES } = RANGE_KEYS
const RANGES = keyEntries(FACT_RANGES)

/** Each key with both spellings, which may be equal. */
function keyEntries<Name extends string>(keys: Readonly<Record<Name, UrlKey>>) {
  return Object.entries<UrlKey>(keys).map(
    ([name, [short, long = short]]) => [name as Name, short, long] as const,
  )
}

export interface UrlSearch {
  readonly search: AreaSearch
  /** Places in searchQueryState that have a value and were not read, such as `filterState.cityv`. */
  readonly ignored: readonly string[]
}

/**
 * Reads a search URL on one of `hosts` or a subdomain, and refuses with `invalid_search_url`.
 *
 * @param place where the URL was sent. Its parts are named behind this, as in `url.filterState.price`
 * @param forced the status that is searched, whatever the URL contains
 */
export function fromSearchUrl(
  text: string,
  hosts: readonly string[],
  place = 'url',
  forced?: SearchStatus,
): UrlSearch | Refusal {
  const url = readSiteUrl(text, { hosts, maxLength: MAX_SEARCH_URL_LENGTH, spacesInQuery: true })
  if ('fault' in url) return refuseInput(INVALID_URL_CODE, place, url.fault)
  const parameters = new URLSearchParams(url.query)
  const states = parameters.getAll('searchQueryState')
  if (states.length !== 1 || !states[0]) return refuseAt(INVALID_URL_CODE, 'no_state', place, {})
  const query = parseObject(states[0])
  if (!query) return refuseAt(INVALID_URL_CODE, 'state_form', place, {})
  const bounds = ownValue(query, 'mapBounds') ?? undefined
  if (bounds === undefined) return refuseAt(INVALID_URL_CODE, 'no_box', place, {})
  const bbox = readBox(bounds)
  if (isFault(bbox)) return refuseInput(INVALID_URL_CODE, `${place}.mapBounds`, bbox.fault)
  const filters = ownValue(query, 'filterState') ?? {}
  if (!isRecord(filters)) {
    return refuseInput(INVALID_URL_CODE, `${place}.filterState`, typeFault('object', filters))
  }
  const state = new FilterState(filters, `${place}.filterState`)
  try {
    const asked = readSearchStatus(state, url.segments)
    const status = forced ?? asked
    const search = { status, bbox, ...readNarrowingFilters(state, status) }
    const unread = [...state.unread(), ...(forced ? state.present(STATUS_KEYS) : [])]
    const ignored = [
      ...[...parameters]
        .filter(([name, value]) => name !== 'searchQueryState' && value)
        .map(([name]) => name),
      ...namesBeside(STATE_KEYS, query),
      ...(isRecord(bounds) ? namesBeside(BOX_KEYS, bounds).map((name) => `mapBounds.${name}`) : []),
      ...unread.map((name) => `filterState.${name}`),
    ]
    return { search, ignored }
  } catch (error) {
    if (error instanceof UnusableFilter) return error.refusal
    throw error
  }
}

/** Another page, a region, or a line drawn by hand would narrow the search on the site. The zoom of the map would not. */
function namesBeside(read: ReadonlySet<string>, query: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(query).filter((name) => !read.has(name) && saysSomething(query[name]))
}

function readNarrowingFilters(
  filters: FilterState,
  status: SearchStatus,
): Omit<AreaSearch, 'status' | 'bbox'> {
  const narrowing: { -readonly [Name in keyof AreaSearch]?: AreaSearch[Name] } = {}
  const price = readPriceRange(filters, status)
  if (price) narrowing.price = price
  for (const [name, short, long] of RANGES) {
    const range = filters.range(short, long)
    if (range) narrowing[name] = range
  }
  for (const [name, short, long] of SWITCHES) {
    if (filters.flag(short, long) === true) narrowing[name] = true
  }
  const homeTypes = readHomeTypes(filters)
  if (homeTypes) narrowing.homeTypes = homeTypes
  const saleTypes = readSaleTypes(filters, status)
  if (saleTypes) narrowing.saleTypes = saleTypes
  // If the flag is set, the site shows pending homes in addition to the others.
  if (filters.flag(...OTHER_KEYS.pending) === false) narrowing.pending = false
  // The value excludes, includes, or requires senior housing.
  const senior = filters.choice(...OTHER_KEYS.seniorCommunity, ['e', 'i', 'o'])
  if (senior === 'e' || senior === 'o') narrowing.seniorCommunity = senior === 'o'
  const daysOnSite = filters.choice(...OTHER_KEYS.daysOnSite, DAYS_ON_SITE)
  if (daysOnSite) narrowing.daysOnSite = daysOnSite
  return narrowing
}

/** The flags decide. Without flags the last word of the path does (`/seattle-wa/rentals/`). */
function readSearchStatus(filters: FilterState, segments: readonly string[]): SearchStatus {
  const sold = filters.flag(...OTHER_KEYS.sold) === true
  const forRent = filters.flag(...OTHER_KEYS.forRent) === true
  if (sold && forRent) throw unusable(filters, 'two_statuses')
  if (sold) return 'sold'
  if (forRent) return 'for_rent'
  const sales = SALE_TYPE_ENTRIES.map(([, short, long]) => filters.flag(short, long))
  const last = segments.at(-1)
  const isSilent = sales.every((value) => value === undefined) || sales.every((value) => value === false)
  if (isSilent && last === 'sold') return 'sold'
  if (isSilent && last === 'rentals') return 'for_rent'
  return 'for_sale'
}

/** For rentals the site keeps the rent in monthlyPayment, and in price the amount that a buyer could afford for it. */
function readPriceRange(filters: FilterState, status: SearchStatus): NumberRange | undefined {
  const price = filters.range(...PRICE_KEY)
  const rent = status === 'for_rent' ? filters.range(...RENT_KEY) : undefined
  if (rent && price) filters.drop(...PRICE_KEY)
  return rent ?? price
}

/** Every type counts unless it is switched off. If all are switched off, those that are switched on again count. */
function readHomeTypes(filters: FilterState): readonly HomeType[] | undefined {
  const flags = HOME_TYPE_ENTRIES.map(([type, short, long]) => ({ type, value: filters.flag(short, long) }))
  const chosen = flags.filter(({ value }) => value === true)
  const all = filters.flag(...OTHER_KEYS.allHomes)
  // Apartments and condos together: the site sets this flag along with the other two.
  filters.flag(...OTHER_KEYS.apartmentOrCondo)
  const onlyChosen = all === false && chosen.length > 0
  const types = (onlyChosen ? chosen : flags.filter(({ value }) => value !== false)).map(({ type }) => type)
  if (types.length === 0) throw unusable(filters, 'no_home_type')
  return types.length === HOME_TYPE_ENTRIES.length ? undefined : types
}

/** Every way to sell a home counts unless it is switched off. For rentals and sold homes the site switches all off. */
function readSaleTypes(filters: FilterState, status: SearchStatus): readonly SaleType[] | undefined {
  const on = SALE_TYPE_ENTRIES.filter(([, short, long]) => filters.flag(short, long) !== false)
  if (status !== 'for_sale') {
    // A flag that is switched on would narrow a search of homes for sale.
    for (const [, short, long] of SALE_TYPE_ENTRIES) if (filters.flag(short, long)) filters.drop(short, long)
    return undefined
  }
  if (on.length === SALE_TYPE_ENTRIES.length) return undefined
  if (on.length === 0) throw unusable(filters, 'no_sale_type')
  return on.map(([type]) => type)
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function unusable(
  { place }: FilterState,
  cause: 'two_statuses' | 'no_home_type' | 'no_sale_type',
): UnusableFilter {
  return new UnusableFilter(refuseAt(INVALID_URL_CODE, cause, place, {}))
}
