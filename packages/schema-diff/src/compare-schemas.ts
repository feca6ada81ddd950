import { compareAlternatives, compareDiscriminators } from './alternatives.ts'
import { compareDeprecation, compareSchemaNotes } from './annotations.ts'
import { compareBounds } from './bounds.ts'
import { atItems, type Comparison, type Place } from './comparison.ts'
import { compareConstraints, compareUnjudged } from './constraints.ts'
import { compareDemands } from './demands.ts'
import { compareExclusivity } from './exclusivity.ts'
import { compareFields } from './fields.ts'
import { firstStatedBy, identityOf, type Schemas } from './schemas.ts'
import { itemsOf, type Shape, shapeOf } from './shape.ts'
import { compareEnums, compareNullability, compareTypes } from './values.ts'

/**
 * Compares what two contracts say of one value: whether it became narrower, wider, or something else. Which of
 * that breaks a caller depends on the direction of the place and is not decided here.
 */
export function compareSchemas(comparison: Comparison, place: Place, base: Schemas, head: Schemas): void {
  if (base.length === head.length && base.every((schema, index) => comparison.isSame(schema, head[index]!)))
    return
  const before = shapeOf(comparison.base, base, place.direction)
  const after = shapeOf(comparison.head, head, place.direction)
  const pair = `${place.direction} ${identityOf(before.atoms)} ${identityOf(after.atoms)}`
  if (comparison.openPairs.has(pair)) return
  comparison.openPairs.add(pair)
  try {
    compareShapes(comparison, place, before, after)
  } finally {
    comparison.openPairs.delete(pair)
  }
}

/** As `compareSchemas`, for schemas that have been read already. */
export function compareShapes(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  compareNullability(comparison, place, base, head)
  compareExclusivity(comparison, place, base, head)
  compareDiscriminators(comparison, place, base, head)
  // A union against no union is compared branch by branch, each with what stands beside the union.
  if (base.alternatives.length > 0 !== head.alternatives.length > 0) {
    compareAlternatives(comparison, place, base, head)
    return
  }
  compareDeprecation(comparison, place, deprecationOf(base), deprecationOf(head))
  if (!compareTypes(comparison, place, base, head)) return
  compareEnums(comparison, place, base, head)
  compareBounds(comparison, place, base, head)
  compareConstraints(comparison, place, base, head)
  compareDemands(comparison, place, base, head)
  compareUnjudged(comparison, place, base, head)
  compareSchemaNotes(comparison, place, base, head)
  compareFields(comparison, place, base, head)
  compareItems(comparison, place, base, head)
  compareAlternatives(comparison, place, base, head)
}

function deprecationOf(shape: Shape) {
  return { deprecated: firstStatedBy(shape.atoms, 'deprecated') ?? false }
}

/** Compares the elements of two arrays. */
function compareItems(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (!base.types.has('array') || !head.types.has('array')) return
  compareSchemas(comparison, atItems(place), itemsOf(base), itemsOf(head))
}
