// The parts of a pasted search URL that have no effect, as the service lists them in `meta.ignored`. The keys that
// are read are in the contract (spec/schemas/SearchUrl.yaml); the service reads their values too, the mock only says which it would not read.

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

type Json = Readonly<Record<string, unknown>>

const SALE_TYPES = Object.values(SALE_TYPE_KEYS)
/** Keys of the filter state that contain a `value`. */
const KEYS_WITH_VALUES: readonly UrlKey[] = [SWITCH_KEYS, HOME_TYPE_KEYS, SALE_TYPE_KEYS, OTHER_KEYS].flatMap(
  (keys) => Object.values<UrlKey>(keys),
)
/** Keys of the filter state that contain a `min` and a `max`. */
const RANGES: readonly UrlKey[] = Object.values(RANGE_KEYS)

/**
 * Names of what has no effect: other parameters of the URL, and places in searchQueryState, such as `filterState.cityv`.
 * The URL must be usable.
 *
 * @param forced the status that the operation forces on the search
 */
export function unreadOfSearchUrl(text: string, forced: string | undefined): string[] {
  const url = new URL(text)
  const state = asObject(JSON.parse(url.searchParams.get('searchQueryState') ?? '{}'))
  const filters = asObject(state.filterState)
  const parameters = [...url.searchParams].filter(([name, value]) => name !== 'searchQueryState' && value)
  const status = forced ?? searchUrlStatus(filters, url.pathname)
  const isForRent = status === 'for_rent'
  const read = new Map<string, readonly string[]>([
    ...readKeys(filters, KEYS_WITH_VALUES, ['value']),
    ...readKeys(filters, isForRent ? [...RANGES, RENT_KEY] : RANGES, ['min', 'max']),
  ])
  // A rental search reads the rent instead of the price.
  const { min, max } = asObject(filters[RENT_KEY[0]] ?? filters[RENT_KEY[1]])
  if (isForRent && saysSomething({ min: min ?? null, max: max ?? null })) read.delete('price')
  if (status !== 'for_sale')
    for (const names of SALE_TYPES)
      if (readFlag(filters, names) === true) for (const name of names) read.delete(name)
  const overridden =
    forced === undefined ? [] : STATUS_KEYS.filter((name) => saysSomething(filters[name] ?? undefined))
  return [
    ...parameters.map(([name]) => name),
    ...namesBeside(STATE_KEYS, state),
    ...namesBeside(BOX_KEYS, asObject(state.mapBounds)).map((name) => `mapBounds.${name}`),
    ...[...findUnreadKeys(filters, read), ...overridden].map((name) => `filterState.${name}`),
  ]
}

/** The status that the filters ask for; where they say nothing, the one of the path. */
function searchUrlStatus(filters: Json, path: string): string {
  if (readFlag(filters, OTHER_KEYS.sold) === true) return 'sold'
  if (readFlag(filters, OTHER_KEYS.forRent) === true) return 'for_rent'
  const sales = SALE_TYPES.map((names) => readFlag(filters, names))
  const isSilent = sales.every((value) => value === undefined) || sales.every((value) => value === false)
  const last = path.split('/').findLast((segment) => segment !== '')
  if (isSilent && last === 'sold') return 'sold'
  return isSilent && last === 'rentals' ? 'for_rent' : 'for_sale'
}

/** The value of the first of the names that is there. */
function readFlag(filters: Json, names: UrlKey): unknown {
  const name = findKeyName(filters, names)
  return name === undefined ? undefined : (asObject(filters[name]).value ?? undefined)
}

/** The spelling of a key that the filters have. */
function findKeyName(filters: Json, names: UrlKey): string | undefined {
  return names.find((one) => one !== undefined && (filters[one] ?? undefined) !== undefined)
}

function namesBeside(read: ReadonlySet<string>, values: Json): string[] {
  return Object.keys(values).filter((name) => !read.has(name) && saysSomething(values[name]))
}

/** Where both spellings are there, the first is read and the other has no effect. */
function readKeys(filters: Json, keys: readonly UrlKey[], fields: readonly string[]) {
  return keys.flatMap((names) => {
    const name = findKeyName(filters, names)
    return name === undefined ? [] : [[name, fields] as const]
  })
}

function findUnreadKeys(filters: Json, read: ReadonlyMap<string, readonly string[]>): string[] {
  return Object.entries(filters).flatMap(([name, entry]) => {
    if (!saysSomething(entry)) return []
    const fields = read.get(name)
    if (fields === undefined) return [name]
    return Object.entries(asObject(entry)).flatMap(([field, value]) =>
      fields.includes(field) || !saysSomething(value) ? [] : [`${name}.${field}`],
    )
  })
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  return typeof value !== 'object' || Object.values(value).some((inner) => inner !== null)
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
