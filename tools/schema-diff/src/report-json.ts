import type { Allowance, AllowedChange } from './allow-list.ts'
import type { Change } from './comparison.ts'

/** All that is to be told of one comparison. */
export interface Report {
  readonly base: string
  readonly head: string
  /** Breaking changes that no entry of the allow-list matches. */
  readonly breaking: readonly Change[]
  readonly harmless: readonly Change[]
  readonly allowed: readonly AllowedChange[]
  readonly unmatched: readonly Allowance[]
  /** The allow-list that was read; undefined when none speaks of this comparison. */
  readonly allowList: string | undefined
  /** Whether unmatched entries are a fault. They are none when the list speaks of another head than this one. */
  readonly stale: boolean
}

/** Writes a report for programs. */
export function writeJson({ breaking, harmless, allowed, unmatched }: Report): string {
  return JSON.stringify({ breaking, harmless, allowed, unmatched }, null, 2)
}
