// A provider over a list of records that answers plainly and right, writes down what it is asked, and does wrong what a
// test says.

import type { Property } from '@lotline/contract'
import type { Provider, QueryContext } from '../../../src/data/sources/provider.ts'
import type { SourceRecord } from '../../../src/domain/record/source-record.ts'
import { referenceKey } from '../../../src/domain/site-urls/listing-url.ts'
import { Listings } from '../../setup/reference-provider/listings.ts'

export interface ListProvider extends Provider {
  /** Each query, such as `zpid 4711`, in the order in which they came. */
  readonly asked: string[]
  /** Called before each answer: what it throws is the answer. */
  before: (query: string, asking: QueryContext) => void | Promise<void>
}

export function createListProvider(
  records: readonly Property[],
  { searchCap = 1000, ...listing }: { readonly searchCap?: number; readonly listsBuildings?: boolean } = {},
): ListProvider {
  const listings = new Listings(records, listing)
  const asked: string[] = []

  async function answer<T>(query: string, asking: QueryContext, find: () => T): Promise<T> {
    asked.push(query)
    await provider.before(query, asking)
    return find()
  }

  const provider: ListProvider = {
    name: 'list',
    searchCap,
    asked,
    before: () => {},
    findByZpid: (zpid, asking) => answer(`zpid ${zpid}`, asking, () => sourced(listings.findByZpid(zpid))),
    findByUrl: (listing, prefer, asking) =>
      answer(`url ${referenceKey(listing)}`, asking, () =>
        sourced(listings.findByKey(referenceKey(listing), prefer)),
      ),
    findByAddress: (address, prefer, asking) =>
      answer(`address ${address.key}`, asking, () => listings.findByAddress(address, prefer)),
    findUnits: (building, kind, asking) =>
      answer(`units ${referenceKey(building)} ${kind}`, asking, () =>
        listings.findUnits(referenceKey(building), kind),
      ),
    search: (search, { limit }, asking) =>
      answer(`search ${JSON.stringify(search.bbox)}`, asking, () => {
        const { properties, total } = listings.search(search, Math.min(limit, searchCap), new Date())
        return { records: properties, total }
      }),
  }
  return provider
}

function sourced(record: Property | undefined): SourceRecord | undefined {
  return record && { record, generation: null }
}
