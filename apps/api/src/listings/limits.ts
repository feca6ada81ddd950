// How much a call may ask for, and whether it is answered at once or by a job. Values out of bounds are refused with
// `invalid_parameter` and never clamped, so that nobody pays for a number that they did not choose.

import { type Refusal, refuse } from '../refusal.ts'

export const EXTRACTION_METHODS = ['PAGINATION', 'MAP_MARKERS', 'PAGINATION_WITH_ZOOM_IN'] as const
export type ExtractionMethod = (typeof EXTRACTION_METHODS)[number]

/** The most rows that each method can return. */
export const MAX_ITEMS: Readonly<Record<ExtractionMethod, number>> = {
  PAGINATION: 820,
  MAP_MARKERS: 500,
  PAGINATION_WITH_ZOOM_IN: 1_000_000,
}
/** Up to here a search is answered at once. */
export const MAX_SYNC_ITEMS = 50
export const MAX_BATCH_ENTRIES = 500

/** What a body says about its size: unread, as it came. */
export interface SizeAsked {
  readonly extractionMethod?: unknown
  readonly maxItems?: unknown
  readonly async?: unknown
}

export type SearchPlan =
  | { readonly mode: 'sync'; readonly method: ExtractionMethod; readonly maxItems: number }
  /** Without `maxItems` the job returns all that there is. */
  | { readonly mode: 'async'; readonly method: ExtractionMethod; readonly maxItems?: number }

/** POST /v1/search and the presets. */
export function planSearch(asked: SizeAsked): SearchPlan | Refusal {
  const method = readMethod(asked.extractionMethod)
  if (typeof method !== 'string') return method
  const maxItems = readMaxItems(asked.maxItems, MAX_ITEMS[method], `maxItems with ${method}`)
  if (typeof maxItems === 'object') return maxItems
  if (asked.async !== undefined && typeof asked.async !== 'boolean') {
    return refuse('invalid_parameter', 'async must be true or false.', { parameter: 'async' })
  }
  if (method === 'PAGINATION_WITH_ZOOM_IN') {
    return maxItems === undefined ? { mode: 'async', method } : { mode: 'async', method, maxItems }
  }
  const items = maxItems ?? MAX_SYNC_ITEMS
  return { mode: asked.async === true || items > MAX_SYNC_ITEMS ? 'async' : 'sync', method, maxItems: items }
}

/** POST /v1/search/with-details: always a job, and never more than 820 homes, whichever way they are found. */
export function planSearchWithDetails(
  asked: Omit<SizeAsked, 'async'>,
): { readonly method: ExtractionMethod; readonly maxItems: number } | Refusal {
  const method = readMethod(asked.extractionMethod)
  if (typeof method !== 'string') return method
  const most = Math.min(MAX_ITEMS[method], MAX_ITEMS.PAGINATION)
  const maxItems = readMaxItems(asked.maxItems, most, `maxItems with ${method}`)
  return typeof maxItems === 'object' ? maxItems : { method, maxItems: maxItems ?? most }
}

/** `maxItems` of a batch; without one, as many as there are entries and their units. */
export function readBatchMaxItems(value: unknown): number | undefined | Refusal {
  return readMaxItems(value, MAX_BATCH_ENTRIES, 'maxItems')
}

function readMethod(value: unknown): ExtractionMethod | Refusal {
  const method = EXTRACTION_METHODS.find((known) => known === (value ?? 'PAGINATION'))
  return (
    method ??
    refuse('invalid_parameter', `extractionMethod must be one of ${EXTRACTION_METHODS.join(', ')}.`, {
      parameter: 'extractionMethod',
    })
  )
}

function readMaxItems(value: unknown, most: number, name: string): number | undefined | Refusal {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value
  return refuse(
    'invalid_parameter',
    `${name} must be a whole number from 1 to ${most.toLocaleString('en-US')}.`,
    {
      parameter: name.split(' ')[0],
      minimum: 1,
      maximum: most,
    },
  )
}
