import { type Comparison, note } from '../comparison.ts'
import { sameJson } from '../json.ts'
import type { Place } from '../place.ts'
import { firstStatedBy } from './schemas.ts'
import type { Shape } from './shape.ts'

/** Compares what only concerns an input: the value it has when it is left out, and the code that refuses a wrong one. */
export function compareInputNotes(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (place.direction !== 'request') return
  const defaults = {
    before: firstStatedBy(base.atoms, 'default'),
    after: firstStatedBy(head.atoms, 'default'),
  }
  if (!sameJson(defaults.before, defaults.after)) {
    note(comparison, 'default-changed', place, { ...defaults, message: 'Its default is another one.' })
  }
  const codes = {
    before: firstStatedBy(base.atoms, 'x-error-code'),
    after: firstStatedBy(head.atoms, 'x-error-code'),
  }
  if (!sameJson(codes.before, codes.after)) {
    const message = 'A wrong value is answered with another error code.'
    note(comparison, 'error-code-changed', place, { ...codes, message })
  }
}
