// What the contract says of input in words, because no schema keyword can say it: a box the right way up, ranges whose
// minimum is not above their maximum, limits that depend on the extraction method, the host and shape of URLs, an
// address with a street. These are the plain cases; README.md lists where the service looks closer.

import {
  type ErrorCode,
  faultMessage,
  type InputFault,
  inputFault,
  MAX_BATCH_ENTRIES,
  MAX_ITEMS,
  type MessageCause,
  type MessageValues,
  maxHomesWithDetails,
  messageOf,
  type OperationId,
  type Schemas,
  type SearchFilters,
  type SearchRequest,
  shownValue,
} from '@lotline/contract'
import type { Input } from '@lotline/contract/input'
import type { Refusal } from './refusal.ts'

type Rule = (input: Input) => Refusal | undefined
type Box = SearchFilters['bbox']
type Range = { readonly min?: unknown; readonly max?: unknown } | undefined

/** The hosts of listing URLs, each with its subdomains: what a service accepts that was not told otherwise. */
const LISTING_HOST = 'zillow.com'

const search: Rule = ({ body }) => {
  const { filters, searchUrls, extractionMethod: method = 'PAGINATION', maxItems } = body as SearchRequest
  return (
    (filters && judgeFilters(filters)) ??
    first(searchUrls ?? [], ({ url }, index) => judgeSearchUrl(url, index)) ??
    judgeMaxItems(maxItems, method, MAX_ITEMS[method])
  )
}

const RULES: Partial<Record<OperationId, Rule>> = {
  getPropertyByUrl: ({ query }) => judgeListingUrl(String(query.url), 'url'),
  getPropertyByAddress: ({ query }) => judgeAddress(String(query.address), 'address'),
  getBuildingUnits: ({ query }) => judgeListingUrl(String(query.url), 'url'),
  createPropertyBatch: ({ body }) => {
    const { urls = [], addresses = [] } = body as Schemas['BatchRequest']
    const value = urls.length + addresses.length
    if (value > MAX_BATCH_ENTRIES) {
      return refuse('invalid_parameter', 'too_many_entries', 'urls', { value, bound: MAX_BATCH_ENTRIES })
    }
    return (
      first(urls, (url, index) => judgeListingUrl(url, `urls.${index}`)) ??
      first(addresses, (address, index) => judgeAddress(address, `addresses.${index}`))
    )
  },
  searchListings: search,
  searchForSale: search,
  searchForRent: search,
  searchSold: search,
  searchWithDetails: ({ body }) => {
    const {
      filters,
      extractionMethod: method = 'PAGINATION',
      maxItems,
    } = body as Schemas['WithDetailsRequest']
    return judgeFilters(filters) ?? judgeMaxItems(maxItems, method, maxHomesWithDetails(method))
  },
  listListings: ({ query }) => {
    const [west = 0, south = 0, east = 0, north = 0] = String(query.bbox).split(',').map(Number)
    return (
      judgeBox({ west, south, east, north }, 'bbox') ??
      first(['price', 'beds', 'baths', 'sqft', 'year_built', 'lot_size', 'hoa'], (name) =>
        judgeRange({ min: query[`${name}_min`], max: query[`${name}_max`] }, name, `${name}_min`),
      )
    )
  },
  createWebhook: ({ body }) => {
    const { url } = body as Schemas['WebhookInput']
    if (/^https:\/\/[^/?#@]+([/?#]|$)/i.test(url)) return undefined
    return refuse('invalid_url', 'target_form', 'url', { value: shownValue(url) })
  },
}

/** undefined: nothing is wrong. The input must fit the schemas already. */
export function judgeByRules(operationId: OperationId, input: Input): Refusal | undefined {
  return RULES[operationId]?.(input)
}

function judgeFilters(filters: SearchFilters): Refusal | undefined {
  return (
    judgeBox(filters.bbox, 'filters.bbox') ??
    first(['price', 'beds', 'baths', 'sqft', 'yearBuilt', 'lotSize', 'hoa'] as const, (name) =>
      judgeRange(filters[name], `filters.${name}`),
    )
  )
}

function judgeBox(box: Box, place: string): Refusal | undefined {
  const fault = faultOfBox(box)
  return fault && refuseFault('invalid_filters', place, fault)
}

function faultOfBox({ west, south, east, north }: Box): InputFault | undefined {
  if (![west, east].every((value) => Math.abs(value) <= 180))
    return inputFault('box_longitude', { west, east })
  if (![south, north].every((value) => Math.abs(value) <= 90))
    return inputFault('box_latitude', { south, north })
  return south > north ? inputFault('box_inverted', { south, north }) : undefined
}

function judgeRange(range: Range, place: string, parameter = place): Refusal | undefined {
  const { min, max } = range ?? {}
  return typeof min === 'number' && typeof max === 'number' && min > max
    ? refuseFault('invalid_filters', place, inputFault('range_inverted', { min, max }), { parameter })
    : undefined
}

function judgeMaxItems(value: number | undefined, method: string, bound: number): Refusal | undefined {
  return value !== undefined && value > bound
    ? refuse('invalid_parameter', 'max_items', 'maxItems', { bound, method, value })
    : undefined
}

function judgeListingUrl(text: string, place: string): Refusal | undefined {
  const url = parseUrl(text)
  if (!url || !isOnSite(url)) return refuseFault('invalid_url', place, otherHost(text, url))
  // The path that is left once `..` is resolved. The URL of a home ends with its zpid.
  const isListing = /^\/(homedetails\/([^/]+\/)?\d{1,20}_zpid\/?$|(b|apartments|community)\/.)/.test(
    url.pathname,
  )
  return isListing ? undefined : refuse('invalid_url', 'not_a_listing', place, { value: shownValue(text) })
}

function judgeSearchUrl(text: string, index: number): Refusal | undefined {
  const code = 'invalid_search_url'
  const place = `searchUrls.${index}.url`
  const details = { parameter: place, index }
  const url = parseUrl(text)
  if (!url || !isOnSite(url)) return refuseFault(code, place, otherHost(text, url), details)
  const bounds = findMapBounds(url)
  if (!bounds) {
    const cause = url.searchParams.get('searchQueryState') ? 'no_box' : 'no_state'
    return { ...refuse(code, cause, place, {}), details }
  }
  const fault = faultOfBox(bounds)
  return fault && refuseFault(code, `${place}.mapBounds`, fault, details)
}

function otherHost(text: string, url: URL | undefined): InputFault {
  return inputFault('url_host', { hosts: [LISTING_HOST], value: shownValue(url?.host ?? text) })
}

function findMapBounds(url: URL): Box | undefined {
  try {
    const state = JSON.parse(url.searchParams.get('searchQueryState') ?? '') as { mapBounds?: object } | null
    const bounds = (state?.mapBounds ?? {}) as Box
    return [bounds.west, bounds.south, bounds.east, bounds.north].every(Number.isFinite) ? bounds : undefined
  } catch {
    return undefined
  }
}

function judgeAddress(address: string, place: string): Refusal | undefined {
  // One of its lines begins with a house number, and a word follows.
  if (!address.split(',').some((line) => /^\s*\d\S*\s+.*[a-z]/i.test(line)))
    return refuse('invalid_address', 'no_street', place, { value: shownValue(address) })
  // Neither a ZIP code at the end, nor anything but a state behind the street: the service reads cities without commas too.
  const hasZip = /\b\d{5}(-?\d{4})?\s*$/.test(address)
  const isStreetAlone = /^\s*(\S+\s*){1,4}$/.test(address) && !address.includes(',')
  const hasPlace = hasZip || !(isStreetAlone || /^[^,]*,\s*([a-z]{2}\s*)?$/i.test(address))
  return hasPlace ? undefined : refuse('invalid_address', 'no_place', place, { value: shownValue(address) })
}

// Node 20 has no URL.parse yet.
function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Without a port of its own and without a user name, as the site's own pages are. */
function isOnSite({ hostname, host, username, password }: URL): boolean {
  const isPlain = host === hostname && username === '' && password === ''
  return isPlain && (hostname === LISTING_HOST || hostname.endsWith(`.${LISTING_HOST}`))
}

function first<T>(items: readonly T[], judge: (item: T, index: number) => Refusal | undefined) {
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
  const message = messageOf(code, cause, { ...values, place } as never)
  return { code, message, details: { parameter: place } }
}

function refuseFault(code: ErrorCode, place: string, fault: InputFault, details?: object): Refusal {
  return { code, message: faultMessage(code, place, fault), details: { parameter: place, ...details } }
}
