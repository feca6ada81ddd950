// `anyOf` permits what fits several of its schemas, `oneOf` refuses it. Where no value fits two of them, they mean the same.

import { type Comparison, note, type Place } from './comparison.ts'
import { elementsOf, type JsonValue } from './json.ts'
import { statedBy } from './schemas.ts'
import { fieldsOf, intersect, type Shape, shapeOf, valuesIn } from './shape.ts'

export function compareExclusivity(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (has(base, 'anyOf') && !has(base, 'oneOf') && !has(head, 'anyOf') && isExclusive(head)) {
    const message = 'What fits two of the alternatives is refused now.'
    const finding = { before: 'anyOf', after: 'oneOf', message }
    note(comparison, 'alternatives-became-exclusive', place, finding)
  }
  if (has(head, 'anyOf') && !has(head, 'oneOf') && !has(base, 'anyOf') && isExclusive(base)) {
    const message = 'Two of the alternatives may fit at once now.'
    const finding = { before: 'oneOf', after: 'anyOf', message }
    note(comparison, 'alternatives-became-inclusive', place, finding)
  }
}

function has({ atoms }: Shape, keyword: 'anyOf' | 'oneOf'): boolean {
  return statedBy(atoms, keyword).length > 0
}

/** Whether there are two schemas of which a value may fit both. */
function isExclusive({ contract, direction, atoms }: Shape): boolean {
  return statedBy(atoms, 'oneOf').some((union) => {
    const branches = elementsOf(union).map((schema) => shapeOf(contract, [schema], direction))
    return branches.some((one, index) => branches.slice(index + 1).some((two) => mayOverlap(one, two)))
  })
}

/** Deeper fields do not tell alternatives apart. */
const MAX_DEPTH = 3

function mayOverlap(one: Shape, two: Shape, depth = 0): boolean {
  if (one.nullable && two.nullable) return true
  const types = intersect(one.types, two.types)
  if (types.size === 0) return false
  if (one.values && two.values) return valuesIn(one.values, two.values).length > 0
  const isObjectOnly = types.size === 1 && types.has('object')
  if (!isObjectOnly || depth >= MAX_DEPTH) return true
  const others = fieldsOf(two)
  return [...fieldsOf(one)].every(([name, { required, schemas }]) => {
    const other = others.get(name)
    if (!required || !other?.required) return true
    const shape = (whole: Shape, parts: readonly JsonValue[]) =>
      shapeOf(whole.contract, parts, whole.direction)
    return mayOverlap(shape(one, schemas), shape(two, other.schemas), depth + 1)
  })
}
