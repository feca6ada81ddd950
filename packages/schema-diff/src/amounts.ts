// Compares prices and other numbers that callers want low.

import { isObject, type JsonValue, membersOf, sameJson } from './json.ts'

/** @returns undefined when the two mean the same, such as a part whose numbers are all 0 and no such part */
export function outcomeOfAmounts(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): 'raised' | 'lowered' | 'changed' | undefined {
  if (before === undefined || after === undefined) return 'changed'
  const steps = compareAmounts(withoutNothing(before), withoutNothing(after))
  if (steps.has('changed')) return 'changed'
  if (steps.has('raised')) return 'raised'
  return steps.has('lowered') ? 'lowered' : undefined
}

type AmountChange = 'raised' | 'lowered' | 'changed'

function compareAmounts(before: JsonValue | undefined, after: JsonValue | undefined): Set<AmountChange> {
  if (sameJson(before, after)) return new Set()
  // What has no number above 0 is gone by now, so that what only one side has costs something.
  if (before === undefined) return new Set(['raised'])
  if (after === undefined) return new Set(['lowered'])
  if (typeof before === 'number' && typeof after === 'number') {
    return new Set([after > before ? 'raised' : 'lowered'])
  }
  if (!isObject(before) || !isObject(after)) return new Set(['changed'])
  const [left, right] = [membersOf(before), membersOf(after)]
  return new Set(
    [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => [
      ...compareMembers(left.get(key), right.get(key)),
    ]),
  )
}

function compareMembers(before: JsonValue | undefined, after: JsonValue | undefined): Set<AmountChange> {
  const isAmount = (value: JsonValue | undefined) =>
    value === undefined || typeof value === 'number' || isObject(value)
  if (sameJson(before, after)) return new Set()
  return isAmount(before) && isAmount(after) ? compareAmounts(before, after) : new Set(['changed'])
}

/** Removes zeros and objects that contain only zeros. They cost nothing in any unit. */
function withoutNothing(value: JsonValue): JsonValue | undefined {
  if (value === 0) return undefined
  if (!isObject(value)) return value
  const members = Object.entries(value).flatMap(([key, member]) => {
    const kept = withoutNothing(member)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  const costs = members.some(([, member]) => typeof member === 'number' || isObject(member))
  return costs ? Object.fromEntries(members) : undefined
}
