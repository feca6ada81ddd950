// What the contract says of input in words, because no schema keyword can say it: a box the right way up, ranges whose
// minimum is not above their maximum, limits that depend on the extraction method, the host and shape of URLs, an
// address with a street. These are the plain cases; README.md lists where the service looks closer.

import type { OperationId, Schemas, SearchFilters, SearchRequest } from '@lotline/contract'
import type { Input } from '@lotline/contract/input'
import type { Refusal } from './refusal.ts'

type Rule = (input: Input) => Refusal | undefined
type Range = { readonly min?: unknown; readonly max?: unknown } | undefined

/** The hosts of listing URLs, each with its subdomains: what a service accepts that was not told otherwise. */
const LISTING_HOST = 'zillow.com'
const MAX_ENTRIES = 500

const search: Rule = ({ body }) => {
  const { filters, searchUrls, extractionMethod = 'PAGINATION', maxItems } = body as SearchRequest
  return (
    (filters && judgeFilters(filters)) ??
    first(searchUrls ?? [], ({ url }) => judgeSearchUrl(url)) ??
    judgeMaxItems(maxItems, { PAGINATION: 820, MAP_MARKERS: 500 }[extractionMethod as string])
  )
}

const RULES: Partial<Record<OperationId, Rule>> = {
  getPropertyByUrl: ({ query }) => judgeListingUrl(String(query.url)),
  getPropertyByAddress: ({ query }) => judgeAddress(String(query.address)),
  getBuildingUnits: ({ query }) => judgeListingUrl(String(query.url)),
  createPropertyBatch: ({ body }) => {
    const { urls = [], addresses = [] } = body as Schemas['BatchRequest']
    if (urls.length + addresses.length > MAX_ENTRIES) {
      return refuse('invalid_parameter', `urls and addresses may hold ${MAX_ENTRIES} entries together.`)
    }
    return first(urls, judgeListingUrl) ?? first(addresses, judgeAddress)
  },
  searchListings: search,
  searchForSale: search,
  searchForRent: search,
  searchSold: search,
  searchWithDetails: ({ body }) => {
    const { filters, extractionMethod, maxItems } = body as Schemas['WithDetailsRequest']
    return judgeFilters(filters) ?? judgeMaxItems(maxItems, extractionMethod === 'MAP_MARKERS' ? 500 : 820)
  },
  listListings: ({ query }) => {
    const [west = 0, south = 0, east = 0, north = 0] = String(query.bbox).split(',').map(Number)
    return (
      judgeBox({ west, south, east, north }) ??
      first(['price', 'beds', 'baths', 'sqft', 'year_built', 'lot_size', 'hoa'], (name) =>
        judgeRange(name, { min: query[`${name}_min`], max: query[`${name}_max`] }),
      )
    )
  },
  createWebhook: ({ body }) => {
    const { url } = body as Schemas['WebhookInput']
    return /^https:\/\/[^/?#@]+([/?#]|$)/i.test(url)
      ? undefined
      : refuse('invalid_url', 'The url of a webhook must begin with https:// and have a host.')
  },
}

/** undefined: nothing is wrong. The input must fit the schemas already. */
export function judgeByRules(operationId: OperationId, input: Input): Refusal | undefined {
  return RULES[operationId]?.(input)
}

function judgeFilters(filters: SearchFilters): Refusal | undefined {
  return (
    judgeBox(filters.bbox) ??
    first(['price', 'beds', 'baths', 'sqft', 'yearBuilt', 'lotSize', 'hoa'] as const, (name) =>
      judgeRange(name, filters[name]),
    )
  )
}

function judgeBox({ west, south, east, north }: SearchFilters['bbox']): Refusal | undefined {
  if (
    ![west, east].every((value) => Math.abs(value) <= 180) ||
    ![south, north].every((value) => Math.abs(value) <= 90)
  ) {
    return refuse(
      'invalid_filters',
      'bbox must have longitudes within ±180 and latitudes within ±90 degrees.',
    )
  }
  return south > north ? refuse('invalid_filters', 'bbox has its south above its north.') : undefined
}

function judgeRange(name: string, range: Range): Refusal | undefined {
  const { min, max } = range ?? {}
  return typeof min === 'number' && typeof max === 'number' && min > max
    ? refuse('invalid_filters', `${name} has a minimum (${min}) above its maximum (${max}).`)
    : undefined
}

function judgeMaxItems(maxItems: number | undefined, most: number | undefined): Refusal | undefined {
  return maxItems !== undefined && most !== undefined && maxItems > most
    ? refuse('invalid_parameter', `maxItems may be ${most} at most with this extractionMethod.`)
    : undefined
}

function judgeListingUrl(text: string): Refusal | undefined {
  const url = parseUrl(text)
  if (!url || !isOnSite(url)) {
    return refuse('invalid_url', `The URL must be on ${LISTING_HOST} or a subdomain of it.`)
  }
  // The path that is left once `..` is resolved.
  if (!/^\/(homedetails|b|apartments|community)\/./.test(url.pathname)) {
    return refuse('invalid_url', 'The path of the URL must be that of a home or a building.')
  }
  const isHome = url.pathname.startsWith('/homedetails/')
  return isHome && !/^\/homedetails\/([^/]+\/)?\d{1,20}_zpid\/?$/.test(url.pathname)
    ? refuse('invalid_url', 'The URL of a home ends with its zpid: /homedetails/…/<zpid>_zpid/.')
    : undefined
}

function judgeSearchUrl(text: string): Refusal | undefined {
  const url = parseUrl(text)
  const bounds = url && isOnSite(url) ? findMapBounds(url) : undefined
  return bounds && judgeBox(bounds) === undefined
    ? undefined
    : refuse(
        'invalid_search_url',
        `A search URL must be on ${LISTING_HOST} and have a searchQueryState with mapBounds.`,
      )
}

function findMapBounds(url: URL): SearchFilters['bbox'] | undefined {
  try {
    const state = JSON.parse(url.searchParams.get('searchQueryState') ?? '') as { mapBounds?: object } | null
    const bounds = (state?.mapBounds ?? {}) as SearchFilters['bbox']
    return [bounds.west, bounds.south, bounds.east, bounds.north].every(Number.isFinite) ? bounds : undefined
  } catch {
    return undefined
  }
}

function judgeAddress(address: string): Refusal | undefined {
  // One of its lines begins with a house number, and a word follows.
  if (!address.split(',').some((line) => /^\s*\d\S*\s+.*[a-z]/i.test(line)))
    return refuse('invalid_address', 'The address has no house number with a street.')
  // Neither a ZIP code at the end, nor anything but a state behind the street: the service reads cities without commas too.
  const hasZip = /\b\d{5}(-?\d{4})?\s*$/.test(address)
  const isStreetAlone = /^\s*(\S+\s*){1,4}$/.test(address) && !address.includes(',')
  const hasPlace = hasZip || !(isStreetAlone || /^[^,]*,\s*([a-z]{2}\s*)?$/i.test(address))
  return hasPlace
    ? undefined
    : refuse(
        'invalid_address',
        'The address has a street but no city and no ZIP code. Add at least one of them.',
      )
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

function first<T>(items: readonly T[], judge: (item: T) => Refusal | undefined): Refusal | undefined {
  for (const item of items) {
    const refusal = judge(item)
    if (refusal) return refusal
  }
  return undefined
}

function refuse(code: Refusal['code'], message: string): Refusal {
  return { code, message }
}
