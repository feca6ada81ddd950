// Compares keywords that only demand more of a value: a further one narrows what is permitted, one less widens it.

import { breaks, type Comparison, facing, note, type Place } from './comparison.ts'
import { canonicalJson, isObject, type JsonObject, type JsonValue, sameJson, stringsOf } from './json.ts'
import { canonicalSchema } from './schemas.ts'
import type { Shape } from './shape.ts'

/** Keywords that say something together. The first one makes the demand. */
export const DEMANDS = [
  ['not'],
  ['if', 'then', 'else'],
  ['dependentRequired'],
  ['dependentSchemas'],
  ['propertyNames'],
  ['contains', 'minContains', 'maxContains'],
] as const

type Keywords = (typeof DEMANDS)[number]

export function compareDemands(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  for (const keywords of DEMANDS) {
    const [before, after] = [demandsOf(base, keywords), demandsOf(head, keywords)]
    const lost = without(before, after)
    const gained = without(after, before)
    if (lost.length === 0 && gained.length === 0) continue
    const [keyword] = keywords
    const finding = { before: shown(lost), after: shown(gained) }
    // A schema that permits nothing has no narrower values.
    const permitsSome = (demands: readonly JsonObject[]) =>
      !demands.some((demand) => sameJson(demand, { not: {} }))
    if (lost.length === 0 && permitsSome(gained)) {
      const message = `There is a further demand by ${keyword}.`
      note(comparison, 'constraint-introduced', place, { ...finding, message })
    } else if (gained.length === 0 && permitsSome(lost)) {
      const message = `There is one demand less by ${keyword}.`
      note(comparison, 'constraint-dropped', place, { ...finding, message })
    } else {
      const [one, ...others] = lost
      const [two, ...more] = gained
      const rule =
        !one || !two || others.length + more.length > 0
          ? undefined
          : ruleFor(comparison, place, keyword, one, two)
      const message = `The keyword ${keyword} says something else.`
      note(comparison, rule ?? 'constraint-changed', place, { ...finding, message })
    }
  }
}

/** What became of one demand. Undefined where it is not known to be more or less. */
function ruleFor(
  comparison: Comparison,
  place: Place,
  keyword: Keywords[0],
  before: JsonObject,
  after: JsonObject,
): 'constraint-introduced' | 'constraint-dropped' | undefined {
  if (keyword === 'dependentRequired') {
    const [more, less] = [demandsAll(after, before), demandsAll(before, after)]
    return more ? 'constraint-introduced' : less ? 'constraint-dropped' : undefined
  }
  const isPlain = Object.keys(before).length === 1 && Object.keys(after).length === 1
  if (!isPlain || (keyword !== 'not' && keyword !== 'propertyNames' && keyword !== 'contains'))
    return undefined
  const [narrowed, widened] = [permitsNoMore('response'), permitsNoMore('request')]
  if (keyword === 'not')
    return narrowed ? 'constraint-dropped' : widened ? 'constraint-introduced' : undefined
  return narrowed ? 'constraint-introduced' : widened ? 'constraint-dropped' : undefined

  /** A response that breaks no client is narrower, a request that breaks none is wider. */
  function permitsNoMore(direction: 'request' | 'response'): boolean {
    const attempt: Comparison = { ...comparison, changes: [], openPairs: new Set() }
    attempt.recurse.schemas(attempt, facing(place, direction), [before[keyword]!], [after[keyword]!])
    return !attempt.changes.some((change) => breaks(comparison.policy, change))
  }
}

/** Whether the one demands each field that the other demands. */
function demandsAll(
  { dependentRequired: one }: JsonObject,
  { dependentRequired: other }: JsonObject,
): boolean {
  if (!isObject(one) || !isObject(other)) return false
  return Object.entries(other).every(([field, needed]) => {
    const known = stringsOf(one[field])
    return stringsOf(needed).every((name) => known.includes(name))
  })
}

/** One object for each schema that makes the demand, with what belongs to it. */
function demandsOf({ contract, atoms }: Shape, keywords: Keywords): readonly JsonObject[] {
  return atoms
    .filter((atom) => Object.hasOwn(atom, keywords[0]))
    .map((atom) =>
      Object.fromEntries(
        keywords
          .filter((keyword) => Object.hasOwn(atom, keyword))
          .map((keyword) => [keyword, canonicalSchema(contract, atom[keyword] as JsonValue)]),
      ),
    )
}

function without(demands: readonly JsonObject[], others: readonly JsonObject[]): readonly JsonObject[] {
  const found = demands.filter((demand) => !others.some((other) => sameJson(demand, other)))
  return [...new Map(found.map((demand) => [canonicalJson(demand), demand])).values()]
}

function shown(demands: readonly JsonObject[]): JsonValue {
  return demands.length < 2 ? (demands[0] ?? null) : demands
}
