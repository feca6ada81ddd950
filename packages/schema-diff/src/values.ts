import { type Comparison, note, noteExtension, type Place } from './comparison.ts'
import type { JsonValue } from './json.ts'
import { describeShape, intersect, permitsType, type Shape, valuesNotIn } from './shape.ts'

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

/**
 * Compares the lists of permitted values, `enum` and `const` alike. An open enum lists the values that are known; others
 * may occur as well.
 */
export function compareEnums(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const before = base.values ?? base.listed
  const after = head.values ?? head.listed
  const wasOpen = base.listed !== undefined
  const isOpen = head.listed !== undefined
  if (before && after) {
    const lost = valuesNotIn(before, after)
    const gained = valuesNotIn(after, before)
    if (!wasOpen && isOpen) {
      const message = 'Values that the enum does not list may occur now.'
      note(comparison, 'enum-opened', place, { before, after, message })
    } else if (wasOpen && !isOpen) {
      const message = `Only ${list(after)} can occur now.`
      note(comparison, 'enum-closed', place, { before, after, message })
    }
    if (lost.length > 0) {
      const message = `The enum no longer has ${list(lost)}.`
      note(comparison, 'enum-value-removed', place, { before, after, message })
    }
    if (gained.length > 0) {
      const rule = catalogueRule(comparison, place, before)
      noteExtension(comparison, rule ?? (wasOpen ? 'open-enum-value-added' : 'enum-value-added'), place, {
        before,
        after,
        message: `The enum has ${list(gained)} too.`,
      })
    }
  } else if (after) {
    const message = isOpen ? `${list(after)} are listed now.` : `Only ${list(after)} can occur now.`
    note(comparison, isOpen ? 'open-enum-introduced' : 'enum-introduced', place, { before, after, message })
  } else if (before) {
    const message = wasOpen ? 'No values are listed now.' : `Not only ${list(before)} may occur now.`
    note(comparison, wasOpen ? 'open-enum-dropped' : 'enum-dropped', place, { before, after, message })
  }
}

/** The rule for a further value of an output that lists all values of an `openEnum` extension; else undefined. */
function catalogueRule(
  { catalogues }: Comparison,
  place: Place,
  values: readonly JsonValue[],
): string | undefined {
  if (place.direction !== 'response') return undefined
  const found = catalogues.find(
    (catalogue) =>
      catalogue.values.size > 0 && [...catalogue.values].every((value) => values.includes(value)),
  )
  return found?.rule
}

function list(values: Iterable<JsonValue>): string {
  return [...values].map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
}
