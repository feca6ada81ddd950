// What of a pasted search URL has no effect, as the service names it in `meta.ignored`. Which keys are read stands in the
// contract (spec/schemas/SearchUrl.yaml); the service reads their values too, the mock only says which it would not read.

type Json = Readonly<Record<string, unknown>>

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
  ['fsba', 'isForSaleByAgent'],
  ['fsbo', 'isForSaleByOwner'],
  ['nc', 'isNewConstruction'],
  ['fore', 'isForSaleForeclosure'],
  ['auc', 'isAuction'],
  ['cmsn', 'isComingSoon'],
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
const OF_THE_PAGE: ReadonlySet<string> = new Set([
  ...['mapBounds', 'filterState', 'isMapVisible', 'isListVisible'],
  ...['mapZoom', 'usersSearchTerm', 'category'],
])

/** Places in searchQueryState, such as `filterState.cityv`. The URL must be usable. */
export function unreadOfSearchUrl(text: string): string[] {
  const url = new URL(text)
  const state = objectOf(JSON.parse(url.searchParams.get('searchQueryState') ?? '{}'))
  const filters = objectOf(state.filterState)
  const beside = Object.keys(state).filter((name) => !OF_THE_PAGE.has(name) && saysSomething(state[name]))
  const isForRent =
    objectOf(filters.fr ?? filters.isForRent).value === true || /\/rentals\/?$/.test(url.pathname)
  const read = new Map<string, readonly string[]>([
    ...readKeys(filters, VALUES, ['value']),
    ...readKeys(filters, isForRent ? [...RANGES, RENT] : RANGES, ['min', 'max']),
  ])
  return [...beside, ...unreadOf(filters, read).map((name) => `filterState.${name}`)]
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
