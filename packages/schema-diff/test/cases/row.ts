import type { Direction } from '../../src/policy.ts'
import type { Mutation } from '../mutate.ts'

/** A change to the example contract, and what is to be said of it; `at` is a part of the location. */
export type VerdictRow = readonly [
  name: string,
  rule: string,
  direction: Direction,
  at: string,
  mutate: Mutation,
]
