// Every answer to calls that are made from the contract, right or wrong, with a key or without, is one that the contract describes: a
// documented status, its headers, and a body of its schema; and none is a 5xx. `pnpm test:full` takes another seed in each run, and
// prints it. Texts that no database can store are in apps/api/test/contract/unstorable-texts.test.ts, and bodies that are no JSON in
// packages/contract/test-cases.

import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findMissing } from '../src/find-missing.ts'
import { fuzz } from '../src/fuzz.ts'
import { type RunningService, startService } from '../src/running-service.ts'

const FULL = process.env.LOTLINE_FULL === '1'
const SEED = FULL ? randomInt(1_000_000) : 20_261_120
/** The first run also installs Schemathesis. */
const TIMEOUT_MS = 1_800_000

const missing = findMissing(['python3'])
const lacking = missing.length > 0 ? `: ${missing.join(', ')} is not installed` : ''
const skips = lacking !== '' && process.env.LOTLINE_NO_SKIP !== '1'

let service: RunningService
beforeAll(async () => {
  if (!skips) service = await startService()
}, 240_000)
afterAll(() => service?.close())

describe('each response of the service matches the contract', () => {
  it.skipIf(skips)(
    `for 3,000 random calls with the seed ${SEED}${lacking}`,
    { timeout: TIMEOUT_MS },
    async () => {
      expect(lacking).toBe('')
      const { key } = await service.openAccount(
        '--plan',
        'custom',
        '--credits',
        '10000000',
        '--rate',
        '100000',
      )
      const { url } = service
      // Of operations with many fields, it takes thousands of calls to try each bound.
      const bounds = await fuzz({
        url,
        key,
        seed: SEED,
        phases: ['coverage'],
        examples: 1,
        ...(!FULL && { without: /^\/v1\/(search\/|search$|estimate|listings)/ }),
      })
      const random = await fuzz({ url, key, seed: SEED, phases: ['fuzzing'], examples: FULL ? 100 : 12 })
      console.log(`${bounds} calls at the bounds and ${random} random ones, with the seed ${SEED}`)
      expect(bounds + random).toBeGreaterThanOrEqual(3_000)
    },
  )

  it.skipIf(skips)(`for calls without a key${lacking}`, { timeout: TIMEOUT_MS }, async () => {
    expect(lacking).toBe('')
    const { url } = service
    expect(await fuzz({ url, seed: SEED, phases: ['fuzzing'], examples: 1 })).toBeGreaterThan(40)
  })
})
