import { breaks, type Change, type Comparison, note } from '../comparison.ts'
import { atAlternative, type Place } from '../place.ts'
import { compareShapes } from './compare-schemas.ts'
import { describeShape } from './describe-shape.ts'
import { intersect } from './json-types.ts'
import { type Shape, shapeOf, shapeOfAlternative } from './shape.ts'

/** A branch of the base, one of the head, and how they differ. */
interface Pairing {
  readonly base: Shape
  readonly head: Shape
  readonly changes: readonly Change[]
}

/**
 * Compares the branches of two unions (`oneOf` and `anyOf` alike), or of a union and a plain schema, which then
 * counts as the only branch. Branches are paired by likeness: their order means nothing. Two that no value fits
 * are never paired. What stays alone is a branch taken away or a new one.
 */
export function compareAlternatives(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (base.alternatives.length === 0 && head.alternatives.length === 0) return
  const areBoth = base.alternatives.length > 0 && head.alternatives.length > 0
  const before = branchesOf(base, areBoth)
  const after = branchesOf(head, areBoth)
  const placeOf = (branch: Shape) =>
    before.length > 1 ? atAlternative(place, before.indexOf(branch) + 1) : place
  const pairs = pair(comparison, before, after, placeOf)
  for (const branch of before) {
    const paired = pairs.find((candidate) => candidate.base === branch)
    if (paired) comparison.changes.push(...paired.changes)
    else {
      const message = 'The alternative is gone.'
      note(comparison, 'alternative-removed', placeOf(branch), { before: describeShape(branch), message })
    }
  }
  for (const branch of after.filter((candidate) => !pairs.some(({ head }) => head === candidate))) {
    const message = 'There is a further alternative.'
    note(comparison, 'alternative-added', place, { after: describeShape(branch), message })
  }
}

/** The branches of a shape. Whether null is permitted is compared for the union as a whole. */
function branchesOf(shape: Shape, areBoth: boolean): readonly Shape[] {
  if (shape.alternatives.length === 0) return [{ ...shape, nullable: false }]
  return shape.alternatives.map((alternative) => ({
    ...(areBoth
      ? shapeOf(shape.contract, alternative, shape.direction)
      : shapeOfAlternative(shape, alternative)),
    nullable: false,
  }))
}

/** Pairs the most alike branches first. */
function pair(
  comparison: Comparison,
  before: readonly Shape[],
  after: readonly Shape[],
  placeOf: (branch: Shape) => Place,
): readonly Pairing[] {
  const candidates: Pairing[] = before.flatMap((base) =>
    after
      .filter((head) => intersect(base.types, head.types).size > 0)
      .map((head) => ({ base, head, changes: changesBetween(comparison, placeOf(base), base, head) })),
  )
  const pairs: Pairing[] = []
  for (const candidate of candidates.sort((a, b) => unlikeness(a) - unlikeness(b))) {
    const isTaken = pairs.some(({ base, head }) => base === candidate.base || head === candidate.head)
    if (!isTaken) pairs.push(candidate)
  }
  return pairs
}

function changesBetween(comparison: Comparison, place: Place, base: Shape, head: Shape): readonly Change[] {
  const attempt: Comparison = { ...comparison, changes: [] }
  compareShapes(attempt, place, base, head)
  return attempt.changes
}

function unlikeness({ changes }: Pairing): number {
  return changes.reduce((sum, change) => sum + (breaks(change) ? 100 : 1), 0)
}
