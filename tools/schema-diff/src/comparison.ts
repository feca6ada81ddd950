import type { Contract } from './contract.ts'
import type { JsonValue } from './json.ts'
import { locationOf, type Place } from './place.ts'
import { type Direction, isBreaking, type RuleName } from './rules.ts'

/** One difference between two contracts. `before` and `after` are null where there is nothing. */
export interface Change {
  readonly rule: RuleName
  readonly direction: Direction
  /** For people, and for the entries of the allow-list. */
  readonly location: string
  readonly before: JsonValue
  readonly after: JsonValue
  /** One sentence that says what became of the thing at the location. */
  readonly message: string
}

/** A comparison under way: the two contracts, and what was found so far. */
export interface Comparison {
  readonly base: Contract
  readonly head: Contract
  /** Every error code that the base lists for any status. */
  readonly errorCatalogue: ReadonlySet<string>
  /** The pairs of schemas being compared right now, so that a recursive schema comes to an end. */
  readonly openPairs: Set<string>
  readonly changes: Change[]
}

export interface Finding {
  readonly before?: JsonValue | undefined
  readonly after?: JsonValue | undefined
  readonly message: string
}

export function note(comparison: Comparison, rule: RuleName, place: Place, finding: Finding): void {
  comparison.changes.push({
    rule,
    direction: place.direction,
    location: locationOf(place),
    before: finding.before ?? null,
    after: finding.after ?? null,
    message: finding.message,
  })
}

export function breaks(change: Change): boolean {
  return isBreaking(change.rule, change.direction)
}
