// Compares demands on which fields of an object are given: `{ fields: [a, b], none: <code>, several: <code> }`. With `none`,
// at least one of the fields must be given; with `several`, at most one may be. Their values say how a call is refused.

import { type Comparison, noteExtension, type Place } from './comparison.ts'
import type { Holder } from './holder.ts'
import { isObject, type JsonValue, sameJson, stringsOf } from './json.ts'
import type { Extension } from './policy.ts'

interface Demand {
  readonly kind: 'none' | 'several'
  readonly fields: readonly string[]
  /** How a call that violates the demand is refused. */
  readonly refusal: JsonValue
}

/**
 * One more field in a demand for at least one accepts more; one less refuses calls that gave only that field. In a demand
 * for at most one it is the other way round, except for a field that is new itself: no caller gave it.
 */
export function compareChoices(
  comparison: Comparison,
  place: Place,
  { keyword, rule, title }: Extension,
  base: Holder,
  head: Holder,
): void {
  const [before, after] = [base.all(keyword), head.all(keyword)]
  const finding = { before: joined(before), after: joined(after) }
  const note = (outcome: 'narrowed' | 'widened' | 'changed') => {
    const message = `${title} (${keyword}) is ${outcome === 'changed' ? 'another one' : outcome}.`
    noteExtension(comparison, `${rule}-${outcome}`, place, { ...finding, message })
  }
  const [known, wanted] = [demandsOf(before), demandsOf(after)]
  if (known === undefined || wanted === undefined) {
    if (!sameJson(finding.before, finding.after)) note('changed')
    return
  }
  const isNew = (field: string) => !base.fields.has(field)
  const isGone = (field: string) => !head.fields.has(field)
  const grounds = wanted.map((demand) => known.filter((other) => follows(demand, other, isNew)))
  if (grounds.some((found) => found.length === 0)) note('narrowed')
  const isRefusedAlike = (demand: Demand, found: readonly Demand[]) =>
    found.length === 0 || found.some(({ refusal }) => sameJson(refusal, demand.refusal))
  if (!wanted.every((demand, index) => isRefusedAlike(demand, grounds[index]!))) note('changed')
  if (!known.every((demand) => wanted.some((other) => follows(demand, other, isGone)))) note('widened')
}

/** Whether each object that meets the other demand meets this one. */
function follows(demand: Demand, other: Demand, isUnknown: (field: string) => boolean): boolean {
  if (demand.kind !== other.kind) return false
  return demand.kind === 'none'
    ? other.fields.every((field) => demand.fields.includes(field))
    : demand.fields.every((field) => other.fields.includes(field) || isUnknown(field))
}

/** undefined if a value has another form. */
function demandsOf(values: readonly JsonValue[]): readonly Demand[] | undefined {
  const demands: Demand[] = []
  for (const value of values) {
    if (!isObject(value)) return undefined
    const { fields, none, several, ...others } = value
    if (stringsOf(fields).length === 0 || Object.keys(others).length > 0) return undefined
    for (const [kind, refusal] of Object.entries({ none, several })) {
      if (refusal !== undefined)
        demands.push({ kind: kind as Demand['kind'], fields: stringsOf(fields), refusal })
    }
  }
  return demands
}

function joined(values: readonly JsonValue[]): JsonValue | undefined {
  return values.length < 2 ? values[0] : values
}
