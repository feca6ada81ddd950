import { type Comparison, note } from './comparison.ts'
import { type JsonObject, sameJson } from './json.ts'
import type { Place } from './place.ts'

/** The price is the whole of `x-credits`: figure, unit, minimum and stages. */
export function comparePrices(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  const before = base['x-credits']
  const after = head['x-credits']
  if (sameJson(before, after)) return
  note(comparison, 'price-changed', place, {
    before,
    after,
    message: 'The price (x-credits) is another one.',
  })
}
