import { findOrderFault } from '@lotline/contract/checks'
import type { App } from '../../process/app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { checkPlaces, findPlaces, placesOf } from '../../data/places/find-places.ts'
import { isRefusal, refuse } from '../../infrastructure/platform/refusal.ts'
import { fromListingsQuery } from '../../domain/search/search-filters.ts'
import { toSearchRow } from '../../domain/search/search-row.ts'
import { deliverReso, deliverRows, toResoValues, withSources } from './deliver.ts'
import { findPage } from './search-page.ts'

export function listListings(app: App): HandlerOf<'listListings'> {
  return ({ query }, call) => {
    const search = fromListingsQuery(query)
    if (isRefusal(search)) return search
    const { sort, cursor, max_items: limit } = query
    const fault = findOrderFault({ sort, cursor, filters: { area: search.areas } })
    if (fault) return refuse(fault.code, fault.message, fault.details)
    const placeOf = () => 'place'
    const work = async () => {
      const placed = await findPlaces(app.database, search, { placeOf })
      if (isRefusal(placed)) return placed
      const found = await findPage(app, placed, { sort, cursor, limit, isQuery: true }, call)
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
        const { values, source } = toResoValues(app, found, asked)
        return deliverReso(values, { ...asked, source })
      }
      const now = new Date()
      const made = found.records.map((record) => toSearchRow(record, now, app.sites))
      const { rows, source } = withSources(app, found, made, asked)
      return deliverRows(rows, { ...asked, source })
    }
    return Object.assign(work, { check: checkPlaces(app.database, [search], placeOf) })
  }
}
