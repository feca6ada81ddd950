import { type Comparison, note, type Place } from './comparison.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { statedBy } from './schemas.ts'
import { intersect, type JsonType, permitsType, type Shape } from './shape.ts'

interface BoundKeyword {
  readonly name: string
  readonly exclusive?: string
  readonly of: JsonType
  readonly side: 'lower' | 'upper'
  /** The bound that applies if none is stated. */
  readonly unstated: number
}

const keywords: readonly BoundKeyword[] = [
  { name: 'minimum', exclusive: 'exclusiveMinimum', of: 'integer', side: 'lower', unstated: -Infinity },
  { name: 'maximum', exclusive: 'exclusiveMaximum', of: 'integer', side: 'upper', unstated: Infinity },
  { name: 'minLength', of: 'string', side: 'lower', unstated: 0 },
  { name: 'maxLength', of: 'string', side: 'upper', unstated: Infinity },
  { name: 'minItems', of: 'array', side: 'lower', unstated: 0 },
  { name: 'maxItems', of: 'array', side: 'upper', unstated: Infinity },
  { name: 'minProperties', of: 'object', side: 'lower', unstated: 0 },
  { name: 'maxProperties', of: 'object', side: 'upper', unstated: Infinity },
]

interface Bound {
  readonly value: number
  /** The bound value itself is not allowed. */
  readonly exclusive: boolean
}

/** Compares the bounds of numbers, lengths and counts, as far as both sides permit values of the type. */
export function compareBounds(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const shared = intersect(base.types, head.types)
  for (const keyword of keywords) {
    if (!permitsType(shared, keyword.of)) continue
    const before = boundOf(base, shared, keyword)
    const after = boundOf(head, shared, keyword)
    const change = tightness(after, keyword) - tightness(before, keyword)
    const tighter = change === 0 ? Number(after.exclusive) - Number(before.exclusive) : change
    if (tighter === 0 || Number.isNaN(tighter)) continue
    note(comparison, tighter > 0 ? 'bound-narrowed' : 'bound-widened', place, {
      before: display(before, keyword),
      after: display(after, keyword),
      message: `The ${keyword.name} ${moved(before, after, keyword)}.`,
    })
  }
}

/** The tightest bound that the atoms state. */
function boundOf({ atoms }: Shape, types: ReadonlySet<JsonType>, keyword: BoundKeyword): Bound {
  const onlyIntegers = keyword.of === 'integer' && !types.has('number')
  const inclusive = numbersFrom(atoms, keyword.name).map((value) => ({ value, exclusive: false }))
  const exclusive = numbersFrom(atoms, keyword.exclusive).map((value) =>
    // For integers "more than 0" is "at least 1", so that either way of writing it is the same bound.
    onlyIntegers && Number.isInteger(value)
      ? { value: keyword.side === 'lower' ? value + 1 : value - 1, exclusive: false }
      : { value, exclusive: true },
  )
  return [...inclusive, ...exclusive].reduce(
    (tightest, bound) => (isTighter(bound, tightest, keyword) ? bound : tightest),
    { value: keyword.unstated, exclusive: false },
  )
}

function isTighter(a: Bound, b: Bound, keyword: BoundKeyword): boolean {
  const difference = tightness(a, keyword) - tightness(b, keyword)
  return difference > 0 || (a.value === b.value && a.exclusive && !b.exclusive)
}

function tightness(bound: Bound, { side }: BoundKeyword): number {
  return side === 'lower' ? bound.value : -bound.value
}

function numbersFrom(atoms: readonly JsonObject[], keyword: string | undefined): readonly number[] {
  return keyword === undefined ? [] : statedBy(atoms, keyword).filter((value) => typeof value === 'number')
}

function display(bound: Bound, keyword: BoundKeyword): JsonValue {
  if (bound.value === keyword.unstated) return null
  return bound.exclusive ? `${bound.value} (exclusive)` : bound.value
}

function moved(before: Bound, after: Bound, keyword: BoundKeyword): string {
  const from = display(before, keyword)
  const to = display(after, keyword)
  if (from === null) return `is ${to} now; there was none`
  if (to === null) return `of ${from} is gone`
  return `is ${to} instead of ${from}`
}
