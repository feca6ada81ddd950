import { type Comparison, note } from '../comparison.ts'
import type { JsonValue } from '../json.ts'
import type { Place } from '../place.ts'
import { describeShape } from './describe-shape.ts'
import { intersect, permitsType, valuesNotIn } from './json-types.ts'
import type { Shape } from './shape.ts'

export function compareNullability(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (base.nullable === head.nullable) return
  note(comparison, head.nullable ? 'nullability-added' : 'nullability-removed', place, {
    before: describeShape(base),
    after: describeShape(head),
    message: head.nullable ? 'It may be null now.' : 'It can no longer be null.',
  })
}

/** @returns false when no value fits both: then nothing else about them can be compared */
export function compareTypes(comparison: Comparison, place: Place, base: Shape, head: Shape): boolean {
  const lost = [...base.types].filter((type) => !permitsType(head.types, type))
  const gained = [...head.types].filter((type) => !permitsType(base.types, type))
  const before = describeShape(base)
  const after = describeShape(head)
  if (lost.length > 0 && gained.length > 0) {
    const message = `Its type is ${list(head.types)} instead of ${list(base.types)}.`
    note(comparison, 'type-changed', place, { before, after, message })
  } else if (lost.length > 0) {
    note(comparison, 'type-narrowed', place, {
      before,
      after,
      message: `It can no longer be any ${list(lost)}.`,
    })
  } else if (gained.length > 0) {
    note(comparison, 'type-widened', place, { before, after, message: `It may be any ${list(gained)} now.` })
  }
  return intersect(base.types, head.types).size > 0
}

/** Compares the lists of permitted values, `enum` and `const` alike. */
export function compareEnums(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const before = base.values
  const after = head.values
  if (before && after) {
    const lost = valuesNotIn(before, after)
    const gained = valuesNotIn(after, before)
    if (lost.length > 0) {
      const message = `The enum no longer has ${list(lost)}.`
      note(comparison, 'enum-value-removed', place, { before, after, message })
    }
    if (gained.length > 0) {
      const rule = isErrorCatalogue(comparison, place, before) ? 'error-code-added' : 'enum-value-added'
      note(comparison, rule, place, { before, after, message: `The enum has ${list(gained)} too.` })
    }
  } else if (after) {
    note(comparison, 'enum-introduced', place, {
      before,
      after,
      message: `Only ${list(after)} can occur now.`,
    })
  } else if (before) {
    const message = `Not only ${list(before)} may occur now.`
    note(comparison, 'enum-dropped', place, { before, after, message })
  }
}

/** Callers match on the error codes they know: an output that lists all of them may come to list more. */
function isErrorCatalogue(comparison: Comparison, place: Place, values: readonly JsonValue[]): boolean {
  const codes = [...comparison.errorCatalogue]
  return place.direction === 'response' && codes.length > 0 && codes.every((code) => values.includes(code))
}

function list(values: Iterable<JsonValue>): string {
  return [...values].map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
}
