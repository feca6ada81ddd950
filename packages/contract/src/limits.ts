/** How much one call may ask for. The schemas under `spec/` state the same bounds; tests compare the two. */
import type { ExtractionMethod } from './schemas.ts'
import { MAX_SYNC_ITEMS } from './search-mode.ts'

/** The most rows that each extraction method can return. */
export const MAX_ITEMS: Readonly<Record<ExtractionMethod, number>> = {
  PAGINATION: 820,
  MAP_MARKERS: 500,
  PAGINATION_WITH_ZOOM_IN: 1_000_000,
}
/** `urls` and `addresses` of a batch together. */
export const MAX_BATCH_ENTRIES = 500

interface RowLimits {
  readonly extractionMethod: ExtractionMethod
  readonly maxItems?: number | undefined
}

/** The most rows that POST /v1/search and its presets return; undefined: every row there is. */
export function maxRowsOfSearch({ extractionMethod: method, maxItems }: RowLimits): number | undefined {
  return maxItems ?? (method === 'PAGINATION_WITH_ZOOM_IN' ? undefined : MAX_SYNC_ITEMS)
}

/** The bound of `maxItems` of POST /v1/search/with-details, and its value when the call names none. */
export function maxHomesWithDetails(method: ExtractionMethod): number {
  return Math.min(MAX_ITEMS[method], MAX_ITEMS.PAGINATION)
}
