// Where GET /v1/listings searches: its query parameters as the fields of `filters` that mean the same. The contract has
// checked the form of each parameter; this file checks how they fit together.

import { formatMessage, type MessageCause } from '../messages.ts'
import type { PlaceKind } from './area.ts'
import type { NamePlace } from './area-fault.ts'
import type { Fault } from './finding.ts'
import { findSwappedBox } from './swapped.ts'

export interface PlaceQuery {
  readonly bbox?: string | undefined
  readonly polygon?: string | undefined
  readonly near?: string | undefined
  readonly radius_m?: number | undefined
  readonly zip?: string | undefined
  readonly city?: string | undefined
  readonly place?: string | undefined
}

export interface Place {
  readonly bbox?: {
    readonly west: number
    readonly south: number
    readonly east: number
    readonly north: number
  }
  /** The path prefixes that `readAreas` and `placeOf` use. */
  readonly placeOf: NamePlace
  readonly area?:
    | { type: 'Polygon'; coordinates: number[][][] }
    | { type: 'circle'; center: number[]; radius_m: number }
    | { type: 'place'; kind: PlaceKind; id: string }
  readonly zips?: string[]
  readonly cities?: string[]
}

export function readListingsPlace(query: PlaceQuery): Place | { readonly fault: Fault } {
  const { bbox, polygon, near, radius_m, zip, city, place } = query
  const isNowhere = [bbox, polygon, near, place, zip, city].every((given) => given === undefined)
  if (near === undefined && radius_m !== undefined) return unusable('radius_without_near', 'radius_m')
  if (isNowhere) {
    const message = formatMessage('missing_input', 'where', {})
    return { fault: { code: 'missing_input', message, details: { parameter: 'bbox' } } }
  }
  if (polygon !== undefined && near !== undefined) return unusable('near_and_polygon', 'near')
  if (near !== undefined && radius_m === undefined) return unusable('near_without_radius', 'radius_m')
  if (place !== undefined && (polygon !== undefined || near !== undefined))
    return unusable('place_and_area', 'place')
  const [west = 0, south = 0, east = 0, north = 0] = bbox === undefined ? [] : parseNumbers(bbox)
  const swapped = findSwappedBox({ west, south, east, north }, () => 'bbox')
  if (swapped) return { fault: swapped }
  return {
    placeOf: place !== undefined ? () => 'place' : near === undefined ? placeInPolygon : placeInCircle,
    ...(bbox !== undefined && { bbox: { west, south, east, north } }),
    ...(polygon !== undefined && { area: { type: 'Polygon' as const, coordinates: [closedRing(polygon)] } }),
    ...(near !== undefined &&
      radius_m !== undefined && { area: { type: 'circle' as const, center: parseNumbers(near), radius_m } }),
    ...(place !== undefined && { area: placeArea(place) }),
    ...(zip !== undefined && { zips: zip.split(',').map((code) => code.trim()) }),
    ...(city !== undefined && { cities: city.split(';') }),
  }
}

/** The contract guarantees the form "kind:id". */
function placeArea(place: string): { type: 'place'; kind: PlaceKind; id: string } {
  const colon = place.indexOf(':')
  return { type: 'place', kind: place.slice(0, colon).trim() as PlaceKind, id: place.slice(colon + 1).trim() }
}

type PlaceParameterGroup =
  | 'place_and_area'
  | 'radius_without_near'
  | 'near_and_polygon'
  | 'near_without_radius'

function unusable(
  cause: PlaceParameterGroup & MessageCause<'invalid_filters'>,
  parameter: string,
): { readonly fault: Fault } {
  const message = formatMessage('invalid_filters', cause, {})
  // The first sentence of each of these messages says what is wrong, and the rest what to do.
  const hint = message.slice(message.indexOf('. ') + 2)
  return { fault: { code: 'invalid_filters', message, details: { parameter, path: parameter, hint } } }
}

/** The query contains the corners of one ring without GeoJSON around them. */
export function placeInPolygon(path: string): string {
  const corner = /^coordinates\.0\.(\d+)/.exec(path)?.[1]
  return corner === undefined ? 'polygon' : `polygon.${corner}`
}

function placeInCircle(path: string): string {
  return path === 'radius_m' ? 'radius_m' : 'near'
}

/** The query may leave out the repetition of the first corner: that is its form, and nothing is repaired. */
function closedRing(polygon: string): number[][] {
  const corners = polygon.split(';').map(parseNumbers)
  const [first, last] = [corners[0]!, corners.at(-1)!]
  return first[0] === last[0] && first[1] === last[1] ? corners : [...corners, first]
}

function parseNumbers(text: string): number[] {
  return text.split(',').map(Number)
}
