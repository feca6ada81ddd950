import type { Contract } from './document.ts'
import type { JsonValue } from './json.ts'
import { type Direction, isBreaking, type Policy, type RuleName } from './policy.ts'
import type { IsSame } from './sameness.ts'
import type { Schemas } from './schemas.ts'
import type { Shape } from './shape.ts'

/**
 * Where in the contract a change is, and whether the caller sends or receives what is there.
 * Reads `GET /v1/properties/{zpid} → 200 → application/json → data.photos[].url`.
 */
export interface Place {
  readonly direction: Direction
  readonly segments: readonly string[]
  /** The path from the root of a body to a field. Empty for the root. */
  readonly fieldPath: string
}

export function placeOf(segment: string): Place {
  return { direction: 'none', segments: [segment], fieldPath: '' }
}

export function into(place: Place, segment: string): Place {
  return { ...place, segments: [...place.segments, segment] }
}

export function facing(place: Place, direction: Direction): Place {
  return { ...place, direction }
}

export function atField(place: Place, name: string): Place {
  return { ...place, fieldPath: place.fieldPath === '' ? name : `${place.fieldPath}.${name}` }
}

export function atItems(place: Place): Place {
  return { ...place, fieldPath: `${place.fieldPath}[]` }
}

/** The place of fields whose names match a pattern. */
export function atPattern(place: Place, pattern: string): Place {
  return atField(place, `/${pattern}/`)
}

/** The values of an object used as a map: those whose names are not listed. */
export function atOtherFields(place: Place): Place {
  return atField(place, '*')
}

/** @param number counts from 1, in the order of the older contract */
export function atAlternative(place: Place, number: number): Place {
  return { ...place, fieldPath: `${place.fieldPath}(alternative ${number})` }
}

function formatLocation(place: Place): string {
  return [...place.segments, ...(place.fieldPath === '' ? [] : [place.fieldPath])].join(' → ')
}

/** One difference between two contracts. `before` and `after` are null where there is nothing. */
export interface Change {
  readonly rule: string
  readonly direction: Direction
  /** The location as text for people; see `Place`. */
  readonly location: string
  readonly before: JsonValue
  readonly after: JsonValue
  /** One sentence that describes the change at the location. */
  readonly message: string
}

/** A comparison under way: the two contracts, and what was found so far. */
export interface Comparison {
  readonly base: Contract
  readonly head: Contract
  readonly policy: Policy
  /** The values of each `openEnum` extension in the base, with the rule for a further one. */
  readonly catalogues: readonly { readonly rule: string; readonly values: ReadonlySet<string> }[]
  /** The pairs of schemas being compared right now, so that a recursive schema comes to an end. */
  readonly openPairs: Set<string>
  readonly changes: Change[]
  readonly isSame: IsSame
  /** The comparison of schemas itself, for the parts of a schema that hold schemas. */
  readonly recurse: Recursion
}

export interface Recursion {
  schemas(comparison: Comparison, place: Place, base: Schemas, head: Schemas): void
  shapes(comparison: Comparison, place: Place, base: Shape, head: Shape): void
}

export interface Finding {
  readonly before?: JsonValue | undefined
  readonly after?: JsonValue | undefined
  readonly message: string
}

export function note(comparison: Comparison, rule: RuleName, place: Place, finding: Finding): void {
  noteExtension(comparison, rule, place, finding)
}

/** Reports a change under a rule that the policy file added. */
export function noteExtension(comparison: Comparison, rule: string, place: Place, finding: Finding): void {
  comparison.changes.push({
    rule,
    direction: place.direction,
    location: formatLocation(place),
    before: finding.before ?? null,
    after: finding.after ?? null,
    message: finding.message,
  })
}

export function breaks(policy: Policy, change: Change): boolean {
  return isBreaking(policy, change.rule, change.direction)
}

/** How the entries of two maps correspond. */
export interface KeyMatches<Base, Head = Base> {
  readonly removed: readonly (readonly [key: string, base: Base])[]
  readonly added: readonly (readonly [key: string, head: Head])[]
  readonly kept: readonly (readonly [key: string, base: Base, head: Head])[]
}

/** Pairs the entries of two maps by key, in the order of the maps. */
export function match<Base, Head>(
  base: ReadonlyMap<string, Base>,
  head: ReadonlyMap<string, Head>,
): KeyMatches<Base, Head> {
  const baseEntries = [...base]
  return {
    removed: baseEntries.filter(([key]) => !head.has(key)),
    added: [...head].filter(([key]) => !base.has(key)),
    kept: baseEntries.flatMap(([key, value]) => (head.has(key) ? [[key, value, head.get(key) as Head]] : [])),
  }
}
