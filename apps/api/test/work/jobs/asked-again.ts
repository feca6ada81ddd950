// Compares the provider queries of a worker with the rows that a killed worker had already stored.

import type { Property } from '@lotline/contract'
import { expect } from 'vitest'
import { readStreetAddress } from '../../../src/domain/address/street-address.ts'
import type { StoredWork } from './job-leases.ts'
import type { Query } from './provider-stub.ts'

/** Stored rows must not be queried again. @param batch the homes of the batch, in order */
export function expectNothingAskedAgain(
  states: readonly StoredWork[],
  before: readonly Query[],
  after: readonly Query[],
  batch: readonly Property[],
): void {
  for (const state of states) {
    const again = after.filter((query) => isStored(state, query, before, batch))
    expect(again, `${state.type} asked again for what it had stored`).toEqual([])
  }
}

function isStored(
  state: StoredWork,
  query: Query,
  before: readonly Query[],
  batch: readonly Property[],
): boolean {
  const { operation } = query
  if (state.status === 'succeeded') return false
  switch (state.type) {
    case 'batch_detail': {
      const stored = batch.slice(0, (state.checkpoint as { next: number } | null)?.next ?? 0)
      return operation === 'findPropertyByAddress' && stored.some((home) => isAskedFor(home, query))
    }
    case 'search': {
      const tiles = (state.checkpoint as { tiles: number } | null)?.tiles ?? 0
      const stored = before.filter((asked) => isSearchOf('for_sale', asked)).slice(0, tiles)
      return isSearchOf('for_sale', query) && stored.some(({ body }) => body === query.body)
    }
    case 'chained_search_detail':
      if (state.chain_stage === 'search') return isSearchOf('sold', query) && state.checkpoint !== null
      return isSearchOf('sold', query) || isStoredDetail(state, query)
    case 'building_units':
      return operation === 'findBuildingUnits' && state.checkpoint !== null
    default:
      throw new Error(`unknown type ${state.type}`)
  }
}

function isStoredDetail(state: StoredWork, { operation, url }: Query): boolean {
  return (
    operation === 'findPropertyByZpid' && state.stored_zpids.some((zpid) => url === `/properties/${zpid}`)
  )
}

function isSearchOf(status: string, { operation, body }: Query): boolean {
  return operation === 'searchArea' && JSON.parse(body).status === status
}

function isAskedFor({ address }: Property, { url }: Query): boolean {
  const asked = new URL(url, 'http://provider').searchParams
  const wanted = readStreetAddress({
    street: address!.streetAddress!,
    city: address!.city!,
    state: address!.state!,
    zip: address!.zipcode!,
  })!
  return (
    asked.get('number') === wanted.number &&
    asked.get('street') === wanted.street &&
    asked.get('zip') === wanted.zip
  )
}
