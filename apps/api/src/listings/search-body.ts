// The body of a search as a list of searches: one from `filters`, or one from each of `searchUrls`. Nothing is run
// here, and nothing reaches a provider before the whole list has been read.

import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import type { AreaSearch, SearchStatus } from './area-search.ts'
import { isRecord, own } from './ranges.ts'
import { toAreaSearch } from './search-filters.ts'
import { fromSearchUrl } from './search-query-state.ts'

export interface SearchBodyRules {
  /** The hosts that a search URL may be on. */
  readonly hosts: readonly string[]
  /** The status that the operation forces on every search. */
  readonly status?: SearchStatus
}

/** At least one search. The same search twice is kept once. */
export function readSearches(body: unknown, rules: SearchBodyRules): readonly AreaSearch[] | Refusal {
  if (!isRecord(body)) return refuse('missing_input', 'Send an object with filters or searchUrls.')
  const filters = own(body, 'filters')
  const urls = own(body, 'searchUrls')
  const hasUrls = urls !== undefined && !(Array.isArray(urls) && urls.length === 0)
  if (filters !== undefined && hasUrls) {
    return refuse('invalid_filters', 'Send either filters or searchUrls, not both.')
  }
  if (hasUrls) return readSearchUrls(urls, rules)
  if (filters === undefined) {
    return refuse('missing_input', 'Send filters with a bbox, or searchUrls with at least one URL.')
  }
  const search = toAreaSearch(filters, rules.status)
  return isRefusal(search) ? search : [search]
}

function readSearchUrls(urls: unknown, { hosts, status }: SearchBodyRules): readonly AreaSearch[] | Refusal {
  if (!Array.isArray(urls))
    return refuse('invalid_search_url', 'searchUrls must be a list of objects with a url.')
  const searches = new Map<string, AreaSearch>()
  for (const [index, item] of urls.entries()) {
    const url = isRecord(item) ? own(item, 'url') : undefined
    const search =
      typeof url === 'string'
        ? fromSearchUrl(url, hosts)
        : refuse('invalid_search_url', 'Each of searchUrls must be an object with a url.')
    if (isRefusal(search)) return refuse(search.code, search.message, { index })
    const forced = status === undefined ? search : { ...search, status }
    searches.set(JSON.stringify(forced), forced)
  }
  return [...searches.values()]
}
