// Each generator of the test command, through all steps, against one running service. `pnpm test:full` has the slow ones too.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkGenerator } from '../src/check-generator.ts'
import { findMissing } from '../src/find-missing.ts'
import { SCENARIO_STEPS } from '../src/generator.ts'
import { GENERATORS } from '../src/generators.ts'
import { type RunningService, startService } from '../src/running-service.ts'

/** A first run also installs the generators. */
const TIMEOUT_MS = 900_000

let service: RunningService
beforeAll(async () => {
  service = await startService()
}, 120_000)
afterAll(() => service?.close())

const MAY_SKIP = process.env.LOTLINE_NO_SKIP !== '1'

// One after the other: the compilers of several generators at a time would slow down the test files that run beside this one.
describe('a generated client has no generator warnings, compiles, reads every example, and calls the service', () => {
  for (const generator of GENERATORS.filter(({ slow }) => !slow || process.env.LOTLINE_FULL === '1')) {
    const missing = findMissing(generator.needs)
    const lacking = missing.length > 0 ? `: ${missing.join(', ')} is not installed` : ''
    it.skipIf(lacking !== '' && MAY_SKIP)(
      `by ${generator.name}${lacking}`,
      { timeout: TIMEOUT_MS },
      async () => {
        expect(lacking).toBe('')
        const { examples, steps } = await checkGenerator(generator, service)
        expect(examples).toBeGreaterThan(500)
        expect(steps).toEqual(SCENARIO_STEPS)
      },
    )
  }
})
