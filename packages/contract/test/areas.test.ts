import { describe, expect, it } from 'vitest'
import {
  MAX_VERTICES,
  namePlacesIn,
  readAreas,
  readAreasBefore,
  readListingsPlace,
} from '../src/checks/index.ts'
import { createInputCheck } from '../src/input.ts'
import { refusedAreas, roundRing, SQUARE, square } from '../test-cases/refused-areas.ts'
import { refusedQueries } from '../test-cases/refused-queries.ts'

const polygon = (...coordinates: unknown[]) => ({ type: 'Polygon', coordinates })

describe('a valid area', () => {
  it.each<[string, unknown]>([
    ['a polygon', polygon(SQUARE)],
    ['one drawn clockwise', polygon(SQUARE.toReversed())],
    ['one with altitudes', polygon(SQUARE.map((position) => [...position, 12]))],
    ['one with a position twice in a row', polygon([SQUARE[0], SQUARE[0], ...SQUARE.slice(1)])],
    ['one with a corner on a straight edge', polygon([[0, 0], [5, 0], ...SQUARE.slice(1)])],
    ['one with a hole', polygon(SQUARE, square(2, 4))],
    [
      'one with a hole that touches its shell in one position',
      polygon(SQUARE, [
        [0, 5],
        [2, 4],
        [2, 6],
        [0, 5],
      ]),
    ],
    ['one with two holes that touch in one position', polygon(SQUARE, square(2, 4), square(4, 6))],
    [
      'a multipolygon of parts that overlap',
      { type: 'MultiPolygon', coordinates: [[SQUARE], [square(5, 15)]] },
    ],
    ['a circle', { type: 'circle', center: [-122.3, 47.6], radius_m: 100_000 }],
    ['a box across the antimeridian', { type: 'bbox', west: 170, south: 50, east: -170, north: 55 }],
    ['a list of areas', [polygon(SQUARE), { type: 'circle', center: [0, 90], radius_m: 1 }]],
    ['a feature', { type: 'Feature', properties: { name: 'x' }, geometry: polygon(SQUARE) }],
    [
      'a collection of features that overlap',
      {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', id: 1, properties: null, geometry: polygon(SQUARE) },
          { type: 'Feature', geometry: { type: 'MultiPolygon', coordinates: [[square(5, 15)]] } },
        ],
      },
    ],
    [
      'a polygon in New York',
      polygon([
        [-74, 40.7],
        [-73.9, 40.7],
        [-73.9, 40.8],
        [-74, 40.7],
      ]),
    ],
    [
      'a polygon in Guam',
      polygon([
        [144.7, 13.4],
        [144.8, 13.4],
        [144.8, 13.5],
        [144.7, 13.4],
      ]),
    ],
    [
      'a polygon in Italy',
      polygon([
        [12, 41],
        [13, 41],
        [13, 42],
        [12, 41],
      ]),
    ],
    ['a polygon of 5,000 positions', polygon(roundRing(MAX_VERTICES))],
  ])('is accepted: %s', (_, area) => {
    expect(readAreas(area, namePlacesIn('area'))).toHaveProperty('areas')
  })

  it('is read in slices, and the result is cached', () => {
    const area = polygon(roundRing(MAX_VERTICES))
    const expected = readAreas(structuredClone(area), namePlacesIn('area'))
    expect([...readAreasBefore(area)].length).toBeGreaterThan(10)
    const read = readAreas(area, namePlacesIn('area'))
    expect(read).toEqual(expected)
    expect(readAreas(area, namePlacesIn('area'))).toBe(read)
  })
})

describe('GeoJSON around polygons', () => {
  it('is unwrapped: a feature is read as its geometry, and a collection as all its polygons', () => {
    const geometry = polygon(SQUARE)
    const feature = { type: 'Feature', properties: {}, geometry }
    expect(readAreas(feature, namePlacesIn('area'))).toEqual({ areas: [geometry] })
    const parts = { type: 'MultiPolygon', coordinates: [[square(5, 15)], [square(20, 30)]] }
    const collection = {
      type: 'FeatureCollection',
      features: [feature, { type: 'Feature', geometry: parts }],
    }
    expect(readAreas(collection, namePlacesIn('area'))).toEqual({
      areas: [{ type: 'MultiPolygon', coordinates: [[SQUARE], ...parts.coordinates] }],
    })
  })

  it('can have as many positions as any other area', () => {
    const geometry = polygon(roundRing(MAX_VERTICES))
    const feature = { type: 'Feature', geometry }
    expect(readAreas(feature, namePlacesIn('area'))).toHaveProperty('areas')
    const features = [feature, { type: 'Feature', geometry: polygon(SQUARE) }]
    expect(readAreas({ type: 'FeatureCollection', features }, namePlacesIn('area'))).toMatchObject({
      fault: { details: { path: 'area', hint: expect.stringMatching(/Simplify/) } },
    })
  })
})

describe('an invalid area is refused with its place and a hint:', () => {
  const check = createInputCheck({ useDefaults: false })
  const findFault = (area: unknown) => {
    const body = { filters: { area } }
    const read = readAreas(area, namePlacesIn('filters.area'))
    const found = check('searchListings', { params: {}, query: {}, headers: {}, body })
    return found ?? ('fault' in read ? read.fault : undefined)
  }

  it.each(refusedAreas.map((row) => [row.name, row] as const))('%s', (_, { area, path, position, hint }) => {
    const fault = findFault(area)
    const place = path === '' ? 'filters.area' : `filters.area.${path}`
    expect(fault).toMatchObject({ code: 'invalid_filters', details: { parameter: place, path: place } })
    expect(fault?.details.position).toEqual(position)
    expect(fault?.details.hint).toMatch(hint)
    expect(fault?.message).toMatch(/^filters\.area\S* .+\. .+\.$/)
  })

  it('after it was read in slices', () => {
    for (const { name, area } of refusedAreas) {
      const again: unknown = structuredClone(area)
      for (const _ of readAreasBefore(again));
      expect(readAreas(again, namePlacesIn('filters.area')), name).toEqual(
        readAreas(area, namePlacesIn('filters.area')),
      )
    }
  })

  it('with a coordinate that is not a number', () => {
    const area = { type: 'circle', center: [Number.NaN, 0], radius_m: 5 }
    expect(findFault(area)?.details).toMatchObject({ path: 'filters.area.center' })
  })

  it('with latitudes first in filters.bbox', () => {
    const bbox = { west: 47.6, south: -122.4, east: 47.7, north: -122.3 }
    const fault = check('searchListings', { params: {}, query: {}, headers: {}, body: { filters: { bbox } } })
    const path = 'filters.bbox.south'
    expect(fault?.details).toEqual({
      parameter: path,
      path,
      hint: 'The latitude seems to come first. Send longitude, latitude.',
    })
  })
})

describe('an invalid area in the query of GET /v1/listings is refused with the name of the sent parameter:', () => {
  const check = createInputCheck({ useDefaults: false })

  it.each(refusedQueries.map((row) => [row.name, row] as const))(
    '%s',
    (_, { query, path, position, hint }) => {
      const input = { ...query }
      let fault = check('listListings', { params: {}, query: input, headers: {}, body: undefined })
      if (!fault) {
        const place = readListingsPlace(input)
        const read = 'fault' in place ? place : readAreas(place.area, place.placeOf)
        fault = 'fault' in read ? read.fault : undefined
      }
      expect(fault).toMatchObject({ code: 'invalid_filters', details: { parameter: path, path } })
      expect(fault?.details.position).toEqual(position)
      expect(fault?.details.hint).toMatch(hint)
    },
  )
})
