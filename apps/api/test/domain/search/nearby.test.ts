import type { Property } from '@lotline/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distanceKm, findBoxAround, NEARBY_COUNT, rankNearby } from '../../../src/domain/search/nearby.ts'
import { SAMPLE } from '../record/sample-records.ts'

const HOME: Property = {
  zpid: '1',
  latitude: 47.6,
  longitude: -122.3,
  homeType: 'SINGLE_FAMILY',
  bedrooms: 3,
  bathrooms: 2,
  livingArea: 2000,
  price: 800_000,
}

function like(zpid: string, change: Partial<Property>): Property {
  return { ...HOME, zpid, ...change }
}

describe('getPropertyNearby: the nearest and most similar homes come first', () => {
  test.each<[string, Partial<Property>, Partial<Property>]>([
    ['the nearer of two alike', { latitude: 47.601 }, { latitude: 47.62 }],
    ['the same kind of home before another', { latitude: 47.605 }, { latitude: 47.605, homeType: 'CONDO' }],
    ['the same beds', { latitude: 47.605 }, { latitude: 47.605, bedrooms: 5 }],
    ['the same size', { latitude: 47.605 }, { latitude: 47.605, livingArea: 4000 }],
    ['the same price', { latitude: 47.605 }, { latitude: 47.605, price: 1_600_000 }],
    [
      'what is known before what is not',
      { latitude: 47.605 },
      { latitude: 47.605, livingArea: null, price: null },
    ],
    [
      'a house down the road before a lot next door',
      { latitude: 47.606 },
      { latitude: 47.6001, homeType: 'LOT', livingArea: null, bedrooms: null },
    ],
  ])('%s', (_, better, worse) => {
    const ranked = rankNearby(HOME, [like('9', worse), like('2', better)])
    expect(ranked.map(({ zpid }) => zpid)).toEqual(['2', '9'])
  })
})

test('about 12 homes are shown, without the home itself, duplicates, and homes without a position', () => {
  const many = Array.from({ length: 40 }, (_, at) => like(String(at), { latitude: 47.6 + at / 1000 }))
  const ranked = rankNearby(HOME, [...many, ...many, like('99', { latitude: null })])
  expect(ranked).toHaveLength(NEARBY_COUNT)
  expect(ranked.map(({ zpid }) => zpid)).not.toContain('1')
  expect(new Set(ranked.map(({ zpid }) => zpid)).size).toBe(NEARBY_COUNT)
  expect(rankNearby(HOME, [HOME])).toEqual([])
  expect(rankNearby({ zpid: '1' }, many)).toEqual([])
  expect(rankNearby(HOME, many, 3)).toHaveLength(3)
})

test('the order of the candidates makes no difference', () => {
  const home = SAMPLE[0]
  if (!home) throw new Error('The sample is empty')
  const expected = rankNearby(home, SAMPLE).map(({ zpid }) => zpid)
  fc.assert(
    fc.property(fc.shuffledSubarray([...SAMPLE], { minLength: SAMPLE.length }), (candidates) => {
      expect(rankNearby(home, candidates).map(({ zpid }) => zpid)).toEqual(expected)
    }),
    { numRuns: 5 },
  )
})

test('a box around a home has the requested reach, and stays on the globe', () => {
  const latitude = fc.double({ min: -90, max: 90, noNaN: true })
  const longitude = fc.double({ min: -180, max: 180, noNaN: true })
  fc.assert(
    fc.property(latitude, longitude, fc.double({ min: 0.1, max: 100, noNaN: true }), (lat, lng, km) => {
      const box = findBoxAround({ zpid: '1', latitude: lat, longitude: lng }, km)
      if (!box) throw new Error('no box')
      for (const side of [box.west, box.east]) expect(Math.abs(side)).toBeLessThanOrEqual(180)
      expect(box.south).toBeGreaterThanOrEqual(-90)
      expect(box.north).toBeLessThanOrEqual(90)
      if (box.north < 90)
        expect(
          distanceKm({ latitude: lat, longitude: lng }, { latitude: box.north, longitude: lng }),
        ).toBeGreaterThan(km * 0.99)
      if (box.east < 180 && box.west > -180) {
        expect(
          distanceKm({ latitude: lat, longitude: lng }, { latitude: lat, longitude: box.east }),
        ).toBeGreaterThan(km * 0.99)
      }
    }),
  )
  expect(findBoxAround({ zpid: '1' }, 1)).toBeUndefined()
  expect(findBoxAround({ zpid: '1', latitude: 52, longitude: 179.999 }, 5)).toMatchObject({
    west: expect.closeTo(179.92, 1),
    east: expect.closeTo(-179.92, 1),
  })
})

test('a degree of latitude is 111 km', () => {
  expect(distanceKm({ latitude: 40, longitude: -74 }, { latitude: 41, longitude: -74 })).toBeCloseTo(111.2, 0)
  expect(distanceKm({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(
    111.2,
    0,
  )
})
