// The provider over any service that implements spec/provider.yaml. Deadlines, retries, and the check of records are in sources/resilience.

import type { Property } from '@lotline/contract'
import type { SourceRecord } from '../../../domain/record.ts'
import { type ListingReference, referenceKey } from '../../../domain/site-urls.ts'
import type { Secret } from '../../../infrastructure/platform.ts'
import { type Provider, ProviderFailure } from '../provider.ts'
import { openConnection } from './connection.ts'

export interface HttpProviderOptions {
  /** The base URL. Its path, if any, comes before the paths of the contract. */
  readonly url: string
  /** Sent as a bearer token. */
  readonly token?: Secret | undefined
}

/** The maximum of `limit` in the contract. */
const SEARCH_CAP = 1000

export function createHttpProvider({ url, token }: HttpProviderOptions): Provider {
  const connection = openConnection(url, token)
  return {
    name: connection.name,
    searchCap: SEARCH_CAP,

    async findByZpid(zpid, { signal }) {
      const answer = await connection.ask({ path: `/properties/${zpid}` }, signal)
      return answer && sourceRecordOf(answer.property)
    },

    async findByUrl(listing, prefer, { signal }) {
      const query = { ...placeOf(listing), prefer }
      const answer = await connection.ask({ path: '/properties/by-url', query, confidential: true }, signal)
      return answer && sourceRecordOf(answer.property)
    },

    async findByAddress({ number, street, unit, city, state, zip }, prefer, { signal }) {
      const query = { number, street, unit, city, state, zip, prefer }
      const answer = await connection.ask(
        { path: '/properties/by-address', query, confidential: true },
        signal,
      )
      if (!answer) return { found: 'none' }
      if (answer.found === 'one') return { found: 'one', listing: sourceRecordOf(answer.property) }
      if (answer.found !== 'several')
        throw new ProviderFailure(`${connection.name} answered without a known value of found`)
      return { found: 'several', candidates: answer.candidates as readonly string[] }
    },

    async findUnits(building, kind, { signal }) {
      const query = { ...placeOf(building), kind }
      const answer = await connection.ask({ path: '/buildings/units', query, confidential: true }, signal)
      if (!answer) return undefined
      const parent = (answer.parent ?? undefined) as Property | undefined
      return { ...(parent !== undefined && { parent }), units: answer.units as readonly Property[] }
    },

    async search(search, { limit }, { signal }) {
      const body = { ...search, limit: Math.min(limit, SEARCH_CAP) }
      const answer = await connection.ask({ path: '/search', body }, signal)
      if (!answer) throw new ProviderFailure(`${connection.name} answered a search with 404`)
      return { records: answer.properties as readonly Property[], total: answer.total as number }
    },
  }
}

/** A remote provider has no generations of its records. Its records are unchecked; sources/resilience checks them. */
function sourceRecordOf(record: unknown): SourceRecord {
  return { record: record as Property, generation: null }
}

function placeOf(listing: ListingReference): { path: string; key: string } {
  const path = listing.kind === 'home' ? `/homedetails/${listing.zpid}_zpid/` : listing.canonicalPath
  return { path, key: referenceKey(listing) }
}
