import { expect, it } from 'vitest'
import { seeded } from '../src/random.ts'
import { FORMS, scheduleOf } from '../src/schedule.ts'

const scheduleWith = (seed: string, hasStore = false) => scheduleOf(FORMS.long, hasStore, seeded(seed))

it('the same seed gives the same schedule, and another seed another one', () => {
  expect(scheduleWith('7')).toEqual(scheduleWith('7'))
  expect(scheduleWith('8')).not.toEqual(scheduleWith('7'))
})

it('the long schedule kills 50 times, stops 20 times, and does everything else at least five times', () => {
  const counts = Object.entries(Object.groupBy(scheduleWith('7', true), ({ fault }) => fault))
  const times = new Map(counts.map(([fault, steps]) => [fault, steps?.length ?? 0]))
  expect(times.get('kill -9 of a process')).toBe(50)
  expect(times.get('SIGTERM of a process')).toBe(20)
  expect(Math.min(...times.values())).toBeGreaterThanOrEqual(5)
})

it('a set without a store has no store faults', () => {
  expect(scheduleWith('7').filter(({ fault }) => fault.includes('store'))).toEqual([])
})

it('draws from one random stream do not change another', () => {
  const [one, other] = [seeded('7'), seeded('7')]
  other.next()
  expect(other.fork('clients').next()).toBe(one.fork('clients').next())
})
