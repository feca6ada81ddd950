import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryDelayMs } from '../../src/webhooks/deliver-events.ts'

describe('the waits between attempts', () => {
  it('are a minute and four minutes, give or take a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const [first, second] = [1, 2].map((failed) => retryDelayMs(failed, 60_000, () => random))
        expect(first).toBeGreaterThanOrEqual(54_000)
        expect(first).toBeLessThanOrEqual(66_000)
        expect(second).toBeGreaterThanOrEqual(216_000)
        expect(second).toBeLessThanOrEqual(264_000)
      }),
    )
    expect(retryDelayMs(1, 60_000, () => 0.5)).toBe(60_000)
    expect(retryDelayMs(2, 60_000, () => 0.5)).toBe(240_000)
  })
})
