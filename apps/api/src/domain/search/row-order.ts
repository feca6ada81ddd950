// The order of a search's rows, and the place in that order where a page begins. Rows are sorted by one value, then by zpid. Rows without
// the value come last in both directions.

import type { Property } from '@lotline/contract'
import type { Position } from '@lotline/contract/checks'
import { number, type UncheckedFields } from '../record/coerce.ts'
import { findListedAt } from '../record/times.ts'
import type { AreaSearch } from './area-search.ts'
import { distanceM } from './region.ts'
import { FILTERS } from './searchable-facts.ts'

/** The values of `sort`. */
export type Sort = 'newest' | 'price' | '-price' | 'sqft' | '-sqft' | 'beds' | '-beds' | 'distance'

export type RowOrder =
  | { readonly by: 'newest' | 'price' | 'sqft' | 'beds'; readonly descending: boolean }
  | { readonly by: 'distance'; readonly descending: false; readonly center: Position }

export const NEWEST_FIRST: RowOrder = { by: 'newest', descending: true }

/** The position of a row in an order. */
export interface RowKey {
  /** Milliseconds since 1970, dollars, square feet, bedrooms, or meters. null: the row has no value. */
  readonly value: number | null
  readonly zpid: string
  /** With `distance`: the position of the row. A database computes the distance from it as it does for every row. */
  readonly position?: Position
}

/** undefined: the sort is by distance, and the search has no circle or several areas. */
export function toRowOrder(sort: Sort, { areas }: Pick<AreaSearch, 'areas'>): RowOrder | undefined {
  if (sort === 'newest') return NEWEST_FIRST
  if (sort === 'distance') {
    const [only, ...others] = areas ?? []
    return only?.type === 'circle' && others.length === 0
      ? { by: 'distance', descending: false, center: only.center }
      : undefined
  }
  const descending = sort.startsWith('-')
  return { by: sort.replace('-', '') as 'price' | 'sqft' | 'beds', descending }
}

/** Computed in the same way as the data set's columns (sources/dataset/listing-columns.ts). */
export function toRowKey(record: Property, order: RowOrder): RowKey {
  const unchecked: UncheckedFields = record
  const zpid = String(record.zpid)
  switch (order.by) {
    case 'newest':
      return { value: findListedAt(record)?.getTime() ?? null, zpid }
    case 'price':
    case 'sqft':
    case 'beds':
      return { value: FILTERS[order.by].read(unchecked), zpid }
    case 'distance': {
      const [longitude, latitude] = [number(unchecked.longitude), number(unchecked.latitude)]
      if (longitude === null || latitude === null) return { value: null, zpid }
      const position: Position = [longitude, latitude]
      return { value: distanceM(order.center, position), zpid, position }
    }
  }
}

/** Compares two rows for sorting. Negative if the first one comes first. */
export function compareKeys(
  { descending }: Pick<RowOrder, 'descending'>,
  one: RowKey,
  other: RowKey,
): number {
  if (one.value !== other.value) {
    if (one.value === null) return 1
    if (other.value === null) return -1
    return descending ? other.value - one.value : one.value - other.value
  }
  return one.zpid < other.zpid ? -1 : one.zpid > other.zpid ? 1 : 0
}
