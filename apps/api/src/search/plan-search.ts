// How much a call may ask for, and whether it is answered at once or by a job. The contract has refused what no method
// allows; the bound of the method that was chosen is held here. Values out of bounds are refused with
// `invalid_parameter` and never clamped, so that nobody pays for a number that they did not choose.

import {
  type ExtractionMethod,
  type Input,
  MAX_ITEMS,
  maxHomesWithDetails,
  maxRowsOfSearch,
} from '@lotline/contract'
import { isSearchJob } from '@lotline/contract/search-mode'
import { type Refusal, refuseFor } from '../platform/refusal.ts'

export type SearchPlan =
  | { readonly mode: 'sync'; readonly method: ExtractionMethod; readonly maxItems: number }
  /** Without `maxItems` the job returns all that there is. */
  | { readonly mode: 'async'; readonly method: ExtractionMethod; readonly maxItems?: number }

/** POST /v1/search and the presets. */
export function planSearch(
  asked: Pick<Input<'searchListings'>['body'], 'extractionMethod' | 'maxItems' | 'async'>,
): SearchPlan | Refusal {
  const { extractionMethod: method, maxItems } = asked
  if (maxItems !== undefined && maxItems > MAX_ITEMS[method]) {
    return tooMany(maxItems, method, MAX_ITEMS[method])
  }
  const items = maxRowsOfSearch(asked)
  if (items === undefined) return { mode: 'async', method }
  return { mode: isSearchJob(asked) ? 'async' : 'sync', method, maxItems: items }
}

/** POST /v1/search/with-details: always a job, and never more than 820 homes, whichever way they are found. */
export function planSearchWithDetails(
  asked: Pick<Input<'searchWithDetails'>['body'], 'extractionMethod' | 'maxItems'>,
): { readonly method: ExtractionMethod; readonly maxItems: number } | Refusal {
  const { extractionMethod: method } = asked
  const most = maxHomesWithDetails(method)
  const { maxItems = most } = asked
  return maxItems > most ? tooMany(maxItems, method, most) : { method, maxItems }
}

function tooMany(value: number, method: ExtractionMethod, most: number): Refusal {
  return refuseFor(
    'invalid_parameter',
    'max_items',
    { place: 'maxItems', bound: most, method, value },
    { parameter: 'maxItems', minimum: 1, maximum: most },
  )
}
