import { findOrderFault } from '@lotline/contract/checks'
import { checkPlaces, findPlaces, placesOf } from '../../data/places.ts'
import { fromListingsQuery, toSearchRow } from '../../domain/search.ts'
import type { ListingSites } from '../../domain/site-urls.ts'
import type { Database } from '../../infrastructure/database.ts'
import { isRefusal, refuse } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { type DeliverDeps, deliverReso, deliverRows, toResoValues, withSources } from './deliver.ts'
import { findPage, type SearchPageDeps } from './search-page.ts'

export type ListListingsDeps = DeliverDeps &
  SearchPageDeps & {
    readonly database: Database
    readonly sites: ListingSites
  }

export function listListings(deps: ListListingsDeps): HandlerOf<'listListings'> {
  return ({ query }, call) => {
    const search = fromListingsQuery(query)
    if (isRefusal(search)) return search
    const { sort, cursor, max_items: limit } = query
    const fault = findOrderFault({ sort, cursor, filters: { area: search.areas } })
    if (fault) return refuse(fault.code, fault.message, fault.details)
    const placeOf = () => 'place'
    const work = async () => {
      const placed = await findPlaces(deps.database, search, { placeOf })
      if (isRefusal(placed)) return placed
      const found = await findPage(deps, placed, { sort, cursor, limit, isQuery: true }, call)
      if (isRefusal(found)) return found
      const asked = {
        format: query.format,
        accept: call.accept,
        total: found.total,
        nextAfter: found.nextAfter,
        places: placesOf(placed),
        isTagged: true,
      }
      if (query.shape === 'reso') {
        const { values, source } = toResoValues(deps, found, asked)
        return deliverReso(values, { ...asked, source })
      }
      const now = new Date()
      const made = found.records.map((record) => toSearchRow(record, now, deps.sites))
      const { rows, source } = withSources(deps, found, made, asked)
      return deliverRows(rows, { ...asked, source })
    }
    return Object.assign(work, { check: checkPlaces(deps.database, [search], placeOf) })
  }
}
