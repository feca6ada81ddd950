// A search as the listing site writes it into its own URLs: JSON in the query parameter searchQueryState. Both the
// short keys of URLs and the long keys of request bodies are read; keys that are not known are ignored, as the site
// adds new ones all the time. A known key of the wrong type refuses the URL: a filter must not vanish in silence.

import { type Refusal, refuse } from '../platform/refusal.ts'
import { readSiteUrl } from '../site-urls/site-url.ts'
import {
  type AreaSearch,
  DAYS_ON_SITE,
  type DaysOnSite,
  type HomeType,
  type Range,
  type SearchStatus,
} from './area-search.ts'
import { type Fault, isFault, isRecord, own, readBox, readRange } from './ranges.ts'

export const MAX_SEARCH_URL_LENGTH = 8192

type FilterState = Readonly<Record<string, unknown>>

const HOME_TYPE_KEYS: readonly (readonly [HomeType, short: string, long: string])[] = [
  ['house', 'sf', 'isSingleFamily'],
  ['condo', 'con', 'isCondo'],
  ['townhouse', 'tow', 'isTownhouse'],
  ['multi_family', 'mf', 'isMultiFamily'],
  ['manufactured', 'manu', 'isManufactured'],
  ['lot', 'land', 'isLotLand'],
  ['apartment', 'apa', 'isApartment'],
]
const RANGE_KEYS = [
  ['beds', 'beds'],
  ['baths', 'baths'],
  ['sqft', 'sqft'],
  ['yearBuilt', 'built'],
] as const
const SWITCH_KEYS = [
  ['hasPool', 'pool', 'hasPool'],
  ['hasGarage', 'gar', 'hasGarage'],
  ['isWaterfront', 'wat', 'isWaterfront'],
] as const

/** Reads a search URL on one of `hosts` or a subdomain; refuses with `invalid_search_url`. */
export function fromSearchUrl(text: string, hosts: readonly string[]): AreaSearch | Refusal {
  const url = readSiteUrl(text, { hosts, maxLength: MAX_SEARCH_URL_LENGTH, spacesInQuery: true })
  if ('problem' in url) return unusable(`The search URL ${url.problem}.`)
  const states = new URLSearchParams(url.query).getAll('searchQueryState')
  if (states.length !== 1 || !states[0]) {
    return unusable(
      'The search URL has no searchQueryState. Open the search on the site, move its map once and copy the URL again.',
    )
  }
  const state = parseObject(states[0])
  if (!state) return unusable('searchQueryState is not a JSON object.')
  const bbox = readBox(own(state, 'mapBounds'))
  if (isFault(bbox)) return unusable(`mapBounds of searchQueryState ${bbox.fault}.`)
  const filters = own(state, 'filterState') ?? {}
  if (!isRecord(filters)) return unusable('filterState of searchQueryState must be an object.')
  try {
    return { status: statusOf(filters, url.segments), bbox, ...narrowingOf(filters) }
  } catch (error) {
    if (error instanceof UnusableFilter) return unusable(`filterState of searchQueryState: ${error.message}.`)
    throw error
  }
}

/** Ends the reading of one filterState; it never leaves this file. */
class UnusableFilter extends Error {}

function narrowingOf(filters: FilterState): Omit<AreaSearch, 'status' | 'bbox'> {
  const narrowing: { -readonly [Name in keyof AreaSearch]?: AreaSearch[Name] } = {}
  const price = priceOf(filters)
  if (price) narrowing.price = price
  for (const [name, key] of RANGE_KEYS) {
    const range = rangeOf(filters, key)
    if (range) narrowing[name] = range
  }
  for (const [name, short, long] of SWITCH_KEYS) {
    // An unticked box asks for nothing; it does not ask for homes without a pool.
    if (flag(filters, short, long) === true) narrowing[name] = true
  }
  const homeTypes = homeTypesOf(filters)
  if (homeTypes) narrowing.homeTypes = homeTypes
  const daysOnSite = daysOnSiteOf(filters)
  if (daysOnSite) narrowing.daysOnSite = daysOnSite
  return narrowing
}

/** The flags decide; where they say nothing, the last word of the path does (`/seattle-wa/rentals/`). */
function statusOf(filters: FilterState, segments: readonly string[]): SearchStatus {
  const sold = flag(filters, 'rs', 'isRecentlySold') === true
  const forRent = flag(filters, 'fr', 'isForRent') === true
  if (sold && forRent) throw new UnusableFilter('it asks for sold homes and for homes to rent at once')
  if (sold) return 'sold'
  if (forRent) return 'for_rent'
  const forSale = [
    ['fsba', 'isForSaleByAgent'],
    ['fsbo', 'isForSaleByOwner'],
    ['nc', 'isNewConstruction'],
    ['cmsn', 'isComingSoon'],
    ['auc', 'isAuction'],
    ['fore', 'isForSaleForeclosure'],
  ].some(([short = '', long = '']) => flag(filters, short, long) !== undefined)
  const last = segments.at(-1)
  if (!forSale && last === 'sold') return 'sold'
  if (!forSale && last === 'rentals') return 'for_rent'
  return 'for_sale'
}

/** For rentals the site keeps the rent in monthlyPayment, and in price what a buyer could afford for it. */
function priceOf(filters: FilterState): Range | undefined {
  const rent = rangeOf(filters, 'mp', 'monthlyPayment')
  const price = rangeOf(filters, 'price')
  return rent && flag(filters, 'fr', 'isForRent') === true ? rent : price
}

/** Every type counts unless it is switched off, or unless all are and some are switched on again. */
function homeTypesOf(filters: FilterState): readonly HomeType[] | undefined {
  const flags = HOME_TYPE_KEYS.map(([type, short, long]) => ({ type, value: flag(filters, short, long) }))
  const chosen = flags.filter(({ value }) => value === true)
  const onlyChosen = flag(filters, 'ah', 'isAllHomes') === false && chosen.length > 0
  const types = (onlyChosen ? chosen : flags.filter(({ value }) => value !== false)).map(({ type }) => type)
  if (types.length === 0) throw new UnusableFilter('every type of home is switched off')
  return types.length === HOME_TYPE_KEYS.length ? undefined : types
}

function daysOnSiteOf(filters: FilterState): DaysOnSite | undefined {
  const entry = entryOf(filters, 'doz')
  if (entry === undefined) return undefined
  const value = own(entry, 'value')
  if (value === undefined || value === null) return undefined
  const days = DAYS_ON_SITE.find((known) => known === value)
  if (!days) throw new UnusableFilter('doz must be 1, 7, 14, 30, 90, 6m, 12m, 24m or 36m, as a text')
  return days
}

function rangeOf(filters: FilterState, short: string, long = short): Range | undefined {
  const entry = entryOf(filters, short, long)
  if (entry === undefined) return undefined
  const range: Range | Fault | undefined = readRange(entry)
  if (isFault(range)) throw new UnusableFilter(`${short} ${range.fault}`)
  return range
}

function flag(filters: FilterState, short: string, long: string): boolean | undefined {
  const entry = entryOf(filters, short, long)
  if (entry === undefined) return undefined
  const value = own(entry, 'value')
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw new UnusableFilter(`${short} must have true or false as its value`)
  return value
}

function entryOf(filters: FilterState, short: string, long = short): FilterState | undefined {
  const entry = own(filters, short) ?? own(filters, long) ?? undefined
  if (entry === undefined) return undefined
  if (!isRecord(entry)) throw new UnusableFilter(`${short} must be an object`)
  return entry
}

function parseObject(text: string): FilterState | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function unusable(message: string): Refusal {
  return refuse('invalid_search_url', message)
}
