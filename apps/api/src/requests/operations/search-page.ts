// A page of a search: its rows in the order that was asked for, and the cursor of the next one.

import type { Property } from '@lotline/contract'
import type { Cursors, StandInProvider } from '../../data/sources.ts'
import { type AreaSearch, NEWEST_FIRST, type Sort, toRowKey, toRowOrder } from '../../domain/search.ts'
import { isRefusal, type Refusal, refuseAt } from '../../infrastructure/refusals.ts'
import type { Call } from '../engine/call.ts'

export interface SearchPageDeps {
  readonly cursors: Cursors
  readonly provider: StandInProvider
}

/** What a provider answers a search with. */
export type AreaListings = Awaited<ReturnType<StandInProvider['search']>>

export interface PageAsked {
  readonly sort?: Sort | undefined
  readonly cursor?: string | undefined
  /** The most rows. */
  readonly limit: number
  /** The ZIP codes and cities are in the query of the URL. Default: in the body. */
  readonly isQuery?: boolean
}

export interface FoundPage {
  readonly records: readonly Property[]
  /** undefined: not known. */
  readonly total: number | undefined
  readonly sources?: AreaListings['sources']
  /** The provider that they are from, where there are several. */
  readonly provider?: string
  /** The cursor of the rows behind the first `served` ones; undefined: there are none. */
  readonly nextAfter?: (served: number) => string | undefined
}

/**
 * The newest rows, or the page that `sort` and `cursor` ask for. They have been found to fit the search (`findOrderFault`). A
 * cursor that does not belong to the search is refused before the provider is asked.
 */
export async function findPage(
  { provider, cursors }: Pick<SearchPageDeps, 'provider' | 'cursors'>,
  search: AreaSearch,
  { sort, cursor, limit, isQuery }: PageAsked,
  call: Call,
): Promise<FoundPage | Refusal> {
  if (sort === undefined && cursor === undefined) {
    const found = await provider.search(search, { limit }, call)
    return found.isIncomplete ? refuseWide(search, isQuery) : found
  }
  const order = toRowOrder(sort ?? 'newest', search) ?? NEWEST_FIRST
  const begun = cursor === undefined ? {} : await readCursor(cursor)
  if (isRefusal(begun)) return begun
  // One more than is served says whether there is a next page.
  const found = await provider.search(search, { limit: limit + 1, order, ...begun }, call)
  if (found.isIncomplete) {
    return refuseAt('invalid_parameter', 'sort_incomplete', sort === undefined ? 'cursor' : 'sort', {})
  }
  const records = found.records.slice(0, limit)
  const own = await cursors.of({ search, order, provider: found.provider ?? provider.name })
  return {
    records,
    total: found.total,
    sources: found.sources,
    ...(found.provider !== undefined && { provider: found.provider }),
    nextAfter(served) {
      const last = records[served - 1]
      return last && served < found.records.length ? own.write(toRowKey(last, order)) : undefined
    },
  }

  /** The row behind which the page begins, and the provider that the pages before it came from. */
  async function readCursor(text: string) {
    let isOther = false
    for (const member of provider.members) {
      const after = (await cursors.of({ search, order, provider: member })).read(text)
      if (typeof after === 'object') return { after, provider: member }
      isOther ||= after === 'other'
    }
    return refuseAt('invalid_cursor', isOther ? 'other_search' : 'unknown', 'cursor', {})
  }
}

/** Not all homes of the ZIP codes or cities were found, and which ones are missing is not known. */
export function refuseWide({ zips }: AreaSearch, isQuery = false): Refusal {
  const place = zips ? ['zip', 'filters.zips'] : ['city', 'filters.cities']
  return refuseAt('invalid_parameter', 'address_incomplete', place[isQuery ? 0 : 1]!, {})
}
