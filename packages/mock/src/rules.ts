// What the contract says of input in words, because no schema keyword can say it: a box the right way up, ranges whose
// minimum is not above their maximum, limits that depend on the extraction method, the host and shape of URLs, an
// address with a street. These are the plain cases; README.md lists where the service looks closer.

import {
  type ErrorCode,
  faultMessage,
  formatMessage,
  type InputFault,
  type Input as InputOf,
  inputFault,
  MAX_BATCH_ENTRIES,
  MAX_ITEMS,
  type MessageCause,
  type MessageValues,
  maxHomesWithDetails,
  type OperationId,
  operationIds,
  type Schemas,
  shownValue,
} from '@lotline/contract'
import {
  boxDetails,
  findOrderFault,
  findSwappedBox,
  type NamePlace,
  namePlacesIn,
  type OrderedSearch,
  readAreas,
  readListingsPlace,
  TIMED_FILTERS,
} from '@lotline/contract/checks'
import type { Input } from '@lotline/contract/input'
import { listParameters, type Node, resolve } from '@lotline/contract/nodes'
import type { Refusal } from './refusal.ts'

type Rule = (input: Input) => Refusal | undefined
/** What the schemas have let pass, and nothing that means the same as absent. */
type BodyOf<K extends OperationId> = InputOf<K>['body']
type Search = BodyOf<'searchListings'>
type Box = Schemas['BoundingBox']
type Range = { readonly min?: unknown; readonly max?: unknown } | undefined

/** The hosts of listing URLs, each with its subdomains: what a service accepts by default. */
const LISTING_HOSTS = ['zillow.com', 'homes.example.com']
/** Characters. */
const MIN_ADDRESS_LENGTH = 6

/** The filters of the contract with a `min` and a `max`. */
const RANGES = Object.entries(schemaProperties({ $ref: '#/components/schemas/SearchFilters' })).flatMap(
  ([name, { anyOf = [] }]) => ((anyOf as Node[]).some((one) => 'min' in schemaProperties(one)) ? [name] : []),
)
const QUERY_RANGES = listParameters('listListings').flatMap(({ name }) =>
  name.endsWith('_min') ? [name.slice(0, -'_min'.length)] : [],
)

function schemaProperties(node: Node): Readonly<Record<string, Node>> {
  return (resolve(node).properties ?? {}) as Readonly<Record<string, Node>>
}

const search: Rule = ({ body }) => {
  const { filters, searchUrls, extractionMethod: method = 'PAGINATION', maxItems } = body as Search
  return (
    (filters && judgeFilters(filters)) ??
    firstFault(searchUrls ?? [], ({ url }, index) => judgeSearchUrl(url, index)) ??
    judgeMaxItems(maxItems, method, MAX_ITEMS[method]) ??
    findOrderFault(body as Search)
  )
}

const RULES: Partial<Record<OperationId, Rule>> = {
  getPropertyByUrl: ({ query }) => judgeListingUrl(String(query.url), 'url'),
  getPropertyByAddress: ({ query }) => judgeAddress(String(query.address), 'address'),
  getBuildingUnits: ({ query }) => judgeListingUrl(String(query.url), 'url'),
  createPropertyBatch: ({ body }) => {
    const { urls = [], addresses = [] } = body as BodyOf<'createPropertyBatch'>
    const value = urls.length + addresses.length
    if (value > MAX_BATCH_ENTRIES) {
      const refusal = refuse('invalid_parameter', 'too_many_entries', 'urls', {
        value,
        bound: MAX_BATCH_ENTRIES,
      })
      return { ...refusal, details: { ...refusal.details, maximum: MAX_BATCH_ENTRIES } }
    }
    return (
      firstFault(urls, (url, index) => judgeListingUrl(url, `urls.${index}`)) ??
      firstFault(addresses, (address, index) => judgeAddress(address, `addresses.${index}`))
    )
  },
  searchListings: search,
  searchForSale: search,
  searchForRent: search,
  searchSold: search,
  searchWithDetails: ({ body }) => {
    const { filters, extractionMethod: method = 'PAGINATION', maxItems } = body as BodyOf<'searchWithDetails'>
    return judgeFilters(filters) ?? judgeMaxItems(maxItems, method, maxHomesWithDetails(method))
  },
  listListings: ({ query }) => {
    const place = readListingsPlace(query)
    if ('fault' in place) return place.fault
    return (
      (place.bbox && judgeBox(place.bbox, 'bbox')) ??
      (place.area && judgeArea(place.area, place.placeOf)) ??
      firstFault(QUERY_RANGES, (name) =>
        judgeRange({ min: query[`${name}_min`], max: query[`${name}_max`] }, name, `${name}_min`),
      ) ??
      findOrderFault({ ...(query as OrderedSearch), filters: { area: place.area } })
    )
  },
  listJobs: judgeListPlace,
  listUsage: judgeListPlace,
  getJobResults: judgeListPlace,
  listWatchEvents: ({ query }) => judgeTwoPlaces(query.cursor, query.after, 'after'),
  createWatch: ({ body }) => judgeWatch(body as BodyOf<'createWatch'>),
  updateWatch: ({ body }) => judgeWatch(body as BodyOf<'updateWatch'>),
  createKey: ({ body }) => judgeKey(body as BodyOf<'createKey'>),
  updateKey: ({ body }) => judgeKey(body as BodyOf<'updateKey'>),
  createWebhook: ({ body }) => judgeTarget((body as BodyOf<'createWebhook'>).url),
  updateWebhook: ({ body }) => judgeTarget((body as BodyOf<'updateWebhook'>).url),
}

function judgeKey({
  allowed_operations: ids,
  expires_at,
}: Pick<BodyOf<'updateKey'>, 'allowed_operations' | 'expires_at'>): Refusal | undefined {
  const unknown = ids?.findIndex((id) => !operationIds.some((known) => known === id)) ?? -1
  if (unknown >= 0) {
    const value = shownValue(ids![unknown])
    return refuse('invalid_parameter', 'operation', `allowed_operations.${unknown}`, { value })
  }
  if (typeof expires_at !== 'string' || Date.parse(expires_at) > Date.now()) return undefined
  return refuse('invalid_parameter', 'past_time', 'expires_at', { value: shownValue(expires_at) })
}

function judgeListPlace({ query }: Input): Refusal | undefined {
  return judgeTwoPlaces(query.cursor, query.offset, 'offset')
}

function judgeTwoPlaces(cursor: unknown, other: unknown, name: string): Refusal | undefined {
  return cursor === undefined || !other
    ? undefined
    : refuseFault('invalid_parameter', 'cursor', inputFault('only_one', { places: `cursor and ${name}` }))
}

function judgeTarget(url: string | null | undefined): Refusal | undefined {
  if (url === undefined || url === null) return undefined
  const value = shownValue(url)
  if (!/^[a-z]+:\/\/[^/]/i.test(url) || !URL.canParse(url))
    return refuse('invalid_url', 'target_form', 'url', { value })
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'https:')
    return refuse('invalid_url', 'target_scheme', 'url', { schemes: 'https://', value })
  return username === '' && password === ''
    ? undefined
    : refuseFault('invalid_url', 'url', inputFault('url_user', {}))
}

function judgeWatch({
  filters,
  metadata,
}: Pick<BodyOf<'updateWatch'>, 'filters' | 'metadata'>): Refusal | undefined {
  const timed = filters && TIMED_FILTERS.find((name) => filters[name] !== undefined)
  const badName = Object.keys(metadata ?? {}).find((name) => !/^[^\0]{1,100}$/u.test(name))
  return (
    (filters && judgeFilters(filters)) ??
    (timed && refuse('invalid_filters', 'time_filter', `filters.${timed}`, {})) ??
    (badName === undefined
      ? undefined
      : refuse('invalid_metadata', 'name', 'metadata', { value: shownValue(badName) }))
  )
}

/** undefined: nothing is wrong. The input must fit the schemas already. */
export function judgeByRules(operationId: OperationId, input: Input): Refusal | undefined {
  return RULES[operationId]?.(input)
}

function judgeFilters(filters: NonNullable<Search['filters']>): Refusal | undefined {
  return (
    (filters.bbox && judgeBox(filters.bbox, 'filters.bbox')) ??
    (filters.area && judgeArea(filters.area, namePlacesIn('filters.area'))) ??
    firstFault(RANGES, (name) =>
      judgeRange((filters as Readonly<Record<string, unknown>>)[name] as Range, `filters.${name}`),
    )
  )
}

function judgeArea(area: unknown, placeOf: NamePlace): Refusal | undefined {
  const read = readAreas(area, placeOf)
  return 'fault' in read ? read.fault : undefined
}

function judgeBox(box: Box, place: string): Refusal | undefined {
  const fault = faultOfBox(box)
  return fault
    ? refuseFault('invalid_filters', place, fault, boxDetails(place, fault))
    : findSwappedBox(box, namePlacesIn(place))
}

function faultOfBox({ west, south, east, north }: Readonly<Record<string, unknown>>): InputFault | undefined {
  if (!isDegree(west, 180) || !isDegree(east, 180))
    return inputFault('box_longitude', { west: shownValue(west), east: shownValue(east) })
  if (!isDegree(south, 90) || !isDegree(north, 90))
    return inputFault('box_latitude', { south: shownValue(south), north: shownValue(north) })
  return south > north ? inputFault('box_inverted', { south, north }) : undefined
}

function isDegree(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit
}

function judgeRange(range: Range, place: string, parameter = place): Refusal | undefined {
  const { min, max } = range ?? {}
  return typeof min === 'number' && typeof max === 'number' && min > max
    ? refuseFault('invalid_filters', place, inputFault('range_inverted', { min, max }), { parameter })
    : undefined
}

function judgeMaxItems(value: number | undefined, method: string, bound: number): Refusal | undefined {
  if (value === undefined || value <= bound) return undefined
  const refusal = refuse('invalid_parameter', 'max_items', 'maxItems', { bound, method, value })
  return { ...refusal, details: { ...refusal.details, minimum: 1, maximum: bound } }
}

function judgeListingUrl(text: string, place: string): Refusal | undefined {
  const fault = faultOfSite(text)
  if (fault) return refuseFault('invalid_url', place, fault)
  const { pathname } = new URL(text)
  // The URL of a home ends with its zpid.
  const isListing = /^\/(homedetails\/([^/]+\/)?\d{1,20}_zpid\/?$|(b|apartments|community)\/.)/.test(pathname)
  return isListing ? undefined : refuse('invalid_url', 'not_a_listing', place, { value: shownValue(text) })
}

function judgeSearchUrl(text: string, index: number): Refusal | undefined {
  const place = `searchUrls.${index}.url`
  const details = { parameter: place, index }
  const refuseState = (cause: 'no_state' | 'state_form' | 'no_box') => ({
    ...refuse('invalid_search_url', cause, place, {}),
    details,
  })
  const site = faultOfSite(text)
  if (site) return refuseFault('invalid_search_url', place, site, details)
  const json = new URL(text).searchParams.get('searchQueryState')
  if (!json) return refuseState('no_state')
  const state = parseObject(json)
  if (!state) return refuseState('state_form')
  const bounds = state.mapBounds ?? undefined
  if (bounds === undefined) return refuseState('no_box')
  const fault = isObject(bounds) ? faultOfBox(bounds) : inputFault('box_form', { value: shownValue(bounds) })
  return fault && refuseFault('invalid_search_url', `${place}.mapBounds`, fault, details)
}

/** On the site, without a port of its own, a user name, or a part of the path that hides another. */
function faultOfSite(text: string): InputFault | undefined {
  const parts = /^https?:\/\/([^/?#]*)([^?#]*)/i.exec(text)
  if (!parts) return inputFault('url_scheme', { value: shownValue(text) })
  const [, authority = '', path = ''] = parts
  if (authority.includes('@')) return inputFault('url_user', {})
  if (authority.includes(':')) return inputFault('url_port', { value: shownValue(authority) })
  const host = authority.toLowerCase()
  const isAccepted = LISTING_HOSTS.some((site) => host === site || host.endsWith(`.${site}`))
  if (!URL.canParse(text) || !isAccepted)
    return inputFault('url_host', { hosts: LISTING_HOSTS, value: shownValue(authority) })
  const isAmbiguous =
    /%(?:[01][0-9a-f]|7f|2f|5c|2e|25)/i.test(path) ||
    path
      .split('/')
      .slice(1, -1)
      .some((step) => /^\.{0,2}$/.test(step))
  return isAmbiguous ? inputFault('url_path', { value: shownValue(text) }) : undefined
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function judgeAddress(address: string, place: string): Refusal | undefined {
  const { length } = address.trim()
  if (length < MIN_ADDRESS_LENGTH) {
    return refuseFault(
      'invalid_address',
      place,
      inputFault('too_short', { bound: MIN_ADDRESS_LENGTH, length }),
    )
  }
  // One of its lines begins with a house number, and a word follows.
  if (!address.split(',').some((line) => /^\s*\d\S*\s+.*[a-z]/i.test(line)))
    return refuse('invalid_address', 'no_street', place, { value: shownValue(address) })
  // Neither a ZIP code at the end, nor anything but a state behind the street: the service reads cities without commas too.
  const hasZip = /\b\d{5}(-?\d{4})?\s*$/.test(address)
  const isStreetAlone = /^\s*(\S+\s*){1,4}$/.test(address) && !address.includes(',')
  const hasPlace = hasZip || !(isStreetAlone || /^[^,]*,\s*([a-z]{2}\s*)?$/i.test(address))
  return hasPlace ? undefined : refuse('invalid_address', 'no_place', place, { value: shownValue(address) })
}

function firstFault<T>(items: readonly T[], judge: (item: T, index: number) => Refusal | undefined) {
  for (const [index, item] of items.entries()) {
    const refusal = judge(item, index)
    if (refusal) return refusal
  }
  return undefined
}

function refuse<Code extends ErrorCode, Cause extends MessageCause<Code>>(
  code: Code,
  cause: Cause,
  place: string,
  values: Omit<MessageValues<Code, Cause>, 'place'>,
): Refusal {
  const message = formatMessage(code, cause, { ...values, place } as never)
  return { code, message, details: { parameter: place } }
}

function refuseFault(code: ErrorCode, place: string, fault: InputFault, details?: object): Refusal {
  return { code, message: faultMessage(code, place, fault), details: { parameter: place, ...details } }
}
