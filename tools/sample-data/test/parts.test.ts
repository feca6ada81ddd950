import { atLocalHour, isoInstant, nextSaturday } from '@lotline/sample/calendar'
import { expect, test } from 'vitest'
import { distanceKm, moved } from '../src/geometry.ts'
import { formerShare } from '../src/market.ts'
import { withCommas } from '../src/numbers.ts'
import { randomFor } from '../src/random.ts'
import { abbreviateStreet, citySlug, slug } from '../src/street-address.ts'

test.for([
  ['T Street Southeast', 'T St SE'],
  ['South Bell Avenue', 'S Bell Ave'],
  ['Martin Luther King Junior Boulevard', 'Martin Luther King Junior Blvd'],
  ['North Street', 'North St'],
  ['North East Street', 'N East St'],
  ['Avenue West', 'Avenue West'],
  ['Broadway', 'Broadway'],
  ['Old Seward Highway', 'Old Seward Hwy'],
])('the street suffix %s is abbreviated to %s', ([long, short]) => {
  expect(abbreviateStreet(long!)).toBe(short)
})

test('slugs contain only letters, digits, and single hyphens', () => {
  expect(slug("109 Peter's Quay #4, Unit B")).toBe('109-Peters-Quay-4-Unit-B')
  expect(citySlug('Panama City Beach', 'FL')).toBe('panama-city-beach-fl')
})

test('random draws depend on the name of the stream', () => {
  const draw = (name: string) => Array.from({ length: 5 }, () => randomFor(name).unit())
  expect(draw('a')).toEqual(draw('a'))
  expect(randomFor('a').unit()).not.toBe(randomFor('b').unit())
})

test('random draws stay within their bounds and reach both ends', () => {
  const random = randomFor('bounds')
  const drawn = Array.from({ length: 500 }, () => random.int(2, 5))
  expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([2, 5])
  expect(random.some(['a', 'b', 'c'], 2).length).toBe(2)
  expect(random.some(['a', 'b'], 9)).toEqual(['a', 'b'])
  expect(random.weighted({ never: 0, always: 1 })).toBe('always')
})

test('open houses are at the local hour of the place, in summer time and outside it', () => {
  const winter = Date.UTC(2026, 10, 7)
  const summer = Date.UTC(2026, 6, 4)
  expect(isoInstant(atLocalHour(winter, 13, 'America/Los_Angeles'))).toBe('2026-11-07T21:00:00Z')
  expect(isoInstant(atLocalHour(summer, 13, 'America/Los_Angeles'))).toBe('2026-07-04T20:00:00Z')
  expect(isoInstant(atLocalHour(summer, 13, 'America/Phoenix'))).toBe('2026-07-04T20:00:00Z')
})

test('summer time matches the time zone database on each day of ten years', () => {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Chicago',
    hour: 'numeric',
    hour12: false,
  })
  for (let day = Date.UTC(2025, 0, 1); day < Date.UTC(2035, 0, 1); day += 86_400_000) {
    expect(clock.format(atLocalHour(day, 13, 'America/Chicago'))).toBe('13')
  }
})

test('the next Saturday is never today', () => {
  expect(isoInstant(nextSaturday(Date.UTC(2026, 10, 7, 9)))).toBe('2026-11-14T00:00:00Z')
  expect(isoInstant(nextSaturday(Date.UTC(2026, 10, 6)))).toBe('2026-11-07T00:00:00Z')
})

test('moving a position by 15 m moves it by 15 m at every latitude of the sample', () => {
  for (const latitude of [30, 47.6, 61.2]) {
    const start = { latitude, longitude: -100 }
    expect(distanceKm(start, moved(start, 15, 0)) * 1_000).toBeCloseTo(15, 0)
    expect(distanceKm(start, moved(start, 0, 15)) * 1_000).toBeCloseTo(15, 0)
    const cosine = Math.cos((latitude * Math.PI) / 180)
    expect(moved(start, 0, 15).longitude - start.longitude).toBeCloseTo(15 / 111_320 / cosine, 5)
  }
})

test('former prices are a fixed share of the present price in any year', () => {
  expect(formerShare(0)).toBe(1)
  for (let years = 0; years < 100; years += 0.5) {
    expect(formerShare(years)).toBeGreaterThan(0)
    expect(formerShare(years)).toBeLessThanOrEqual(1)
  }
})

test('numbers have commas between thousands', () => {
  expect([7, 999, 1_000, 1_234_567].map(withCommas)).toEqual(['7', '999', '1,000', '1,234,567'])
})
