// In which order a search returns its rows, and where in that order a page begins. Rows are sorted by one value, then by
// zpid. Rows without the value come last, whichever the direction.

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

export const NEWEST: RowOrder = { by: 'newest', descending: true }

/** The place of a row in an order. */
export interface RowKey {
  /** Milliseconds since 1970, dollars, square feet, bedrooms, or meters; null: the row does not have it. */
  readonly value: number | null
  readonly zpid: string
  /** With `distance`: where the row is. A database computes the distance from it as it does for every row. */
  readonly position?: Position
}

/** undefined: the distance is asked for, and the search has no circle, or several areas. */
export function rowOrderOf(sort: Sort, { areas }: Pick<AreaSearch, 'areas'>): RowOrder | undefined {
  if (sort === 'newest') return NEWEST
  if (sort === 'distance') {
    const [only, ...others] = areas ?? []
    return only?.type === 'circle' && others.length === 0
      ? { by: 'distance', descending: false, center: only.center }
      : undefined
  }
  const descending = sort.startsWith('-')
  return { by: sort.replace('-', '') as 'price' | 'sqft' | 'beds', descending }
}

/** As the data set's columns are made (sources/dataset/listing-columns.ts). */
export function rowKeyOf(record: Property, order: RowOrder): RowKey {
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

/** For sorting: negative, the first comes first. */
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
