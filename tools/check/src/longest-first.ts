// The order in which a run of vitest starts the test files: those that take longest first, so that none of them is still
// running alone when all others are done. A fresh clone has no record of the last run to order them by.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The files that take 15 seconds or more on two cores, the longest first. Only their order matters. */
const LONG: readonly string[] = [
  'packages/client-python/test/python.test.ts',
  'tools/generators/test/generators.test.ts',
  'tools/generators/test/fuzz.test.ts',
  'apps/api/test/process/start/npx.test.ts',
  'tools/check/test/recipes.test.ts',
  'apps/api/test/interfaces/manual/reference.test.ts',
  'apps/api/test/crash/kill.test.ts',
  'apps/api/test/interfaces/manual/guides.test.ts',
  'apps/api/test/infrastructure/database/embedded-postgres.test.ts',
  'tools/sample-data/test/shipped.test.ts',
  'tools/torture/test/auditor.test.ts',
  'tools/release/test/pack-python.test.ts',
  'tools/release/test/sbom.test.ts',
]

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.indexOf(relative(ROOT, moduleId))
  return place === -1 ? LONG.length : place
}
