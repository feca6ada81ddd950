// Whether the order and the cursor of a search can be used together with the rest of it. The service and the mock both judge
// this here.

import { formatMessage, type MessageCause } from '../messages.ts'
import { isSearchJob, type SearchSize } from '../search-mode.ts'
import type { Fault } from './finding.ts'

export interface OrderedSearch extends SearchSize {
  readonly sort?: string | undefined
  readonly cursor?: string | undefined
  readonly searchUrls?: readonly unknown[] | undefined
  readonly filters?: { readonly area?: unknown } | undefined
}

/** undefined: nothing is wrong. The search must fit the schemas already. */
export function findOrderFault(search: OrderedSearch): Fault | undefined {
  const { sort, cursor, searchUrls = [], filters } = search
  const place = sort !== undefined ? 'sort' : cursor !== undefined ? 'cursor' : undefined
  if (place === undefined) return undefined
  if (isSearchJob(search)) return faultFor('sort_of_job', place)
  if (searchUrls.length > 1) return faultFor('sort_of_urls', place)
  if (sort === 'distance' && !isCircle(filters?.area)) return faultFor('sort_distance', place)
  return undefined
}

function isCircle(area: unknown): boolean {
  const [only, ...others] = [area].flat()
  return others.length === 0 && (only as { type?: unknown } | null | undefined)?.type === 'circle'
}

function faultFor(
  cause: ('sort_of_job' | 'sort_of_urls' | 'sort_distance') & MessageCause<'invalid_parameter'>,
  place: string,
): Fault {
  return {
    code: 'invalid_parameter',
    message: formatMessage('invalid_parameter', cause, { place }),
    details: { parameter: place },
  }
}
