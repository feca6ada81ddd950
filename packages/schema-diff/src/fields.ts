import { atField, atOtherFields, atPattern, type Comparison, match, note, type Place } from './comparison.ts'
import {
  additionalFieldsOf,
  describeShape,
  type Field,
  fieldsOf,
  patternFieldsOf,
  type Shape,
  shapeOf,
} from './shape.ts'

/** Compares the fields of two objects, and what they may hold besides. */
export function compareFields(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (!base.types.has('object') || !head.types.has('object')) return
  const fields = match(fieldsOf(base), fieldsOf(head))
  for (const [name, field] of fields.removed) {
    const message = 'The field is gone.'
    note(comparison, 'field-removed', atField(place, name), { before: describe(base, field), message })
  }
  for (const [name, field] of fields.added) {
    const isDemand = field.required && place.direction === 'request'
    note(comparison, isDemand ? 'required-field-added' : 'field-added', atField(place, name), {
      after: describe(head, field),
      message: `The field is new${isDemand ? ' and required' : ''}.`,
    })
  }
  for (const [name, before, after] of fields.kept) {
    compareRequired(comparison, atField(place, name), before.required, after.required)
    comparison.recurse.schemas(comparison, atField(place, name), before.schemas, after.schemas)
  }
  comparePatternFields(comparison, place, base, head)
  compareAdditionalFields(comparison, place, base, head)
}

/**
 * Compares the fields whose names match a pattern. Where only one side has the pattern, such fields were, or become,
 * additional ones like any other.
 */
function comparePatternFields(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const patterns = match(patternFieldsOf(base), patternFieldsOf(head))
  for (const [pattern, schemas] of patterns.removed) {
    const others = additionalFieldsOf(head)
    if (others.closed) {
      const message = 'Fields that match the pattern are gone.'
      note(comparison, 'pattern-fields-removed', atPattern(place, pattern), { before: pattern, message })
    } else comparison.recurse.schemas(comparison, atPattern(place, pattern), schemas, others.schemas)
  }
  for (const [pattern, schemas] of patterns.added) {
    const others = additionalFieldsOf(base)
    const message = 'Fields that match the pattern are described now.'
    note(comparison, 'pattern-fields-added', atPattern(place, pattern), { after: pattern, message })
    if (!others.closed)
      comparison.recurse.schemas(comparison, atPattern(place, pattern), others.schemas, schemas)
  }
  for (const [pattern, before, after] of patterns.kept) {
    comparison.recurse.schemas(comparison, atPattern(place, pattern), before, after)
  }
}

function compareRequired(comparison: Comparison, place: Place, before: boolean, after: boolean): void {
  if (before === after) return
  const message = after ? 'The field is required now.' : 'The field may be absent now.'
  note(comparison, after ? 'field-became-required' : 'field-became-optional', place, {
    before,
    after,
    message,
  })
}

function compareAdditionalFields(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const before = additionalFieldsOf(base)
  const after = additionalFieldsOf(head)
  const finding = { before: !before.closed, after: !after.closed }
  if (!before.closed && !after.closed) {
    comparison.recurse.schemas(comparison, atOtherFields(place), before.schemas, after.schemas)
  } else if (before.closed && !after.closed) {
    const message = 'Fields that are not described may occur now.'
    note(comparison, 'additional-fields-opened', place, { ...finding, message })
  } else if (after.closed && !before.closed) {
    const isWithdrawn = before.stated && place.direction === 'response'
    note(comparison, isWithdrawn ? 'additional-fields-removed' : 'additional-fields-closed', place, {
      ...finding,
      message: 'Only the described fields can occur now.',
    })
  }
}

function describe(shape: Shape, field: Field): string {
  return describeShape(shapeOf(shape.contract, field.schemas, shape.direction))
}
