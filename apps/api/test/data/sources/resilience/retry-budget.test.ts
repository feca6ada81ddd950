import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRetryBudget } from '../../../../src/data/sources/resilience/retry.ts'
import { createClock } from './clock.ts'

const SETTINGS = { share: 0.1, perSecond: 0.2, most: 10 }

function makeBudget() {
  const clock = createClock()
  return { clock, budget: createRetryBudget({ ...SETTINGS, now: clock.now }) }
}

function spendAll(budget: { spend(): boolean }): number {
  let spent = 0
  while (budget.spend()) spent++
  return spent
}

describe('a retry budget', () => {
  it('has exactly ten retries at the start', () => {
    expect(spendAll(makeBudget().budget)).toBe(10)
  })

  it('earns one retry with ten queries', () => {
    const { budget } = makeBudget()
    spendAll(budget)
    for (let n = 0; n < 9; n++) budget.earn()
    expect(budget.spend()).toBe(false)
    budget.earn()
    expect(budget.spend()).toBe(true)
  })

  it('earns one retry in five seconds without queries, and never saves more than ten', () => {
    const { budget, clock } = makeBudget()
    spendAll(budget)
    clock.advance(4999)
    expect(budget.spend()).toBe(false)
    clock.advance(1)
    expect(spendAll(budget)).toBe(1)
    clock.advance(3_600_000)
    expect(spendAll(budget)).toBe(10)
  })

  it('never exceeds a tenth of the queries, a fifth of the seconds, and the initial retries', () => {
    const event = fc.oneof(fc.constant('earn' as const), fc.constant('spend' as const), fc.nat(2000))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 500 }), (events) => {
        const { budget, clock } = makeBudget()
        let earned = SETTINGS.most
        let spent = 0
        for (const what of events) {
          if (what === 'earn') {
            budget.earn()
            earned += SETTINGS.share
          } else if (what === 'spend') spent += budget.spend() ? 1 : 0
          else {
            clock.advance(what)
            earned += (what / 1000) * SETTINGS.perSecond
          }
        }
        expect(spent).toBeLessThanOrEqual(earned + 1e-6)
      }),
    )
  })
})
