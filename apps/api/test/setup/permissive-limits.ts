// Limits that hold no import, for tests of other things that change most homes of a source.

import { LIMITS } from '../../src/data/imports/limits.ts'
import { saveLimits } from '../../src/data/imports/source-limits.ts'
import type { Queryable } from '../../src/infrastructure/database/queryable.ts'

export async function permitAllChanges(database: Queryable, source: string): Promise<void> {
  const limits = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, 1_000_000_000]))
  await saveLimits(database, source, limits)
}
