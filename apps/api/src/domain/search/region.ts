// Regions: the exact meaning of a search area. A region decides whether a position is in it, and which part of it is in a
// tile. The first defines the area. The second lets a search skip most positions without reading them.
//
// Edges are straight in longitude and latitude and belong to the region, edges of holes too. There is no tolerance: the
// sign of each orientation is computed exactly (robust-predicates), so a position on an edge is on it.
// Why: decisions/domain/one-algorithm-for-areas.md

import type { Area, Position, Ring } from '@lotline/contract/checks'
import { runToEnd } from '@lotline/contract/checks'
import Flatbush from 'flatbush'
import { type AreaSearch, type BoundingBox, isWorld, type PlaceArea, type SearchArea } from './area-search.ts'
import { boxRegion, type RegionPart, splitAtAntimeridian } from './morton.ts'
import {
  buildRegion,
  PARTLY_INSIDE_SHARE,
  type PolygonRegion,
  polygonRegion,
  WHOLLY_INSIDE,
} from './polygon-region.ts'

export interface Region extends RegionPart {
  /** Whether the region contains the position, in degrees. */
  contains(longitude: number, latitude: number): boolean
  /**
   * Compares many positions: writes 1 at the index of each one that is inside, and leaves the others unchanged. Yields after at most a few
   * milliseconds of work, so that the caller can pause.
   */
  mark(longitudes: Float64Array, latitudes: Float64Array, isIn: Uint8Array): Generator<void, void>
}

/** Mean radius of the earth (IUGG), in meters. */
export const EARTH_RADIUS_M = 6_371_008.8

/**
 * The region of an area. Its rings must be valid (`readAreas` of the contract).
 *
 * @throws {Error} for a place whose boundary has not been set (`setPlaceRegion`)
 */
export function toRegion(area: SearchArea): Region {
  switch (area.type) {
    case 'bbox':
      return boundsRegion(area)
    case 'circle':
      return circleRegion(area)
    case 'Polygon':
      return polygonRegion(area.coordinates)
    case 'MultiPolygon':
      return uniteRegions(area.coordinates.map(polygonRegion))
    case 'place':
      return getPlaceRegion(area)
  }
}

/** The region of a place. It is built once per boundary and shared by searches. */
export interface PlaceRegion extends Region {
  /** The box of each of its polygons. */
  readonly boxes: readonly BoundingBox[]
  /** The number of positions of its boundary. */
  readonly positions: number
}

const placeRegions = new WeakMap<PlaceArea, PlaceRegion>()

/** Sets the region of a place in a search. Everything that runs a search calls this first (places/boundary.ts). */
export function setPlaceRegion(area: PlaceArea, region: PlaceRegion): void {
  placeRegions.set(area, region)
}

export function hasPlaceRegion(area: PlaceArea): boolean {
  return placeRegions.has(area)
}

/** @throws {Error} when the region has not been set */
export function getPlaceRegion(area: PlaceArea): PlaceRegion {
  const region = placeRegions.get(area)
  if (!region)
    throw new Error(
      `The boundary of the ${area.kind} ${area.id ?? area.name} is not loaded. Call setPlaceRegion before searching it.`,
    )
  return region
}

/** The region of a boundary: the union of its polygons. Their rings may touch and cross (`buildRegion`). */
export function boundaryRegion(polygons: readonly (readonly Ring[])[]): PlaceRegion {
  return runToEnd(buildBoundaryRegion(polygons))
}

/** Does the same as `boundaryRegion`, with pauses. */
export function* buildBoundaryRegion(polygons: readonly (readonly Ring[])[]): Generator<void, PlaceRegion> {
  const regionCache: PolygonRegion[] = []
  for (const rings of polygons) {
    regionCache.push(yield* buildRegion(rings))
    yield
  }
  const boxes = regionCache.map(({ bounds }) => bounds)
  // A coast may have thousands of islands.
  const tree = new Flatbush(boxes.length)
  for (const { west, south, east, north } of boxes) tree.add(west, south, east, north)
  tree.finish()
  const positions = polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
  const contains = (longitude: number, latitude: number) =>
    tree
      .search(longitude, latitude, longitude, latitude)
      .some((at) => regionCache[at]!.contains(longitude, latitude))
  return {
    ...withMark({ ...uniteParts(regionCache), contains }),
    boxes,
    positions,
  }
}

const regions = new WeakMap<readonly SearchArea[], Region>()

/** The region that a search's box and areas have in common. The part of the areas is built once for a search. */
export function searchRegion({ bbox, areas }: Pick<AreaSearch, 'bbox' | 'areas'>): Region {
  const box = boundsRegion(bbox)
  if (!areas) return box
  const known = regions.get(areas) ?? uniteRegions(areas.map(toRegion))
  regions.set(areas, known)
  if (isWorld(bbox)) return known
  return intersectRegions([box, known])
}

/** A box that may cross the antimeridian. */
export function boundsRegion(bounds: BoundingBox): Region {
  return uniteRegions(
    splitAtAntimeridian(bounds).map((box) =>
      withMark({
        ...boxRegion(box),
        contains: (longitude, latitude) =>
          longitude >= box.west && longitude <= box.east && latitude >= box.south && latitude <= box.north,
      }),
    ),
  )
}

export function uniteRegions(regions: readonly Region[]): Region {
  const [only] = regions
  if (only && regions.length === 1) return only
  return {
    ...uniteParts(regions),
    contains: (longitude, latitude) => regions.some((region) => region.contains(longitude, latitude)),
    *mark(longitudes, latitudes, isIn) {
      for (const region of regions) {
        yield* region.mark(longitudes, latitudes, isIn)
        yield
      }
    },
  }
}

export function intersectRegions(regions: readonly Region[]): Region {
  const [only] = regions
  if (only && regions.length === 1) return only
  return {
    ...intersectParts(regions),
    contains: (longitude, latitude) => regions.every((region) => region.contains(longitude, latitude)),
    *mark(longitudes, latitudes, isIn) {
      const inAll = new Uint8Array(isIn.length).fill(1)
      for (const region of regions) {
        const inThis = new Uint8Array(isIn.length)
        yield* region.mark(longitudes, latitudes, inThis)
        yield
        for (let at = 0; at < inAll.length; at++) inAll[at]! &= inThis[at]!
      }
      for (let at = 0; at < inAll.length; at++) isIn[at]! |= inAll[at]!
    },
  }
}

/** Adds a `mark` that compares one position after another. */
function withMark(region: Omit<Region, 'mark'>): Region {
  return {
    ...region,
    *mark(longitudes, latitudes, isIn) {
      for (let at = 0; at < isIn.length; at++) {
        if (at % 1024 === 1023) yield
        if (isIn[at] === 0 && region.contains(longitudes[at]!, latitudes[at]!)) isIn[at] = 1
      }
    },
  }
}

function uniteParts(parts: readonly RegionPart[]): RegionPart {
  return {
    share: Math.max(...parts.map(({ share }) => share)),
    partIn(tile) {
      const inTile = parts.map((part) => part.partIn(tile)).filter((part) => part !== undefined)
      // If one region fills the tile, the others do not matter.
      const whole = inTile.find(({ share }) => share === 1)
      if (whole || inTile.length <= 1) return whole ?? inTile[0]
      return uniteParts(inTile)
    },
  }
}

function intersectParts(parts: readonly RegionPart[]): RegionPart {
  return {
    share: Math.min(...parts.map(({ share }) => share)),
    partIn(tile) {
      const inTile: RegionPart[] = []
      for (const part of parts) {
        const found = part.partIn(tile)
        if (!found) return undefined
        // A region that fills the tile leaves the decision to the others.
        if (found.share !== 1) inTile.push(found)
      }
      if (inTile.length <= 1) return inTile[0] ?? WHOLLY_INSIDE
      return intersectParts(inTile)
    },
  }
}

/** Positions whose great-circle distance from the center is at most the radius. */
function circleRegion({ center, radius_m }: Extract<Area, { type: 'circle' }>): Region {
  const [longitude, latitude] = center
  const partIn = (tile: BoundingBox): RegionPart | undefined => {
    const middle: Position = [(tile.west + tile.east) / 2, (tile.south + tile.north) / 2]
    const distance = distanceM(center, middle)
    const reach = maxReachM(tile)
    if (distance - reach > radius_m) return undefined
    return { share: distance + reach <= radius_m ? 1 : PARTLY_INSIDE_SHARE, partIn }
  }
  return withMark({
    share: PARTLY_INSIDE_SHARE,
    partIn,
    contains: (east, north) => distanceM([longitude, latitude], [east, north]) <= radius_m,
  })
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

/** The distance that no position of the tile exceeds from its middle: along the meridian, then along the longest parallel. */
function maxReachM({ west, south, east, north }: BoundingBox): number {
  const metersPerDegree = (EARTH_RADIUS_M * Math.PI) / 180
  const nearestToEquator = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north))
  const width = ((east - west) / 2) * Math.cos((nearestToEquator * Math.PI) / 180)
  // One millimeter more than the maximum rounding error.
  return ((north - south) / 2 + width) * metersPerDegree + 0.001
}
