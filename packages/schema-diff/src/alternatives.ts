import { atAlternative, breaks, type Change, type Comparison, match, note, type Place } from './comparison.ts'
import { isObject, type JsonObject, membersOf } from './json.ts'
import { firstStatedBy, type Schemas } from './schemas.ts'
import { describeShape, intersect, type Shape, shapeOf, shapeOfAlternative, typeOf } from './shape.ts'

/** A branch of the base, one of the head, and how they differ. */
interface Pairing {
  readonly base: Shape
  readonly head: Shape
  readonly changes: readonly Change[]
}

/**
 * Compares the branches of two unions (`oneOf` and `anyOf` alike), or of a union and a plain schema, which then
 * counts as the only branch. Branches are paired by likeness: their order means nothing. Two that no value fits
 * are never paired. What stays alone is a branch taken away or a new one, unless another branch covers it.
 */
export function compareAlternatives(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  if (base.alternatives.length === 0 && head.alternatives.length === 0) return
  const areBoth = base.alternatives.length > 0 && head.alternatives.length > 0
  const before = branchesOf(base, areBoth)
  const after = branchesOf(head, areBoth)
  let found = compareBranches(comparison, place, before, after)
  if (found.length > 0) {
    // `type: [string, integer]` says the same as a union of a string and an integer.
    const [left, right] = [before.flatMap(splitByType), after.flatMap(splitByType)]
    if (left.length > before.length || right.length > after.length) {
      const split = compareBranches(comparison, place, left, right)
      if (unlikeness(comparison, split) < unlikeness(comparison, found)) found = split
    }
  }
  comparison.changes.push(...found)
}

function compareBranches(
  comparison: Comparison,
  place: Place,
  before: readonly Shape[],
  after: readonly Shape[],
): readonly Change[] {
  const attempt: Comparison = { ...comparison, changes: [] }
  const placeOf = (branch: Shape) =>
    before.length > 1 ? atAlternative(place, before.indexOf(branch) + 1) : place
  const pairings = pairingsOf(comparison, before, after, placeOf)
  const pairs = pair(comparison, pairings)
  /** How a lonely branch fits into one of the other side: without breaking a client, or, `exactly`, without a difference. */
  const cover = (exactly: boolean, fits: (pairing: Pairing) => boolean) =>
    pairings.find(
      (pairing) =>
        fits(pairing) && !pairing.changes.some((change) => exactly || breaks(comparison.policy, change)),
    )
  for (const branch of before) {
    const paired = pairs.find((candidate) => candidate.base === branch)
    // What is sent is still accepted when another branch accepts it.
    const covered = cover(place.direction !== 'request', (candidate) => candidate.base === branch)
    const fitting = paired ?? covered
    if (fitting) attempt.changes.push(...fitting.changes)
    else {
      const message = 'The alternative is gone.'
      note(attempt, 'alternative-removed', placeOf(branch), { before: describeShape(branch), message })
    }
  }
  for (const branch of after.filter((candidate) => !pairs.some(({ head }) => head === candidate))) {
    // What is received is still understood when it is also one of the branches that were known.
    const covered = cover(place.direction !== 'response', (candidate) => candidate.head === branch)
    if (covered) {
      attempt.changes.push(...covered.changes)
      continue
    }
    const message = 'There is a further alternative.'
    note(attempt, 'alternative-added', place, { after: describeShape(branch), message })
  }
  return attempt.changes
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

/** Returns one branch for each listed type. */
function splitByType(shape: Shape): readonly Shape[] {
  if (shape.types.size < 2 || shape.types.size > 4) return [shape]
  return [...shape.types].map((type) => ({
    ...shape,
    types: new Set([type]),
    values: shape.values?.filter((value) => typeOf(value) === type),
  }))
}

function pairingsOf(
  comparison: Comparison,
  before: readonly Shape[],
  after: readonly Shape[],
  placeOf: (branch: Shape) => Place,
): readonly Pairing[] {
  return before.flatMap((base) =>
    after
      .filter((head) => intersect(base.types, head.types).size > 0)
      .map((head) => ({ base, head, changes: changesBetween(comparison, placeOf(base), base, head) })),
  )
}

/** Pairs the most alike branches first. */
function pair(comparison: Comparison, candidates: readonly Pairing[]): readonly Pairing[] {
  const weigh = ({ changes }: Pairing) => unlikeness(comparison, changes)
  const byLikeness = candidates.toSorted((a, b) => weigh(a) - weigh(b))
  const pairs: Pairing[] = []
  for (const candidate of byLikeness) {
    const isTaken = pairs.some(({ base, head }) => base === candidate.base || head === candidate.head)
    if (!isTaken) pairs.push(candidate)
  }
  return pairs
}

function unlikeness({ policy }: Comparison, changes: readonly Change[]): number {
  return changes.reduce((sum, change) => sum + (breaks(policy, change) ? 100 : 1), 0)
}

function changesBetween(comparison: Comparison, place: Place, base: Shape, head: Shape): readonly Change[] {
  const attempt: Comparison = { ...comparison, changes: [] }
  attempt.recurse.shapes(attempt, place, base, head)
  return attempt.changes
}

/** Compares how clients tell the branches apart. What the branches themselves say is compared elsewhere. */
export function compareDiscriminators(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const before = discriminatorOf(base)
  const after = discriminatorOf(head)
  if (before && after) {
    if (before.propertyName !== after.propertyName) {
      note(comparison, 'discriminator-changed', place, {
        before: before.propertyName,
        after: after.propertyName,
        message: 'Another field tells the alternatives apart.',
      })
    } else compareMappings(comparison, place, [base, before], [head, after])
  } else if (before) {
    const message = 'No field tells the alternatives apart any more.'
    note(comparison, 'discriminator-removed', place, { before: before.propertyName, message })
  } else if (after) {
    const message = 'A field tells the alternatives apart.'
    note(comparison, 'discriminator-added', place, { after: after.propertyName, message })
  }
}

type DiscriminatedShape = readonly [shape: Shape, discriminator: JsonObject]

function compareMappings(
  comparison: Comparison,
  place: Place,
  base: DiscriminatedShape,
  head: DiscriminatedShape,
): void {
  // A mapping that is written out where there was none says what the names of the schemas said.
  if (base[1].mapping === undefined || head[1].mapping === undefined) return
  const values = match(membersOf(base[1].mapping), membersOf(head[1].mapping))
  for (const [value] of values.removed) {
    const message = 'The discriminator no longer has this value.'
    note(comparison, 'discriminator-value-removed', place, { before: value, message })
  }
  for (const [value] of values.added) {
    const message = 'The discriminator has a further value.'
    note(comparison, 'discriminator-value-added', place, { after: value, message })
  }
  for (const [value, before, after] of values.kept) {
    if (before === after) continue
    const attempt: Comparison = { ...comparison, changes: [] }
    attempt.recurse.schemas(attempt, place, targetOf(String(before)), targetOf(String(after)))
    if (!attempt.changes.some((change) => breaks(comparison.policy, change))) continue
    const message = `The value ${value} leads to a schema that is not compatible.`
    note(comparison, 'discriminator-value-changed', place, { before, after, message })
  }
}

/** A target is a reference, or the name of a schema. */
function targetOf(target: string): Schemas {
  return [{ $ref: target.startsWith('#') ? target : `#/components/schemas/${target}` }]
}

function discriminatorOf(shape: Shape): JsonObject | undefined {
  const stated = firstStatedBy(shape.atoms, 'discriminator')
  return isObject(stated) ? stated : undefined
}
