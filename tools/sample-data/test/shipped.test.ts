// The sample that the service reads (packages/sample) is what the generator makes, for any day and any number of homes.

import { readSample, SAMPLE_HOMES } from '@lotline/sample'
import { describe, expect, test } from 'vitest'
import { DEFAULT_HOMES, type SampleOptions, sampleListings } from '../src/index.ts'
import { isUpToDate } from '../src/ship.ts'

const FULL = process.env.LOTLINE_FULL === '1'
/** The homes that are compared on most days; all of them in a full run. */
const SOME = FULL ? SAMPLE_HOMES : 500

/** A bound for a busy machine; what takes this long has hung. */
const slow = { timeout: 120_000 }

async function expectSame(options: SampleOptions): Promise<void> {
  const shipped = readSample(options)
  for (const record of sampleListings(options)) {
    const { value } = await shipped.next()
    // Most records are the same, and a comparison of texts is the quicker one.
    const text = JSON.stringify(record)
    if (JSON.stringify(value) !== text) expect(value).toEqual(JSON.parse(text))
  }
  expect(await shipped.next()).toEqual({ value: undefined, done: true })
}

test('the shipped file contains the records that the generator makes', slow, async () => {
  expect(SAMPLE_HOMES).toBe(DEFAULT_HOMES)
  await expectSame({ homes: SAMPLE_HOMES, asOf: Date.parse('2026-11-01T15:04:05Z') })
  // Byte by byte: `pnpm test` has done that before (generated files are up to date).
  if (FULL) expect(isUpToDate()).toBe(true)
})

describe('the shipped sample dated for another day equals the generated sample for that day', () => {
  test.for([
    ['the day after', '2026-11-02', SOME],
    ['a Saturday', '2026-11-07', SOME],
    ['the day before summer time begins', '2027-03-13', SOME],
    ['the next year', '2027-01-01', SOME],
    ['a leap day', '2028-02-29', SOME],
    ['a summer', '2031-07-14', SOME],
    ['a day in the past', '2025-06-30', SOME],
  ] as const)('%s: %s, %d homes', slow, async ([, day, homes]) => {
    await expectSame({ homes, asOf: Date.parse(`${day}T15:04:05Z`) })
  })
})

test.for([1, 2, 20, 41, 300, 600, 700, 2_000, ...(FULL ? [5_199] : [])])(
  'the first %d homes are those of the generator',
  slow,
  async (homes) => {
    await expectSame({ homes, asOf: Date.UTC(2027, 4, 5) })
  },
)

test.for([0, 1.5, Number.NaN, SAMPLE_HOMES + 1])('a sample of %d homes is refused', async (homes) => {
  await expect(readSample({ homes }).next()).rejects.toThrow(RangeError)
})

test('an invalid date is refused', async () => {
  await expect(readSample({ asOf: Number.NaN }).next()).rejects.toThrow(RangeError)
})
