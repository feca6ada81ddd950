import { type Comparison, note, type Place } from './comparison.ts'
import { compareExtensions } from './extensions.ts'
import { holderOfSchema } from './holder.ts'
import { type JsonValue, sameJson } from './json.ts'
import { firstStatedBy } from './schemas.ts'
import type { Shape } from './shape.ts'

interface Deprecable {
  readonly deprecated?: JsonValue
}

/** A deprecation is a notice: it is reported, and breaks no client. */
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

/** Compares the extensions that the policy names for schemas of this direction and, of an input, the default. */
export function compareSchemaNotes(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const on = place.direction === 'request' ? 'input' : 'output'
  compareExtensions(comparison, place, on, holderOfSchema(base), holderOfSchema(head))
  if (on === 'output') return
  const defaults = {
    before: firstStatedBy(base.atoms, 'default'),
    after: firstStatedBy(head.atoms, 'default'),
  }
  if (!sameJson(defaults.before, defaults.after)) {
    note(comparison, 'default-changed', place, { ...defaults, message: 'Its default is another one.' })
  }
}
