import type { Comparison } from '../comparison.ts'
import { atItems, type Place } from '../place.ts'
import { compareSchemas } from './compare-schemas.ts'
import { itemsOf, type Shape } from './shape.ts'

/** Compares the elements of two arrays. */
export function compareItems(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (!base.types.has('array') || !head.types.has('array')) return
  compareSchemas(comparison, atItems(place), itemsOf(base), itemsOf(head))
}
