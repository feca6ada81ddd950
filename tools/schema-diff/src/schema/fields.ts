import { type Comparison, note } from '../comparison.ts'
import { match } from '../match.ts'
import { atField, atOtherFields, type Place } from '../place.ts'
import { compareSchemas } from './compare-schemas.ts'
import { describeShape } from './describe-shape.ts'
import { additionalFieldsOf, type Field, fieldsOf, type Shape, shapeOf } from './shape.ts'

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
    compareSchemas(comparison, atField(place, name), before.schemas, after.schemas)
  }
  compareAdditionalFields(comparison, place, base, head)
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
    compareSchemas(comparison, atOtherFields(place), before.schemas, after.schemas)
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
