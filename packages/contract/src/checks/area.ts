// Checks whether an area of a search can be used: the rules for rings and circles that no schema
// keyword can express. The service and the mock both judge areas here. Nothing is repaired: a ring that is not closed, or that crosses itself, is refused with its place.

import {
  type AreaFault,
  type AreaPath,
  areaRefusal,
  type NamePlace,
  throwUnusableArea,
  UnusableAreaError,
} from './area-fault.ts'
import type { Fault } from './finding.ts'
import { shortenFieldName } from './input-reader.ts'
import { findRingFault, runToEnd } from './polygon-sweep.ts'
import {
  findSwapped,
  LATITUDE_BEYOND_90,
  LATITUDE_FIRST_HINT,
  looksSwapped,
  OUTSIDE_UNITED_STATES,
} from './swapped.ts'

/** The maximum number of areas in one search. */
export const MAX_AREAS = 20
/** The maximum number of positions in all rings of a search. */
export const MAX_VERTICES = 5_000
/** The bounds of a radius, in meters. */
const MIN_RADIUS_M = 1
export const MAX_RADIUS_M = 100_000
const MIN_RING_POSITIONS = 4

/** The kinds of places that a search can name. */
export const PLACE_KINDS = ['state', 'county', 'place', 'zip', 'neighborhood'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]
/** The maximum length of the id or name of a place, in characters. */
const MAX_PLACE_NAME = 200
/** The maximum number of positions in the boundary of one place. */
export const MAX_BOUNDARY_POSITIONS = 200_000

/** Longitude and latitude in degrees. */
export type Position = readonly [longitude: number, latitude: number]

/** A closed list of positions: the last equals the first. */
export type Ring = readonly Position[]

export type Area =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }
  | { readonly type: 'circle'; readonly center: Position; readonly radius_m: number }
  | {
      readonly type: 'bbox'
      readonly west: number
      readonly south: number
      readonly east: number
      readonly north: number
    }
  /** A place by its id or by its name. */
  | { readonly type: 'place'; readonly kind: PlaceKind; readonly id?: string; readonly name?: string }

export type ReadAreas = { readonly areas: readonly Area[] } | { readonly fault: Fault }

/**
 * Reads a field of areas: one area, or a list that means all of them together. `placeOf` says what the client calls a place
 * in it, given the path from the field ('' is the field itself); `details` of a fault has that place, the position and a hint.
 */
export function readAreas(value: unknown, placeOf: NamePlace): ReadAreas {
  const known = readBefore.get(value as object) ?? runToEnd(readSlowly(value))
  return 'areas' in known ? known : { fault: areaRefusal(known, placeOf) }
}

/** Cached results of areas that were read in advance. */
const readBefore = new WeakMap<object, AreaReading>()
type AreaReading = { readonly areas: readonly Area[] } | AreaFault

/**
 * Reads an area field in slices, so that a later `readAreas` returns the cached result. A polygon of 5,000 corners
 * takes several milliseconds. The value must not change afterwards.
 */
export function* readAreasBefore(value: unknown): Generator<void, void> {
  if (typeof value === 'object' && value !== null) readBefore.set(value, yield* readSlowly(value))
}

function* readSlowly(value: unknown): Generator<void, AreaReading> {
  const isList = Array.isArray(value)
  const given: readonly unknown[] = isList ? value : [value]
  try {
    if (given.length > MAX_AREAS) {
      throwUnusableArea(
        '',
        `has ${given.length} areas, and can have ${MAX_AREAS}`,
        'Send fewer areas, or join them in a MultiPolygon',
      )
    }
    refuseTooMany(given)
    const areas: Area[] = []
    for (const [at, area] of given.entries()) areas.push(yield* readArea(area, isList ? [at] : []))
    return { areas }
  } catch (error) {
    if (error instanceof UnusableAreaError) return error.fault
    throw error
  }
}

function countPositions(areas: readonly unknown[]): number {
  let count = 0
  const countIn = (value: unknown, depth: number): void => {
    if (!Array.isArray(value)) return
    if (typeof value[0] === 'number' || depth === 0) count += 1
    else for (const inner of value) countIn(inner, depth - 1)
  }
  const countInGeometry = (geometry: unknown): void =>
    countIn((geometry as { coordinates?: unknown } | null | undefined)?.coordinates, 3)
  for (const area of areas) {
    const { geometry, features } = (area ?? {}) as {
      readonly geometry?: unknown
      readonly features?: unknown
    }
    countInGeometry(area)
    countInGeometry(geometry)
    if (Array.isArray(features))
      for (const feature of features) countInGeometry((feature as { geometry?: unknown } | null)?.geometry)
  }
  return count
}

/** This check comes first, so that oversized input costs only the time to count it. */
function refuseTooMany(areas: readonly unknown[]): void {
  const count = countPositions(areas)
  if (count > MAX_VERTICES) {
    throwUnusableArea(
      '',
      `has ${count.toLocaleString('en-US')} positions, and can have ${MAX_VERTICES.toLocaleString('en-US')}`,
      'Simplify the rings, or search in parts',
    )
  }
}

function* readArea(value: unknown, path: AreaPath): Generator<void, Area> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throwUnusableArea(path, 'is no area', 'Send an object with a type, or a list of such objects')
  const area = value as Readonly<Record<string, unknown>>
  switch (area.type) {
    case 'Polygon':
      return { type: 'Polygon', coordinates: yield* readPolygon(area.coordinates, [...path, 'coordinates']) }
    case 'MultiPolygon': {
      const coordinates: (readonly Ring[])[] = []
      const within = [...path, 'coordinates']
      for (const [at, polygon] of readList(area.coordinates, within, 'polygons').entries())
        coordinates.push(yield* readPolygon(polygon, [...within, at]))
      return { type: 'MultiPolygon', coordinates }
    }
    case 'Feature':
      return yield* readGeometry(area.geometry, [...path, 'geometry'])
    case 'FeatureCollection':
      return yield* readFeatures(area.features, [...path, 'features'])
    case 'circle':
      return readCircle(area, path)
    case 'bbox':
      return readBox(area, path)
    case 'place':
      return readPlace(area, path)
    default:
      return throwUnusableArea(
        [...path, 'type'],
        'is no type of area',
        'Use Polygon, MultiPolygon, Feature, FeatureCollection, circle, bbox or place',
      )
  }
}

type Polygons = Extract<Area, { readonly coordinates: unknown }>

function* readGeometry(value: unknown, path: AreaPath): Generator<void, Polygons> {
  const { type } = (value ?? {}) as { readonly type?: unknown }
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    throwUnusableArea(path, 'is no polygon', 'The geometry of a Feature is a Polygon or a MultiPolygon')
  return (yield* readArea(value, path)) as Polygons
}

/** The polygons of all features of a collection. */
function* readFeatures(value: unknown, path: AreaPath): Generator<void, Area> {
  const coordinates: (readonly Ring[])[] = []
  for (const [at, feature] of readList(value, path, 'features').entries()) {
    const { type, geometry } = (feature ?? {}) as { readonly type?: unknown; readonly geometry?: unknown }
    if (type !== 'Feature') throwUnusableArea([...path, at], 'is no Feature', 'Send GeoJSON as in RFC 7946')
    const read = yield* readGeometry(geometry, [...path, at, 'geometry'])
    coordinates.push(...(read.type === 'Polygon' ? [read.coordinates] : read.coordinates))
  }
  return { type: 'MultiPolygon', coordinates }
}

function readCircle(area: Readonly<Record<string, unknown>>, path: AreaPath): Area {
  const center = readPosition(area.center, path, 'center')
  if (looksSwapped(center[1], center[0]))
    throwUnusableArea([...path, 'center'], OUTSIDE_UNITED_STATES, LATITUDE_FIRST_HINT, center)
  const { radius_m } = area
  if (typeof radius_m !== 'number' || !(radius_m >= MIN_RADIUS_M && radius_m <= MAX_RADIUS_M)) {
    throwUnusableArea([...path, 'radius_m'], 'is no radius', 'Send meters from 1 to 100,000')
  }
  return { type: 'circle', center, radius_m }
}

const BOX_FIELDS = ['type', 'west', 'south', 'east', 'north']

/** Unknown fields are refused, as in `filters.bbox`: a misspelled edge would change the search and its cost. */
function readBox(area: Readonly<Record<string, unknown>>, path: AreaPath): Area {
  const unknown = Object.keys(area).find((name) => !BOX_FIELDS.includes(name))
  if (unknown !== undefined) {
    throwUnusableArea(
      [...path, shortenFieldName(unknown)],
      'is no field of a bbox',
      `It takes ${BOX_FIELDS.join(', ')}`,
    )
  }
  const [west, east] = ['west', 'east'].map((name) => readDegree(area[name], 180, [...path, name])) as [
    number,
    number,
  ]
  const swapped = findSwapped(area)
  if (swapped) throwUnusableArea([...path, swapped.edge], swapped.fault, LATITUDE_FIRST_HINT)
  const [south, north] = ['south', 'north'].map((name) => readDegree(area[name], 90, [...path, name])) as [
    number,
    number,
  ]
  if (south > north) throwUnusableArea([...path, 'south'], 'is above north', 'Exchange south and north')
  return { type: 'bbox', west, south, east, north }
}

function readPlace({ kind, id, name }: Readonly<Record<string, unknown>>, path: AreaPath): Area {
  const known = PLACE_KINDS.find((one) => one === kind)
  if (known === undefined)
    throwUnusableArea([...path, 'kind'], 'is no kind of place', `Use ${PLACE_KINDS.join(', ')}`)
  const [ofId, ofName] = [placeText(id), placeText(name)]
  if (ofId !== undefined && (name ?? undefined) === undefined) return { type: 'place', kind: known, id: ofId }
  if (ofName !== undefined && (id ?? undefined) === undefined)
    return { type: 'place', kind: known, name: ofName }
  return throwUnusableArea(
    path,
    'needs either an id or a name',
    `Send one of them, as a text of at most ${MAX_PLACE_NAME} characters`,
  )
}

function placeText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || text.length > MAX_PLACE_NAME || text.includes('\0') ? undefined : text
}

/** The coordinates of a boundary as those of a MultiPolygon, or the fault as a sentence. */
export type ReadBoundary = { readonly polygons: readonly (readonly Ring[])[] } | { readonly fault: string }

/** Reads the boundary of a place, a GeoJSON Polygon or MultiPolygon, by the rules for areas of a search. */
export function readBoundary(geometry: unknown): ReadBoundary {
  const { type } = (geometry ?? {}) as { type?: unknown }
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    return { fault: 'The geometry is neither a Polygon nor a MultiPolygon.' }
  const count = countPositions([geometry])
  if (count > MAX_BOUNDARY_POSITIONS) {
    const [has, most] = [count, MAX_BOUNDARY_POSITIONS].map((number) => number.toLocaleString('en-US'))
    return { fault: `The boundary has ${has} positions, and can have ${most}.` }
  }
  try {
    const area = runToEnd(readArea(geometry, []))
    if (area.type === 'Polygon') return { polygons: [area.coordinates] }
    if (area.type === 'MultiPolygon') return { polygons: area.coordinates }
    throw new Error(`The type ${type} was parsed as ${area.type}.`)
  } catch (error) {
    if (!(error instanceof UnusableAreaError)) throw error
    const { path, position, fault, hint } = error.fault
    const at = position ? ` (${position.join(', ')})` : ''
    return { fault: `${path || 'geometry'}${at} ${fault}. ${hint}.` }
  }
}

function readDegree(value: unknown, most: number, path: AreaPath): number {
  if (typeof value !== 'number' || !(Math.abs(value) <= most)) {
    throwUnusableArea(path, `is no number from -${most} to ${most}`, 'Send degrees')
  }
  return value
}

/** The shell and its holes: each ring is simple, no two cross, and every hole is inside the shell. */
function* readPolygon(value: unknown, path: AreaPath): Generator<void, readonly Ring[]> {
  const rings = readList(value, path, 'rings').map((ring, at) => readRing(ring, [...path, at]))
  yield
  const found = yield* findRingFault(rings)
  if (found === undefined) return rings
  const { kind, ring } = found
  if (kind === 'crossing') {
    const isOwn = ring === found.other
    throwUnusableArea(
      [...path, ring, found.at],
      isOwn ? 'is where the ring crosses or touches itself' : 'is where two rings of the polygon cross',
      isOwn
        ? 'Draw the ring so that its edges meet only at their ends'
        : 'Holes must be inside the shell and apart from each other',
      rings[ring]![found.at],
    )
  }
  const ONE_SHELL = 'The first ring is the shell, all others are holes in it'
  if (kind === 'outside') {
    throwUnusableArea(
      [...path, ring, found.at],
      'is a position of a hole outside its shell',
      `${ONE_SHELL}. Send separate polygons as a MultiPolygon`,
      rings[ring]![found.at],
    )
  }
  if (kind === 'leaves') throwUnusableArea([...path, ring], 'is a hole outside its shell', ONE_SHELL)
  throwUnusableArea(
    [...path, ring],
    'is a hole inside another hole',
    'Send what is inside the hole as a polygon of its own',
  )
}

function readRing(value: unknown, path: AreaPath): Ring {
  const positions = readList(value, path, 'positions').map((position, at) => readPosition(position, path, at))
  if (positions.every(([longitude, latitude]) => looksSwapped(latitude, longitude)))
    throwUnusableArea([...path, 0], OUTSIDE_UNITED_STATES, LATITUDE_FIRST_HINT, positions[0])
  if (positions.length < MIN_RING_POSITIONS) {
    throwUnusableArea(
      path,
      `has ${positions.length} positions, and needs at least ${MIN_RING_POSITIONS}`,
      'A triangle has four: its last position repeats its first',
    )
  }
  const [first, last] = [positions[0]!, positions.at(-1)!]
  if (first[0] !== last[0] || first[1] !== last[1]) {
    throwUnusableArea(
      [...path, positions.length - 1],
      'does not close the ring',
      'Repeat the first position at the end',
      last,
    )
  }
  const jump = positions.findIndex(
    (position, at) => at > 0 && Math.abs(position[0] - positions[at - 1]![0]) > 180,
  )
  if (jump >= 0) {
    throwUnusableArea(
      [...path, jump],
      'is more than 180 degrees from the position before it',
      'Cut the area at the antimeridian and send the parts as a MultiPolygon',
      positions[jump],
    )
  }
  return positions
}

/** Reads longitude and latitude. An altitude after them is allowed and ignored. */
function readPosition(value: unknown, around: AreaPath, step: string | number): Position {
  // The path is built only for an error, because an area can have thousands of positions.
  const refuseIt = (fault: string, hint: string): never =>
    throwUnusableArea([...around, step], fault, hint, value)
  if (!Array.isArray(value) || value.length < 2 || value.length > 3 || !value.every(Number.isFinite))
    return refuseIt('is no position', 'A position is a list of two numbers: longitude, latitude')
  const [longitude, latitude] = value as [number, number]
  if (Math.abs(latitude) > 90)
    refuseIt(
      LATITUDE_BEYOND_90,
      Math.abs(longitude) <= 90 ? LATITUDE_FIRST_HINT : 'Latitudes are from -90 to 90',
    )
  if (Math.abs(longitude) > 180)
    refuseIt(
      'has a longitude beyond 180 degrees',
      'Cut the area at the antimeridian and send the parts as a MultiPolygon',
    )
  return [longitude, latitude]
}

function readList(value: unknown, path: AreaPath, what: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throwUnusableArea(path, `is no list of ${what}`, 'Send GeoJSON as in RFC 7946')
  return value
}
