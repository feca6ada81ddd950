// The body of a search as a list of searches: one from `filters`, or one from each of `searchUrls`. Nothing is run
// here, and nothing reaches a provider before the whole list has been read.

import type { Input, Schemas } from '@lotline/contract'
import { isRefusal, type Refusal } from '../platform/refusal.ts'
import type { AreaSearch, SearchStatus } from '../search/area-search.ts'
import { toAreaSearch } from '../search/search-filters.ts'
import { fromSearchUrl } from '../search/search-query-state.ts'

export interface SearchBodyRules {
  /** The hosts that a search URL may be on. */
  readonly hosts: readonly string[]
  /** The status that the operation forces on every search. */
  readonly status?: SearchStatus
  /** Told the places of what a search URL carries and nothing reads, such as `searchUrls.0.url.filterState.cityv`. */
  readonly onIgnored?: (names: readonly string[]) => void
}

/** At least one search, since the contract lets no body pass that has neither. The same search twice is kept once. */
export function readSearches(
  { filters, searchUrls = [] }: Pick<Input<'searchListings'>['body'], 'filters' | 'searchUrls'>,
  rules: SearchBodyRules,
): readonly AreaSearch[] | Refusal {
  if (!filters) return readSearchUrls(searchUrls, rules)
  const search = toAreaSearch(filters, rules.status)
  return isRefusal(search) ? search : [search]
}

function readSearchUrls(
  urls: readonly Schemas['SearchUrl'][],
  { hosts, status, onIgnored }: SearchBodyRules,
): readonly AreaSearch[] | Refusal {
  const searches = new Map<string, AreaSearch>()
  for (const [index, { url }] of urls.entries()) {
    const place = `searchUrls.${index}.url`
    const read = fromSearchUrl(url, hosts, place)
    if (isRefusal(read)) return { ...read, details: { parameter: place, index } }
    const { search, ignored } = read
    if (ignored.length > 0) onIgnored?.(ignored.map((name) => `${place}.${name}`))
    const forced = status === undefined ? search : { ...search, status }
    searches.set(JSON.stringify(forced), forced)
  }
  return [...searches.values()]
}
