// The parts of a pasted search URL that have no effect, as the service lists them in `meta.ignored`. The keys that
// are read are in the contract (spec/schemas/SearchUrl.yaml); the service reads their values too, the mock only says which it would not read.

type Json = Readonly<Record<string, unknown>>

/** Ways to sell a home. Switched on, they say something only to a search of homes for sale. */
const SALE_TYPES: readonly (readonly string[])[] = [
  ['fsba', 'isForSaleByAgent'],
  ['fsbo', 'isForSaleByOwner'],
  ['nc', 'isNewConstruction'],
  ['fore', 'isForSaleForeclosure'],
  ['auc', 'isAuction'],
  ['cmsn', 'isComingSoon'],
]
/** The keys of filterState that hold a `value`: each in the spelling of URLs and, where it has one, in the long one. */
const VALUES: readonly (readonly string[])[] = [
  ['sf', 'isSingleFamily'],
  ['con', 'isCondo'],
  ['tow', 'isTownhouse'],
  ['mf', 'isMultiFamily'],
  ['manu', 'isManufactured'],
  ['land', 'isLotLand'],
  ['apa', 'isApartment'],
  ['apco', 'isApartmentOrCondo'],
  ['ah', 'isAllHomes'],
  ...SALE_TYPES,
  ['pnd', 'isPendingListingsSelected'],
  ['rs', 'isRecentlySold'],
  ['fr', 'isForRent'],
  ['pool', 'hasPool'],
  ['gar', 'hasGarage'],
  ['wat', 'isWaterfront'],
  ['open', 'isOpenHousesOnly'],
  ['55plus', 'ageRestricted55Plus'],
  ['doz'],
]
/** Those that hold a `min` and a `max`. */
const RANGES: readonly (readonly string[])[] = [
  ['price'],
  ['beds'],
  ['baths'],
  ['sqft'],
  ['built'],
  ['lot', 'lotSize'],
  ['hoa'],
]
/** The rent, which only searches of rentals ask for. */
const RENT = ['mp', 'monthlyPayment']
const READ: ReadonlySet<string> = new Set(['mapBounds', 'filterState'])
const BOX_KEYS: ReadonlySet<string> = new Set(['west', 'south', 'east', 'north'])
const STATUS_KEYS = ['rs', 'isRecentlySold', 'fr', 'isForRent']

/**
 * Names of what has no effect: other parameters of the URL, and places in searchQueryState, such as `filterState.cityv`.
 * The URL must be usable.
 *
 * @param forced the status that the operation forces on the search
 */
export function unreadOfSearchUrl(text: string, forced: string | undefined): string[] {
  const url = new URL(text)
  const state = objectOf(JSON.parse(url.searchParams.get('searchQueryState') ?? '{}'))
  const filters = objectOf(state.filterState)
  const parameters = [...url.searchParams].filter(([name, value]) => name !== 'searchQueryState' && value)
  const status = forced ?? statusOf(filters, url.pathname)
  const isForRent = status === 'for_rent'
  const read = new Map<string, readonly string[]>([
    ...readKeys(filters, VALUES, ['value']),
    ...readKeys(filters, isForRent ? [...RANGES, RENT] : RANGES, ['min', 'max']),
  ])
  // The rent is read instead of the price.
  const { min, max } = objectOf(filters.mp ?? filters.monthlyPayment)
  if (isForRent && saysSomething({ min: min ?? null, max: max ?? null })) read.delete('price')
  if (status !== 'for_sale')
    for (const names of SALE_TYPES)
      if (flagOf(filters, names) === true) for (const name of names) read.delete(name)
  const overridden =
    forced === undefined ? [] : STATUS_KEYS.filter((name) => saysSomething(filters[name] ?? undefined))
  return [
    ...parameters.map(([name]) => name),
    ...namesBeside(READ, state),
    ...namesBeside(BOX_KEYS, objectOf(state.mapBounds)).map((name) => `mapBounds.${name}`),
    ...[...unreadOf(filters, read), ...overridden].map((name) => `filterState.${name}`),
  ]
}

/** The status that the filters ask for; where they say nothing, the one of the path. */
function statusOf(filters: Json, path: string): string {
  if (flagOf(filters, ['rs', 'isRecentlySold']) === true) return 'sold'
  if (flagOf(filters, ['fr', 'isForRent']) === true) return 'for_rent'
  const sales = SALE_TYPES.map((names) => flagOf(filters, names))
  const isSilent = sales.every((value) => value === undefined) || sales.every((value) => value === false)
  const last = path.split('/').findLast((segment) => segment !== '')
  if (isSilent && last === 'sold') return 'sold'
  return isSilent && last === 'rentals' ? 'for_rent' : 'for_sale'
}

/** The value of the first of the names that is there. */
function flagOf(filters: Json, names: readonly string[]): unknown {
  const name = names.find((one) => (filters[one] ?? undefined) !== undefined)
  return name === undefined ? undefined : (objectOf(filters[name]).value ?? undefined)
}

function namesBeside(read: ReadonlySet<string>, values: Json): string[] {
  return Object.keys(values).filter((name) => !read.has(name) && saysSomething(values[name]))
}

/** Where both spellings are there, the first is read and the other has no effect. */
function readKeys(filters: Json, keys: readonly (readonly string[])[], fields: readonly string[]) {
  return keys.flatMap((names) => {
    const name = names.find((one) => (filters[one] ?? undefined) !== undefined)
    return name === undefined ? [] : [[name, fields] as const]
  })
}

function unreadOf(filters: Json, read: ReadonlyMap<string, readonly string[]>): string[] {
  return Object.entries(filters).flatMap(([name, entry]) => {
    if (!saysSomething(entry)) return []
    const fields = read.get(name)
    if (fields === undefined) return [name]
    return Object.entries(objectOf(entry)).flatMap(([field, value]) =>
      fields.includes(field) || !saysSomething(value) ? [] : [`${name}.${field}`],
    )
  })
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  return typeof value !== 'object' || Object.values(value).some((inner) => inner !== null)
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
