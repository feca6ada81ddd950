// The filters of a search, from a JSON body or from the query of GET /v1/listings, to the one shape that providers
// take. The contract has judged most of this before; everything is judged here again, since a job may have been
// stored by an older release and a search must never widen because a filter could not be read.

import { type Refusal, refuse } from '../refusal.ts'
import {
  type AreaSearch,
  DAYS_ON_SITE,
  type DaysOnSite,
  HOME_TYPES,
  type HomeType,
  type SearchStatus,
} from './area-search.ts'
import { isFault, isRecord, own, type RangeRules, readBox, readRange } from './ranges.ts'

export const SEARCH_STATUSES: readonly SearchStatus[] = ['for_sale', 'for_rent', 'sold']

const RANGES: readonly {
  readonly name: 'price' | 'beds' | 'baths' | 'sqft' | 'yearBuilt'
  rules?: RangeRules
}[] = [
  { name: 'price' },
  { name: 'beds' },
  { name: 'baths' },
  { name: 'sqft' },
  { name: 'yearBuilt', rules: { wholeNumbers: true } },
]
const SWITCHES = ['hasPool', 'hasGarage', 'isWaterfront'] as const

type Draft = { -readonly [Name in keyof AreaSearch]?: AreaSearch[Name] }

/**
 * Reads `filters` of a search body; refuses with `invalid_filters`. Unknown names are ignored. `status`, when given,
 * is what the operation forces; otherwise the body's counts, and without one `for_sale`.
 */
export function toAreaSearch(filters: unknown, status?: SearchStatus): AreaSearch | Refusal {
  if (!isRecord(filters)) return unusable('filters must be an object.')
  const asked = own(filters, 'status') ?? 'for_sale'
  if (!isSearchStatus(asked)) return unusable(`filters.status must be one of ${SEARCH_STATUSES.join(', ')}.`)
  if (own(filters, 'bbox') === undefined) {
    return unusable(
      'filters.bbox is required: an object with west, south, east and north. location is only a hint.',
    )
  }
  const bbox = readBox(own(filters, 'bbox'))
  if (isFault(bbox)) return unusable(`filters.bbox ${bbox.fault}.`)
  const draft: Draft = {}
  const problem = readNarrowing(filters, draft)
  return problem === undefined ? { status: status ?? asked, bbox, ...draft } : unusable(`filters.${problem}.`)
}

/** The query of GET /v1/listings; values may still be text. Refuses with `missing_input` or `invalid_filters`. */
export function fromListingsQuery(query: Readonly<Record<string, unknown>>): AreaSearch | Refusal {
  const box = own(query, 'bbox')
  if (box === undefined || box === '') {
    return refuse('missing_input', 'The query parameter bbox is required: west,south,east,north in degrees.')
  }
  const numbers = typeof box === 'string' ? box.split(',').map((part) => toDecimal(part.trim())) : []
  if (numbers.length !== 4 || numbers.some((number) => number === undefined)) {
    return unusable('bbox must be four numbers, separated by commas: west,south,east,north.')
  }
  const [west, south, east, north] = numbers
  const filters: Record<string, unknown> = { bbox: { west, south, east, north } }
  for (const { name } of RANGES) {
    const snake = name === 'yearBuilt' ? 'year_built' : name
    const min = toWhole(own(query, `${snake}_min`))
    const max = toWhole(own(query, `${snake}_max`))
    if (min === null || max === null) return unusable(`${snake}_min and ${snake}_max must be whole numbers.`)
    if (min !== undefined || max !== undefined) filters[name] = { min, max }
  }
  for (const name of ['status', 'location']) filters[name] = own(query, name)
  filters.daysOnSite = own(query, 'days_on_site')
  const types = own(query, 'home_types')
  filters.homeTypes = typeof types === 'string' ? types.split(',').map((type) => type.trim()) : types
  return toAreaSearch(filters)
}

export function isSearchStatus(value: unknown): value is SearchStatus {
  return SEARCH_STATUSES.some((status) => status === value)
}

export function isDaysOnSite(value: unknown): value is DaysOnSite {
  return DAYS_ON_SITE.some((days) => days === value)
}

/** Fills `draft`; answers with the problem of the first filter that cannot be used. */
function readNarrowing(filters: Readonly<Record<string, unknown>>, draft: Draft): string | undefined {
  const location = own(filters, 'location')
  if (location !== undefined && typeof location !== 'string') return 'location must be a text'
  for (const { name, rules } of RANGES) {
    const value = own(filters, name)
    if (value === undefined) continue
    const range = readRange(value, rules)
    if (isFault(range)) return `${name} ${range.fault}`
    if (range) draft[name] = range
  }
  for (const name of SWITCHES) {
    const value = own(filters, name)
    if (value === undefined) continue
    if (typeof value !== 'boolean') return `${name} must be true or false`
    draft[name] = value
  }
  const days = own(filters, 'daysOnSite')
  if (days !== undefined) {
    if (!isDaysOnSite(days)) return `daysOnSite must be one of the texts ${DAYS_ON_SITE.join(', ')}`
    draft.daysOnSite = days
  }
  const types = own(filters, 'homeTypes')
  if (types === undefined) return undefined
  if (!isHomeTypes(types)) return `homeTypes must be a list of some of ${HOME_TYPES.join(', ')}`
  draft.homeTypes = [...new Set(types)]
  return undefined
}

function isHomeTypes(value: unknown): value is readonly HomeType[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((item) => HOME_TYPES.some((type) => type === item))
}

function toDecimal(text: string): number | undefined {
  return /^-?\d{1,20}(?:\.\d{1,50})?$/.test(text) ? Number(text) : undefined
}

/** null: present, but not a whole number. */
function toWhole(value: unknown): number | null | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number') return Number.isInteger(value) ? value : null
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : null
}

function unusable(message: string): Refusal {
  return refuse('invalid_filters', message)
}
