import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyWindow, WINDOW_MS } from '../../../src/money/limits/rate-windows.ts'

/** The reference implementation: a call is refused while the L-th latest admitted one is younger than 60 s. */
class Reference {
  readonly admitted: number[] = []
  readonly limit: number
  constructor(limit: number) {
    this.limit = limit
  }
  enter(now: number): boolean {
    const lthLatest = this.admitted.at(-this.limit)
    if (lthLatest !== undefined && this.admitted.length >= this.limit && now - lthLatest < WINDOW_MS)
      return false
    this.admitted.push(now)
    return true
  }
}

/** Bursts, trickles and pauses, as gaps between calls in milliseconds. */
const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 51, max: 70_000 })),
  { maxLength: 300 },
)

describe('the rate window', () => {
  it('admits exactly the calls that the reference implementation admits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), gaps, (limit, between) => {
        const window = new KeyWindow(limit)
        const reference = new Reference(limit)
        let now = 1000
        for (const gap of between) {
          now += gap
          expect(window.enter(now).admitted).toBe(reference.enter(now))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('never lets more than the limit through in any 60 seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), gaps, (limit, between) => {
        const window = new KeyWindow(limit)
        const admitted: number[] = []
        let now = 0
        for (const gap of between) {
          now += gap
          if (window.enter(now).admitted) admitted.push(now)
        }
        for (const start of admitted) {
          expect(admitted.filter((at) => at >= start && at < start + WINDOW_MS).length).toBeLessThanOrEqual(
            limit,
          )
        }
      }),
      { numRuns: 300 },
    )
  })

  it('never refuses a client that spreads its calls evenly', () => {
    const window = new KeyWindow(20)
    for (let call = 0; call < 1000; call++) expect(window.enter(call * (WINDOW_MS / 20)).admitted).toBe(true)
  })

  it('returns when the next call is admitted, and admits it then and not earlier', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), gaps, (limit, between) => {
        const window = new KeyWindow(limit)
        let now = 0
        for (const gap of between) {
          now += gap
          const { admitted, remaining, resetMs } = window.enter(now)
          if (admitted) continue
          expect(remaining).toBe(0)
          expect(window.look(now + resetMs - 0.5).admitted).toBe(false)
          expect(window.look(now + resetMs).admitted).toBe(true)
        }
      }),
    )
  })

  it('counts down the remaining calls', () => {
    const window = new KeyWindow(3)
    expect([0, 1, 2].map((at) => window.enter(at).remaining)).toEqual([2, 1, 0])
    expect(window.enter(3)).toMatchObject({ admitted: false, remaining: 0, resetMs: WINDOW_MS - 3 })
    expect(window.enter(WINDOW_MS)).toMatchObject({ admitted: true, remaining: 0 })
    expect(window.look(3 * WINDOW_MS)).toMatchObject({ admitted: true, remaining: 3 })
  })

  it('uses memory for the calls made, not for the limit', () => {
    const before = process.memoryUsage().arrayBuffers
    const windows = Array.from({ length: 1_000 }, () => new KeyWindow(100_000))
    for (const window of windows) for (let call = 0; call < 20; call++) window.enter(call)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
    // And no key's admissions are forgotten while they grow.
    const [window] = windows
    for (let call = 20; call < 100_000; call++) expect(window!.enter(call / 10).admitted).toBe(true)
    expect(window!.enter(10_000)).toMatchObject({ admitted: false, remaining: 0 })
  })

  it('keeps the latest admissions when the limit changes', () => {
    const window = new KeyWindow(5)
    for (const at of [0, 10, 20, 30, 40]) window.enter(at)
    expect(window.withLimit(2).enter(50).admitted).toBe(false)
    expect(window.withLimit(6).enter(50).admitted).toBe(true)
  })

  it('restores admissions from before a restart, in any order', () => {
    const window = new KeyWindow(3, [30, 10, 20])
    expect(window.enter(40).admitted).toBe(false)
    expect(window.enter(10 + WINDOW_MS).admitted).toBe(true)
    expect(window.enter(11 + WINDOW_MS).admitted).toBe(false)
  })
})
