import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { isRefusal } from '../platform/refusal.ts'
import { fromListingsQuery } from '../search/search-filters.ts'
import { toSearchRow } from '../search/search-row.ts'
import { deliverRows } from './deliver.ts'

export function listListings({ provider, sites }: App): HandlerOf<'listListings'> {
  return ({ query }, call) => {
    const search = fromListingsQuery(query)
    if (isRefusal(search)) return search
    return async () => {
      const { records, total } = await provider.search(search, { limit: query.max_items }, call)
      const now = new Date()
      return deliverRows(
        records.map((record) => toSearchRow(record, now, sites)),
        { format: query.format, accept: call.accept, total },
      )
    }
  }
}
