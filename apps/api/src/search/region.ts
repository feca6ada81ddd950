// Regions: the exact meaning of a search area. A region decides whether a position is in it, and which part of it is in a
// tile. The first defines the area. The second lets a search skip most positions without reading them.
//
// Edges are straight in longitude and latitude and belong to the region, edges of holes too. There is no tolerance: the
// sign of each orientation is computed exactly (robust-predicates), so a position on an edge is on it.

import type { Area, Position, Ring } from '@lotline/contract/checks'
import { orient2d } from 'robust-predicates'
import { type AreaSearch, type BoundingBox, splitAtAntimeridian } from './area-search.ts'
import { type RegionPart, regionOfBox } from './morton.ts'

export interface Region extends RegionPart {
  /** Degrees. */
  contains(longitude: number, latitude: number): boolean
}

/** Mean radius of the earth (IUGG), in meters. */
export const EARTH_RADIUS_M = 6_371_008.8

/** Where a part of a tile is in and a part is not, how much is not measured. */
const SOME = 0.5

/** The region of an area. Its rings have been found valid (`readAreas` of the contract). */
export function regionOf(area: Area): Region {
  switch (area.type) {
    case 'bbox':
      return regionOfBounds(area)
    case 'circle':
      return regionOfCircle(area)
    case 'Polygon':
      return regionOfPolygon(area.coordinates)
    case 'MultiPolygon':
      return unionOf(area.coordinates.map(regionOfPolygon))
  }
}

const regions = new WeakMap<readonly Area[], Region>()

/** The box of a search and its areas together: what its homes must be in. The areas' part is made once for a search. */
export function regionOfSearch({ bbox, areas }: Pick<AreaSearch, 'bbox' | 'areas'>): Region {
  const box = regionOfBounds(bbox)
  if (!areas) return box
  const known = regions.get(areas) ?? unionOf(areas.map(regionOf))
  regions.set(areas, known)
  return intersectionOf([box, known])
}

/** A box that may cross the antimeridian. */
export function regionOfBounds(bounds: BoundingBox): Region {
  return unionOf(
    splitAtAntimeridian(bounds).map((box) => ({
      ...regionOfBox(box),
      contains: (longitude, latitude) =>
        longitude >= box.west && longitude <= box.east && latitude >= box.south && latitude <= box.north,
    })),
  )
}

export function unionOf(regions: readonly Region[]): Region {
  const [only] = regions
  if (only && regions.length === 1) return only
  return {
    ...unionOfParts(regions),
    contains: (longitude, latitude) => regions.some((region) => region.contains(longitude, latitude)),
  }
}

export function intersectionOf(regions: readonly Region[]): Region {
  const [only] = regions
  if (only && regions.length === 1) return only
  return {
    ...intersectionOfParts(regions),
    contains: (longitude, latitude) => regions.every((region) => region.contains(longitude, latitude)),
  }
}

function unionOfParts(parts: readonly RegionPart[]): RegionPart {
  return {
    share: Math.max(...parts.map(({ share }) => share)),
    partIn(tile) {
      const inTile = parts.map((part) => part.partIn(tile)).filter((part) => part !== undefined)
      // Of a tile that one of them fills the others say nothing more.
      const whole = inTile.find(({ share }) => share === 1)
      if (whole || inTile.length <= 1) return whole ?? inTile[0]
      return unionOfParts(inTile)
    },
  }
}

function intersectionOfParts(parts: readonly RegionPart[]): RegionPart {
  return {
    share: Math.min(...parts.map(({ share }) => share)),
    partIn(tile) {
      const inTile = parts.map((part) => part.partIn(tile))
      if (inTile.some((part) => part === undefined)) return undefined
      return intersectionOfParts(inTile as RegionPart[])
    },
  }
}

/** Positions whose great-circle distance from the center is at most the radius. */
function regionOfCircle({ center, radius_m }: Extract<Area, { type: 'circle' }>): Region {
  const [longitude, latitude] = center
  const partIn = (tile: BoundingBox): RegionPart | undefined => {
    const middle: Position = [(tile.west + tile.east) / 2, (tile.south + tile.north) / 2]
    const distance = distanceM(center, middle)
    const reach = reachM(tile)
    if (distance - reach > radius_m) return undefined
    return { share: distance + reach <= radius_m ? 1 : SOME, partIn }
  }
  return {
    share: SOME,
    partIn,
    contains: (east, north) => distanceM([longitude, latitude], [east, north]) <= radius_m,
  }
}

/** Great-circle distance on the mean radius of the earth, in meters (haversine). */
export function distanceM(one: Position, other: Position): number {
  const radians = Math.PI / 180
  const byLatitude = Math.sin(((other[1] - one[1]) * radians) / 2) ** 2
  const byLongitude =
    Math.cos(one[1] * radians) *
    Math.cos(other[1] * radians) *
    Math.sin(((other[0] - one[0]) * radians) / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(byLatitude + byLongitude)))
}

/** No position of the tile is farther from its middle: along the meridian, then along the parallel that is longest. */
function reachM({ west, south, east, north }: BoundingBox): number {
  const metersPerDegree = (EARTH_RADIUS_M * Math.PI) / 180
  const nearestToEquator = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north))
  const width = ((east - west) / 2) * Math.cos((nearestToEquator * Math.PI) / 180)
  // A millimeter more than rounding can be wrong by.
  return ((north - south) / 2 + width) * metersPerDegree + 0.001
}

interface Edge {
  readonly from: Position
  readonly to: Position
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** The rings of a polygon: the first is its shell, the others are holes. */
function regionOfPolygon(rings: readonly Ring[]): Region {
  const edges = rings.flatMap(edgesOf)
  const contains = createContains(edges)
  const partOf = (nearby: readonly Edge[]): RegionPart => ({
    share: SOME,
    partIn(tile) {
      const touching = nearby.filter((edge) => touchesTile(edge, tile))
      if (touching.length > 0) return partOf(touching)
      // No edge runs through the tile, so all of it is where its middle is.
      const isIn = contains((tile.west + tile.east) / 2, (tile.south + tile.north) / 2)
      return isIn ? WHOLE : undefined
    },
  })
  return { ...partOf(edges), contains }
}

const WHOLE: RegionPart = { share: 1, partIn: () => WHOLE }

/** Edges of a ring, whose last position is its first. An edge between two equal positions is none. */
export function edgesOf(ring: Ring): Edge[] {
  return ring.slice(1).flatMap((to, at) => {
    const from = ring[at]!
    if (from[0] === to[0] && from[1] === to[1]) return []
    return [
      {
        from,
        to,
        south: Math.min(from[1], to[1]),
        north: Math.max(from[1], to[1]),
        west: Math.min(from[0], to[0]),
        east: Math.max(from[0], to[0]),
      },
    ]
  })
}

/** On average, in how many strips an edge may be: many long edges would fill the memory. */
const STRIPS_OF_EDGE = 8

/**
 * Whether a position is inside: a ray to the east crosses the edges an odd number of times. Edges are sorted into strips
 * of latitude, so that only those are looked at whose strip the position is in.
 */
function createContains(edges: readonly Edge[]): Region['contains'] {
  const south = Math.min(...edges.map((edge) => edge.south))
  const north = Math.max(...edges.map((edge) => edge.north))
  const heights = edges.reduce((sum, edge) => sum + edge.north - edge.south, 0)
  const mean = heights / edges.length / (north - south)
  const count = Math.max(1, Math.min(edges.length, Math.floor(STRIPS_OF_EDGE / mean)))
  const stripOf = (latitude: number) =>
    Math.min(count - 1, Math.floor(((latitude - south) / (north - south)) * count))
  const strips: Edge[][] = Array.from({ length: count }, () => [])
  for (const edge of edges) {
    for (let at = stripOf(edge.south); at <= stripOf(edge.north); at++) strips[at]!.push(edge)
  }
  return (longitude, latitude) => {
    if (!(latitude >= south && latitude <= north)) return false
    let isInside = false
    for (const edge of strips[stripOf(latitude)]!) {
      if (latitude < edge.south || latitude > edge.north || longitude > edge.east) continue
      if (longitude < edge.west) {
        if (latitude < edge.north) isInside = !isInside
        continue
      }
      const side = sideOf(edge, longitude, latitude)
      if (side === 0) return true
      // An edge that ends at the position's latitude counts at its upper end only, so a vertex counts once.
      if (latitude < edge.north && side > 0) isInside = !isInside
    }
    return isInside
  }
}

/** Positive: the position lies west of the edge's line, 0: on it. Exact. */
function sideOf({ from, to }: Edge, longitude: number, latitude: number): number {
  // orient2d is positive where the three turn clockwise in a plane with y upwards.
  const turn = orient2d(from[0], from[1], to[0], to[1], longitude, latitude)
  if (turn === 0) return 0
  return to[1] > from[1] === turn < 0 ? 1 : -1
}

/** Whether an edge has a position in the tile; edges of the tile count. Exact. */
function touchesTile(edge: Edge, tile: BoundingBox): boolean {
  const { from, to } = edge
  if (edge.east < tile.west || edge.west > tile.east || edge.north < tile.south || edge.south > tile.north) {
    return false
  }
  const turnOf = (longitude: number, latitude: number) =>
    Math.sign(orient2d(from[0], from[1], to[0], to[1], longitude, latitude))
  const turn = turnOf(tile.west, tile.south)
  // All four corners on one side of its line: the edge passes by.
  return !(
    turn !== 0 &&
    turnOf(tile.east, tile.south) === turn &&
    turnOf(tile.east, tile.north) === turn &&
    turnOf(tile.west, tile.north) === turn
  )
}
