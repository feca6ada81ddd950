import { type Comparison, note, type Place } from './comparison.ts'
import { compareExtensions } from './extensions.ts'
import { holderOfInput } from './holder.ts'
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

/** Compares what only concerns an input: its default, and the extensions that the policy names for inputs. */
export function compareInputNotes(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (place.direction !== 'request') return
  const defaults = {
    before: firstStatedBy(base.atoms, 'default'),
    after: firstStatedBy(head.atoms, 'default'),
  }
  if (!sameJson(defaults.before, defaults.after)) {
    note(comparison, 'default-changed', place, { ...defaults, message: 'Its default is another one.' })
  }
  compareExtensions(comparison, place, 'input', holderOfInput(base), holderOfInput(head))
}
