// How much a call may ask for, and whether it is answered at once or by a job. The contract has refused what no method
// allows; the bound of the method that was chosen is held here. Values out of bounds are refused with
// `invalid_parameter` and never clamped, so that nobody pays for a number that they did not choose.

import type { ExtractionMethod, Input } from '@lotline/contract'
import { isSearchJob, MAX_SYNC_ITEMS } from '@lotline/contract/search-mode'
import { type Refusal, refuse } from '../platform/refusal.ts'

/** The most rows that each method can return. */
export const MAX_ITEMS: Readonly<Record<ExtractionMethod, number>> = {
  PAGINATION: 820,
  MAP_MARKERS: 500,
  PAGINATION_WITH_ZOOM_IN: 1_000_000,
}
/** `urls` and `addresses` together. */
export const MAX_BATCH_ENTRIES = 500

export type SearchPlan =
  | { readonly mode: 'sync'; readonly method: ExtractionMethod; readonly maxItems: number }
  /** Without `maxItems` the job returns all that there is. */
  | { readonly mode: 'async'; readonly method: ExtractionMethod; readonly maxItems?: number }

/** POST /v1/search and the presets. */
export function planSearch(
  asked: Pick<Input<'searchListings'>['body'], 'extractionMethod' | 'maxItems' | 'async'>,
): SearchPlan | Refusal {
  const { extractionMethod: method, maxItems } = asked
  if (maxItems !== undefined && maxItems > MAX_ITEMS[method]) return tooMany(method, MAX_ITEMS[method])
  if (method === 'PAGINATION_WITH_ZOOM_IN') {
    return maxItems === undefined ? { mode: 'async', method } : { mode: 'async', method, maxItems }
  }
  return { mode: isSearchJob(asked) ? 'async' : 'sync', method, maxItems: maxItems ?? MAX_SYNC_ITEMS }
}

/** POST /v1/search/with-details: always a job, and never more than 820 homes, whichever way they are found. */
export function planSearchWithDetails(
  asked: Pick<Input<'searchWithDetails'>['body'], 'extractionMethod' | 'maxItems'>,
): { readonly method: ExtractionMethod; readonly maxItems: number } | Refusal {
  const { extractionMethod: method } = asked
  const most = Math.min(MAX_ITEMS[method], MAX_ITEMS.PAGINATION)
  const { maxItems = most } = asked
  return maxItems > most ? tooMany(method, most) : { method, maxItems }
}

function tooMany(method: ExtractionMethod, most: number): Refusal {
  return refuse(
    'invalid_parameter',
    `maxItems with ${method} must be a whole number from 1 to ${most.toLocaleString('en-US')}.`,
    { parameter: 'maxItems', minimum: 1, maximum: most },
  )
}
