import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { fromListingsQuery } from '../listings/search-filters.ts'
import { toSearchRow } from '../listings/search-row.ts'
import { isRefusal } from '../refusal.ts'
import { deliverRows } from './deliver.ts'

export function listListings({ provider, siteOrigin }: House): HandlerOf<'listListings'> {
  return ({ query }, call) => {
    const search = fromListingsQuery(query)
    if (isRefusal(search)) return search
    return async () => {
      const { records, total } = await provider.search(search, { limit: query.max_items }, call)
      const now = new Date()
      return deliverRows(
        records.map((record) => toSearchRow(record, now, siteOrigin)),
        { format: query.format, accept: call.accept, total },
      )
    }
  }
}
