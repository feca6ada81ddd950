import { describe, expect, it } from 'vitest'
import { MAX_VERTICES, type Position, placesIn, readAreas, readListingsPlace } from '../src/checks/index.ts'

const SQUARE: Position[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
]
const square = (from: number, to: number): Position[] =>
  SQUARE.map(([x, y]) => [from + (x * (to - from)) / 10, from + (y * (to - from)) / 10])
const polygon = (...coordinates: unknown[]) => ({ type: 'Polygon', coordinates })

/** A ring of so many positions around the middle of the square. */
function circleOf(count: number): Position[] {
  const corners = Array.from({ length: count - 1 }, (_, at): Position => {
    const angle = (at / (count - 1)) * 2 * Math.PI
    return [5 + 4 * Math.cos(angle), 5 + 4 * Math.sin(angle)]
  })
  return [...corners, corners[0]!]
}

describe('an area that can be used', () => {
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
    ['a polygon of 5,000 positions', polygon(circleOf(MAX_VERTICES))],
  ])('is %s', (_, area) => {
    expect(readAreas(area, placesIn('area'))).toHaveProperty('areas')
  })
})

describe('an area that cannot be used is refused with the place and a hint:', () => {
  it.each<[string, unknown, path: string, position: unknown, hint: RegExp]>([
    [
      'an unclosed ring',
      polygon(SQUARE.slice(0, 4)),
      'area.coordinates.0.3',
      [0, 10],
      /first position at the end/,
    ],
    [
      'three positions',
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
      ]),
      'area.coordinates.0',
      undefined,
      /triangle has four/,
    ],
    [
      'a bow tie',
      polygon([
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
        [0, 0],
      ]),
      'area.coordinates.0.2',
      [10, 0],
      /only at their ends/,
    ],
    [
      'a spike',
      polygon([
        [0, 0],
        [10, 0],
        [10, 10],
        [10, 5],
        [0, 10],
        [0, 0],
      ]),
      'area.coordinates.0.3',
      [10, 5],
      /only at their ends/,
    ],
    [
      'a ring that touches itself',
      polygon([
        [0, 0],
        [10, 0],
        [5, 5],
        [10, 10],
        [0, 10],
        [5, 5],
        [0, 0],
      ]),
      'area.coordinates.0.5',
      [5, 5],
      /only at their ends/,
    ],
    [
      'a line there and back',
      polygon([
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]),
      'area.coordinates.0.2',
      [2, 2],
      /only at their ends/,
    ],
    [
      'a hole outside its shell',
      polygon(SQUARE, square(20, 30)),
      'area.coordinates.1.0',
      [20, 20],
      /MultiPolygon/,
    ],
    [
      'a hole across its shell',
      polygon(SQUARE, square(5, 15)),
      'area.coordinates.1.3',
      [5, 15],
      /inside the shell/,
    ],
    [
      'a hole along its shell',
      polygon(SQUARE, [
        [0, 2],
        [3, 2],
        [3, 4],
        [0, 4],
        [0, 2],
      ]),
      'area.coordinates.1.0',
      [0, 2],
      /inside the shell/,
    ],
    [
      'a hole in a hole',
      polygon(SQUARE, square(1, 9), square(2, 8)),
      'area.coordinates.2',
      undefined,
      /polygon of its own/,
    ],
    [
      'a number that is none',
      polygon([[0, 0], [Number.NaN, 0], ...SQUARE.slice(2)]),
      'area.coordinates.0.1',
      [Number.NaN, 0],
      /two numbers/,
    ],
    [
      'an infinite number',
      polygon([[0, 0], [Number.POSITIVE_INFINITY, 0], ...SQUARE.slice(2)]),
      'area.coordinates.0.1',
      [Number.POSITIVE_INFINITY, 0],
      /two numbers/,
    ],
    ['a text', polygon([['0', '0'], ...SQUARE.slice(1)]), 'area.coordinates.0.0', ['0', '0'], /two numbers/],
    [
      'latitude first',
      polygon([
        [47.6, -122.3],
        [47.7, -122.3],
        [47.7, -122.2],
        [47.6, -122.3],
      ]),
      'area.coordinates.0.0',
      [47.6, -122.3],
      /latitude seems to come first/,
    ],
    [
      'a longitude beyond 180',
      polygon([
        [170, 0],
        [190, 0],
        [190, 10],
        [170, 0],
      ]),
      'area.coordinates.0.1',
      [190, 0],
      /antimeridian/,
    ],
    [
      'a jump of more than 180 degrees',
      polygon([
        [170, 0],
        [-170, 0],
        [-170, 10],
        [170, 0],
      ]),
      'area.coordinates.0.1',
      [-170, 0],
      /antimeridian/,
    ],
    ['5,001 positions', polygon(circleOf(MAX_VERTICES + 1)), 'area', undefined, /Simplify/],
    ['5,001 positions in many areas', Array(20).fill(polygon(circleOf(251))), 'area', undefined, /Simplify/],
    ['21 areas', Array(21).fill(polygon(SQUARE)), 'area', undefined, /fewer areas/],
    ['no type', { coordinates: [SQUARE] }, 'area.type', undefined, /circle, bbox or place/],
    ['no coordinates', { type: 'Polygon' }, 'area.coordinates', undefined, /RFC 7946/],
    ['a ring too little nested', polygon(...SQUARE), 'area.coordinates.0.0', undefined, /two numbers/],
    ['a radius of 0', { type: 'circle', center: [0, 0], radius_m: 0 }, 'area.radius_m', undefined, /meters/],
    [
      'a radius above 100 km',
      { type: 'circle', center: [0, 0], radius_m: 100_001 },
      'area.radius_m',
      undefined,
      /meters/,
    ],
    ['a circle without a center', { type: 'circle', radius_m: 5 }, 'area.center', undefined, /two numbers/],
    [
      'a box upside down',
      { type: 'bbox', west: 0, south: 2, east: 1, north: 1 },
      'area.south',
      undefined,
      /Exchange/,
    ],
    [
      'the second area of a list',
      [polygon(SQUARE), polygon(SQUARE.slice(0, 4))],
      'area.1.coordinates.0.3',
      [0, 10],
      /at the end/,
    ],
  ])('%s', (_, area, path, position, hint) => {
    const read = readAreas(area, placesIn('area'))
    if ('areas' in read) throw new Error('was not refused')
    expect(read.fault).toMatchObject({ code: 'invalid_filters', details: { parameter: path, path } })
    expect(read.fault.details.position).toEqual(position)
    expect(read.fault.details.hint).toMatch(hint)
    expect(read.fault.message).toMatch(/^area\S* .+\. .+\.$/)
  })
})

describe('an area in the query of GET /v1/listings', () => {
  it.each([
    ['a center with the latitude first', { near: '47.6,-122.3', radius_m: 500 }, 'near'],
    ['a radius of nothing', { near: '-122.3,47.6', radius_m: 0 }, 'radius_m'],
    ['a corner with the latitude first', { polygon: '0,0;1,0;47.6,-122.3' }, 'polygon.2'],
    [
      'a polygon that crosses itself',
      { polygon: '0,0;1,1;1,0;0,1' },
      expect.stringMatching(/^polygon(\.\d)?$/),
    ],
  ])('%s is refused by the parameter that the client sent', (_, query, parameter) => {
    const place = readListingsPlace(query)
    if ('fault' in place) throw new Error('The parameters fit each other.')
    const read = readAreas(place.area, place.placeOf)
    expect(read).toHaveProperty('fault.details', expect.objectContaining({ parameter, path: parameter }))
  })
})
