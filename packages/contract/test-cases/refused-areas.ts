// Areas that every search refuses with 400 `invalid_filters`, and the details that each must get. The contract's own checks, the
// service and the mock run through the same tables.

import { MAX_AREAS, MAX_VERTICES, type Position } from '../src/checks/index.ts'

export interface RefusedArea {
  /** What is wrong, in words; different for each area. */
  readonly name: string
  /** The value of `filters.area`. */
  readonly area: unknown
  /** `details.path`, without `filters.area` at the beginning. */
  readonly path: string
  /** `details.position`; undefined: there is none. */
  readonly position?: Position
  readonly hint: RegExp
}

/** "0,0 10,0 10,10": positions, each longitude and latitude. */
const line = (text: string): Position[] =>
  text.split(' ').map((position) => position.split(',').map(Number) as unknown as Position)
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings })
const circle = (center: unknown, radius_m: unknown) => ({ type: 'circle', center, radius_m })

export const SQUARE = line('0,0 10,0 10,10 0,10 0,0')
/** A square from one corner to another on the line where longitude and latitude are equal. */
export const square = (from: number, to: number): Position[] =>
  line(`${from},${from} ${to},${from} ${to},${to} ${from},${to} ${from},${from}`)

/** A ring of so many positions around the middle of the square. */
export function roundRing(count: number): Position[] {
  const corners = Array.from({ length: count - 1 }, (_, at): Position => {
    const angle = (at / (count - 1)) * 2 * Math.PI
    return [5 + 4 * Math.cos(angle), 5 + 4 * Math.sin(angle)]
  })
  return [...corners, corners[0]!]
}

/** The ring with this position and the next one exchanged. */
const withExchanged = (ring: readonly Position[], at: number): Position[] =>
  ring.toSpliced(at, 2, ring[at + 1]!, ring[at]!)

type Row = readonly [name: string, area: unknown, path: string, position: Position | undefined, hint: RegExp]

export const LATITUDE_FIRST = /latitude seems to come first/
const NO_POSITION = /list of two numbers/
const withPosition = (position: unknown) => polygon([SQUARE[0], position, ...SQUARE.slice(2)])

const ROWS: readonly Row[] = [
  // Rings
  ['an unclosed ring', polygon(SQUARE.slice(0, 4)), 'coordinates.0.3', [0, 10], /first position at the end/],
  ['three positions', polygon(line('0,0 1,1 0,0')), 'coordinates.0', undefined, /triangle has four/],
  ['an empty ring', polygon([]), 'coordinates.0', undefined, /RFC 7946/],
  ['a bow tie', polygon(line('0,0 10,10 10,0 0,10 0,0')), 'coordinates.0.2', [10, 0], /only at their ends/],
  [
    'a spike',
    polygon(line('0,0 10,0 10,10 10,5 0,10 0,0')),
    'coordinates.0.3',
    [10, 5],
    /only at their ends/,
  ],
  [
    'a ring that touches itself',
    polygon(line('0,0 10,0 5,5 10,10 0,10 5,5 0,0')),
    'coordinates.0.5',
    [5, 5],
    /only at their ends/,
  ],
  [
    'a line there and back',
    polygon(line('0,0 1,1 2,2 0,0')),
    'coordinates.0.2',
    [2, 2],
    /only at their ends/,
  ],
  [
    'a bow tie in the second polygon of a MultiPolygon',
    { type: 'MultiPolygon', coordinates: [[SQUARE], [line('0,0 10,10 10,0 0,10 0,0')]] },
    'coordinates.1.0.2',
    [10, 0],
    /only at their ends/,
  ],
  [
    'two positions of 1,000 in the wrong order',
    polygon(withExchanged(roundRing(1_000), 500)),
    'coordinates.0.501',
    roundRing(1_000)[500],
    /only at their ends/,
  ],
  // Holes
  ['a hole outside its shell', polygon(SQUARE, square(20, 30)), 'coordinates.1.0', [20, 20], /MultiPolygon/],
  ['a hole across its shell', polygon(SQUARE, square(5, 15)), 'coordinates.1.3', [5, 15], /inside the shell/],
  [
    'a hole along its shell',
    polygon(SQUARE, line('0,2 3,2 3,4 0,4 0,2')),
    'coordinates.1.0',
    [0, 2],
    /inside the shell/,
  ],
  [
    'a hole in a hole',
    polygon(SQUARE, square(1, 9), square(2, 8)),
    'coordinates.2',
    undefined,
    /polygon of its own/,
  ],
  // Numbers
  [
    'a number beyond all numbers',
    withPosition([Number.POSITIVE_INFINITY, 0]),
    'coordinates.0.1',
    undefined,
    NO_POSITION,
  ],
  ['null as a number', withPosition([null, 0]), 'coordinates.0.1', undefined, NO_POSITION],
  ['a position of texts', withPosition(['10', '0']), 'coordinates.0.1', undefined, NO_POSITION],
  ['a position of one number', withPosition([10]), 'coordinates.0.1', undefined, NO_POSITION],
  [
    'a position of four numbers',
    withPosition([10, 0, 5, 7]),
    'coordinates.0.1',
    [10, 0, 5] as never,
    NO_POSITION,
  ],
  ['a center that is no number', circle([Number.POSITIVE_INFINITY, 0], 5), 'center', undefined, NO_POSITION],
  [
    'a longitude beyond 180',
    polygon(line('170,0 190,0 190,10 170,0')),
    'coordinates.0.1',
    [190, 0],
    /antimeridian/,
  ],
  ['a center beyond 180', circle([190, 0], 5), 'center', [190, 0], /antimeridian/],
  [
    'a jump of more than 180 degrees',
    polygon(line('170,0 -170,0 -170,10 170,0')),
    'coordinates.0.1',
    [-170, 0],
    /antimeridian/,
  ],
  [
    'a latitude beyond 90',
    polygon(line('100,0 110,91 110,0 100,0')),
    'coordinates.0.1',
    [110, 91],
    /from -90 to 90/,
  ],
  // Latitude first
  [
    'a polygon with the latitude first',
    polygon(line('47.6,-122.3 47.7,-122.3 47.7,-122.2 47.6,-122.3')),
    'coordinates.0.0',
    [47.6, -122.3],
    LATITUDE_FIRST,
  ],
  [
    'a MultiPolygon with the latitude first',
    { type: 'MultiPolygon', coordinates: [[line('47.6,-122.3 47.7,-122.3 47.7,-122.2 47.6,-122.3')]] },
    'coordinates.0.0.0',
    [47.6, -122.3],
    LATITUDE_FIRST,
  ],
  ...(
    [
      ['New York', [40.7, -74]],
      ['Boston', [42.3, -71.1]],
    ] as const
  ).map(
    ([city, [latitude, longitude]]): Row => [
      `a polygon of ${city} with the latitude first`,
      polygon([
        [latitude, longitude],
        [latitude + 0.1, longitude],
        [latitude + 0.1, longitude + 0.1],
        [latitude, longitude],
      ]),
      'coordinates.0.0',
      [latitude, longitude],
      LATITUDE_FIRST,
    ],
  ),
  [
    'a circle in New York with the latitude first',
    circle([40.7, -74], 500),
    'center',
    [40.7, -74],
    LATITUDE_FIRST,
  ],
  [
    'a box in New York with the latitudes first',
    { type: 'bbox', west: 40.7, south: -74, east: 40.8, north: -73.9 },
    'south',
    undefined,
    LATITUDE_FIRST,
  ],
  // Features
  [
    'a feature with a point',
    { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [0, 0] } },
    'geometry',
    undefined,
    /Polygon or a MultiPolygon/,
  ],
  [
    'a feature without a geometry',
    { type: 'Feature', geometry: null },
    'geometry',
    undefined,
    /Polygon or a MultiPolygon/,
  ],
  [
    'a collection without features',
    { type: 'FeatureCollection', features: [] },
    'features',
    undefined,
    /RFC 7946/,
  ],
  [
    'a collection of geometries',
    { type: 'FeatureCollection', features: [polygon(SQUARE)] },
    'features.0',
    undefined,
    /RFC 7946/,
  ],
  [
    'a collection whose second feature has an unclosed ring',
    {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry: polygon(SQUARE) },
        { type: 'Feature', geometry: polygon(SQUARE.slice(0, 4)) },
      ],
    },
    'features.1.geometry.coordinates.0.3',
    [0, 10],
    /first position at the end/,
  ],
  ['a circle with the latitude first', circle([47.6, -122.3], 500), 'center', [47.6, -122.3], LATITUDE_FIRST],
  [
    'a box with the latitudes first',
    { type: 'bbox', west: 47.6, south: -122.4, east: 47.7, north: -122.3 },
    'south',
    undefined,
    LATITUDE_FIRST,
  ],
  // How much
  ['5,001 positions', polygon(roundRing(MAX_VERTICES + 1)), '', undefined, /Simplify/],
  ['5,020 positions in 20 areas', Array(MAX_AREAS).fill(polygon(roundRing(251))), '', undefined, /Simplify/],
  ['21 areas', Array(MAX_AREAS + 1).fill(polygon(SQUARE)), '', undefined, /fewer areas/],
  // Form
  ['a text', 'Seattle', '', undefined, /object with a type/],
  ['a text in a list', [polygon(SQUARE), 'Seattle'], '1', undefined, /object with a type/],
  ['no type', { coordinates: [SQUARE] }, 'type', undefined, /circle, bbox or place/],
  ['an unknown type', { type: 'square' }, 'type', undefined, /circle, bbox or place/],
  ['no coordinates', { type: 'Polygon' }, 'coordinates', undefined, /RFC 7946/],
  [
    'coordinates that are a text',
    { type: 'Polygon', coordinates: '0,0' },
    'coordinates',
    undefined,
    /RFC 7946/,
  ],
  ['a ring too little nested', polygon(...SQUARE), 'coordinates.0.0', undefined, NO_POSITION],
  ['a ring too deeply nested', polygon([[SQUARE]]), 'coordinates.0.0', undefined, NO_POSITION],
  ['a radius of 0', circle([0, 0], 0), 'radius_m', undefined, /meters/],
  ['a radius above 100 km', circle([0, 0], 100_001), 'radius_m', undefined, /meters/],
  ['a radius that is a text', circle([0, 0], '5'), 'radius_m', undefined, /meters/],
  ['a circle without a center', { type: 'circle', radius_m: 5 }, 'center', undefined, NO_POSITION],
  ['a box without its north', { type: 'bbox', west: 0, south: 2, east: 1 }, 'north', undefined, /degrees/],
  [
    'a box upside down',
    { type: 'bbox', west: 0, south: 2, east: 1, north: 1 },
    'south',
    undefined,
    /Exchange/,
  ],
  ['an unknown kind of place', { type: 'place', kind: 'planet', id: '3' }, 'kind', undefined, /county/],
  ['a place without an id or a name', { type: 'place', kind: 'county' }, '', undefined, /one of them/],
  [
    'a text in a field that a circle does not use',
    { ...circle([0, 0], 5), west: 'x' },
    'west',
    undefined,
    /leave/,
  ],
  [
    'an unclosed ring in the second area of a list',
    [polygon(SQUARE), polygon(SQUARE.slice(0, 4))],
    '1.coordinates.0.3',
    [0, 10],
    /at the end/,
  ],
]

export const refusedAreas: readonly RefusedArea[] = ROWS.map(([name, area, path, position, hint]) => ({
  name,
  area,
  path,
  hint,
  ...(position && { position }),
}))

/** A body with an area as JSON. Numbers that are infinite are written as one that is too large for a number. */
export function stringifyKeepingNumbers(body: unknown): string {
  const infinite = (_: string, value: unknown) => (value === Number.POSITIVE_INFINITY ? '\u221e' : value)
  return JSON.stringify(body, infinite).replaceAll('"\u221e"', '1e999')
}
