// Areas in the query of GET /v1/listings that are refused with 400 `invalid_filters`, with the details that each must get.

import type { Position } from '../src/checks/index.ts'
import { LATITUDE_FIRST } from './refused-areas.ts'

export interface RefusedQuery {
  readonly name: string
  /** The query of GET /v1/listings. */
  readonly query: Readonly<Record<string, string>>
  /** `details.path`. */
  readonly path: string
  readonly position?: Position
  readonly hint: RegExp
}

type QueryRow = readonly [
  name: string,
  query: RefusedQuery['query'],
  path: string,
  position: Position | undefined,
  hint: RegExp,
]

const QUERY_ROWS: readonly QueryRow[] = [
  ['two corners', { polygon: '0,0;1,1' }, 'polygon', undefined, /three corners/],
  ['a corner that is a word', { polygon: '0,0;1,one;1,1' }, 'polygon.1', undefined, /longitude,latitude/],
  [
    'a corner that is infinite',
    { polygon: '0,0;1,0;Infinity,1' },
    'polygon.2',
    undefined,
    /longitude,latitude/,
  ],
  ['a corner of three numbers', { polygon: '0,0;1,0;1,1,5' }, 'polygon.2', undefined, /longitude,latitude/],
  ['a semicolon at the end', { polygon: '0,0;1,0;1,1;' }, 'polygon.3', undefined, /longitude,latitude/],
  [
    'a polygon that crosses itself',
    { polygon: '0,0;10,10;10,0;0,10' },
    'polygon.2',
    [10, 0],
    /only at their ends/,
  ],
  ['a corner beyond 180', { polygon: '170,0;190,0;190,10' }, 'polygon.1', [190, 0], /antimeridian/],
  [
    'a jump of more than 180 degrees',
    { polygon: '170,0;-170,0;-170,10' },
    'polygon.1',
    [-170, 0],
    /antimeridian/,
  ],
  [
    'a corner with the latitude first',
    { polygon: '0,0;1,0;47.6,-122.3' },
    'polygon.2',
    [47.6, -122.3],
    LATITUDE_FIRST,
  ],
  ['a center of one number', { near: '-122.3', radius_m: '500' }, 'near', undefined, /longitude,latitude/],
  ['a center of words', { near: 'Seattle,WA', radius_m: '500' }, 'near', undefined, /longitude,latitude/],
  [
    'a center with the latitude first',
    { near: '47.6,-122.3', radius_m: '500' },
    'near',
    [47.6, -122.3],
    LATITUDE_FIRST,
  ],
  ['a center beyond 180', { near: '190,0', radius_m: '500' }, 'near', [190, 0], /antimeridian/],
  ['a radius of 0', { near: '-122.3,47.6', radius_m: '0' }, 'radius_m', undefined, /meters/],
  ['a radius above 100 km', { near: '-122.3,47.6', radius_m: '100001' }, 'radius_m', undefined, /meters/],
  ['a radius that is a word', { near: '-122.3,47.6', radius_m: 'far' }, 'radius_m', undefined, /meters/],
  ['a box of words', { bbox: 'w,s,e,n' }, 'bbox', undefined, /west,south,east,north/],
  ['a box with the latitudes first', { bbox: '47.6,-122.4,47.7,-122.3' }, 'bbox', undefined, LATITUDE_FIRST],
  [
    'a radius without a center',
    { bbox: '0,0,1,1', radius_m: '5' },
    'radius_m',
    undefined,
    /center of the circle/,
  ],
  ['a center without a radius', { near: '-122.3,47.6' }, 'radius_m', undefined, /from 1 to 100,000/],
  [
    'a center and a polygon',
    { near: '-122.3,47.6', radius_m: '500', polygon: '0,0;1,0;1,1' },
    'near',
    undefined,
    /one of them/,
  ],
  ['a place and a polygon', { place: 'state:53', polygon: '0,0;1,0;1,1' }, 'place', undefined, /one of them/],
  ['a place without a kind', { place: '53033' }, 'place', undefined, /kind:id/],
  ['a place of an unknown kind', { place: 'planet:3' }, 'place', undefined, /kind:id/],
]

/** Areas in the query of GET /v1/listings that are refused in the same way. */
export const refusedQueries: readonly RefusedQuery[] = QUERY_ROWS.map(
  ([name, query, path, position, hint]) => ({
    name,
    query,
    path,
    hint,
    ...(position && { position }),
  }),
)
