import { findOrderFault } from '@lotline/contract/checks'
import { checkPlaces, findPlaces, placesOf } from '../../data/places.ts'
import { fromListingsQuery } from '../../domain/search.ts'
import type { Database } from '../../infrastructure/database.ts'
import { isRefusal, refuse } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { type HomesDeps, presentHomes } from '../presentation/homes.ts'
import { findPage, type SearchPageDeps } from './search-page.ts'

export type ListListingsDeps = HomesDeps &
  SearchPageDeps & {
    readonly database: Database
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
      return presentHomes(deps, { ...found, places: placesOf(placed) }, { query, call, isTagged: true })
    }
    return Object.assign(work, { check: checkPlaces(deps.database, [search], placeOf) })
  }
}
