// Whether a search is answered at once or runs as a job: the one rule, for the service, the mock and the SDK.

/** The most rows that a search returns at once. A search without `maxItems` asks for as many. */
export const MAX_SYNC_ITEMS = 50

/** What decides it, of the body of POST /v1/search and its presets. Null is the same as absent. */
export interface SearchSize {
  readonly async?: boolean | null | undefined
  readonly maxItems?: number | null | undefined
  readonly extractionMethod?: string | null | undefined
}

/** True: the search is answered with 202 and a job. */
export function isSearchJob({ async, maxItems, extractionMethod }: SearchSize): boolean {
  const most = maxItems ?? MAX_SYNC_ITEMS
  return async === true || most > MAX_SYNC_ITEMS || extractionMethod === 'PAGINATION_WITH_ZOOM_IN'
}
