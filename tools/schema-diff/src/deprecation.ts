import { type Comparison, note } from './comparison.ts'
import type { JsonValue } from './json.ts'
import type { Place } from './place.ts'

interface Deprecable {
  readonly deprecated?: JsonValue
}

/** A deprecation is a notice: it is reported, and breaks nobody. */
export function compareDeprecation(
  comparison: Comparison,
  place: Place,
  base: Deprecable,
  head: Deprecable,
): void {
  const before = base.deprecated === true
  const after = head.deprecated === true
  if (before === after) return
  if (after) note(comparison, 'deprecation-added', place, { before, after, message: 'It is deprecated now.' })
  else
    note(comparison, 'deprecation-removed', place, { before, after, message: 'It is no longer deprecated.' })
}
