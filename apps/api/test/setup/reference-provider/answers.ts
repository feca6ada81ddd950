// The responses of the reference provider: a direct implementation of spec/provider.yaml.

import { type StatusPreference, UNIT_KINDS, type UnitKind } from '../../../src/domain/record/source-record.ts'
import type { AreaSearch } from '../../../src/domain/search/area-search.ts'
import type { Listings } from './listings.ts'

export interface ProviderRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: string
}

export interface ProviderResponse {
  readonly status: number
  readonly body: object
}

export type Operation =
  | 'findPropertyByZpid'
  | 'findPropertyByUrl'
  | 'findPropertyByAddress'
  | 'findBuildingUnits'
  | 'searchArea'

/** undefined: the contract has no such path. */
export function findOperation({ method, url }: ProviderRequest): Operation | undefined {
  const [path] = url.split('?')
  if (method === 'POST') return path === '/search' ? 'searchArea' : undefined
  if (method !== 'GET') return undefined
  if (path === '/properties/by-url') return 'findPropertyByUrl'
  if (path === '/properties/by-address') return 'findPropertyByAddress'
  if (path === '/buildings/units') return 'findBuildingUnits'
  return /^\/properties\/\d{1,20}$/.test(path ?? '') ? 'findPropertyByZpid' : undefined
}

export function answer(listings: Listings, operation: Operation, asked: ProviderRequest): ProviderResponse {
  const { pathname, searchParams: query } = new URL(asked.url, 'http://provider')
  switch (operation) {
    case 'findPropertyByZpid':
      return found(listings.findByZpid(pathname.slice('/properties/'.length)), (property) => ({ property }))
    case 'findPropertyByUrl': {
      const prefer = query.get('prefer') as StatusPreference
      return found(listings.findByKey(query.get('key') ?? '', prefer), (property) => ({ property }))
    }
    case 'findPropertyByAddress':
      return answerAddress(listings, query)
    case 'findBuildingUnits': {
      const kind = UNIT_KINDS.find((known) => known === query.get('kind'))
      if (!kind) return refusal(400, 'bad_request', 'The query parameter kind is required.')
      return found(listings.findUnits(query.get('key') ?? '', kind satisfies UnitKind), (units) => units)
    }
    case 'searchArea': {
      const { limit, ...search } = JSON.parse(asked.body) as AreaSearch & { limit: number }
      return { status: 200, body: listings.search(search, limit, new Date()) }
    }
  }
}

export function refusal(status: number, code: string, message: string): ProviderResponse {
  return { status, body: { error: { code, message } } }
}

function answerAddress(listings: Listings, query: URLSearchParams): ProviderResponse {
  const parts = Object.fromEntries(query) as Record<string, string>
  const { number = '', street = '', prefer = 'FOR_SALE', ...rest } = parts
  const address = { number, street, ...rest, key: `${number} ${street}` }
  const match = listings.findByAddress(address, prefer as StatusPreference)
  switch (match.found) {
    case 'none':
      return found(undefined, () => ({}))
    case 'several':
      return { status: 200, body: match }
    case 'one':
      return { status: 200, body: { found: 'one', property: match.listing.record } }
  }
}

function found<T>(value: T | undefined, body: (value: T) => object): ProviderResponse {
  if (value === undefined) return refusal(404, 'not_found', 'Nothing is known by this name.')
  return { status: 200, body: body(value) }
}
