// The region of a polygon, by the even-odd rule: a position is inside where a ray from it crosses an odd number of edges. For rings
// that have been found valid, this is inside the shell and outside the holes.

import { markInside, type Ring, runToEnd } from '@lotline/contract/checks'
import { orient2d } from 'robust-predicates'
import type { BoundingBox } from './area-search.ts'
import { type RegionPart, touches } from './morton.ts'

/** The share of a tile that is partly inside. It is not measured. */
export const PARTLY_INSIDE_SHARE = 0.5

export const WHOLLY_INSIDE: RegionPart = { share: 1, partIn: () => WHOLLY_INSIDE }

/** A region of one polygon; `regionOf` of region.ts makes them. */
export interface PolygonRegion extends RegionPart {
  /** The box around it. */
  readonly bounds: BoundingBox
  /** Degrees. */
  contains(longitude: number, latitude: number): boolean
  /** The place of a position in degrees. Vertices and edges of holes are `edge`. The result is exact. */
  placeOf(longitude: number, latitude: number): PointPlace
  /** Writes 1 at the index of each position that is inside, and leaves the others unchanged. Yields so that the caller can pause. */
  mark(longitudes: Float64Array, latitudes: Float64Array, isIn: Uint8Array): Generator<void, void>
}

/** The middle of a tile. undefined: it is on an edge, or was not compared. */
interface TileMiddle extends CornerPosition {
  readonly isIn: boolean | undefined
}

/** A polygon with at most this many edges is compared with one position after another. */
const FEW_EDGES = 24

/** The first ring is the shell, the others are holes. They must be valid. */
export function polygonRegion(rings: readonly Ring[]): PolygonRegion {
  const edges = runToEnd(collectEdges(rings))
  // Most polygons are used for one search and need no strips.
  const region = edgesRegion(edges, edgeBounds(edges))
  return {
    ...region,
    // A sweep over all positions is faster than single comparisons, unless the polygon has few edges.
    *mark(longitudes, latitudes, isIn) {
      if (edges.count <= FEW_EDGES) return yield* region.mark(longitudes, latitudes, isIn)
      const { west, south, east, north } = region.bounds
      const near: number[] = []
      for (let at = 0; at < isIn.length; at++) {
        const [longitude, latitude] = [longitudes[at]!, latitudes[at]!]
        const isNear = longitude >= west && longitude <= east && latitude >= south && latitude <= north
        if (isNear && isIn[at] === 0) near.push(at)
        if (at % 16_384 === 16_383) yield
      }
      yield
      const inside = new Uint8Array(near.length)
      const column = (values: Float64Array) => Float64Array.from(near, (at) => values[at]!)
      yield* markInside(rings, column(longitudes), column(latitudes), inside)
      for (const [index, at] of near.entries()) if (inside[index] === 1) isIn[at] = 1
    },
  }
}

/** The number of edges between two pauses while a region is built: some tenths of a millisecond. */
const EDGES_AT_A_TIME = 4_096

/**
 * Builds a region of rings that may touch and cross. The region does not keep the rings: its own columns have a tenth of their size. Yields
 * after each few thousand edges, since a boundary may have 200,000.
 */
export function* buildRegion(rings: readonly Ring[]): Generator<void, PolygonRegion> {
  const edges = yield* collectEdges(rings)
  const bounds = edgeBounds(edges)
  yield
  return edgesRegion(edges, bounds, yield* buildStrips(edges, bounds))
}

function edgesRegion(edges: Edges, bounds: BoundingBox, built?: Strips): PolygonRegion {
  let strips = built
  const placeOf = (longitude: number, latitude: number): PointPlace => {
    if (!(latitude >= bounds.south && latitude <= bounds.north)) return 'outside'
    strips ??= runToEnd(buildStrips(edges, bounds))
    return placeIn(edges, strips, longitude, latitude)
  }

  const all = new Uint32Array(edges.count)
  for (let at = 0; at < all.length; at++) all[at] = at

  /** `nearby` are the edges that touch the tile of this part. `middleOf` compares the tile's middle if it is needed. */
  const partOf = (nearby: Uint32Array, middleOf: () => TileMiddle | undefined): RegionPart => ({
    share: PARTLY_INSIDE_SHARE,
    partIn(tile) {
      if (!touches(bounds, tile)) return undefined
      const touching = isWithin(bounds, tile) ? nearby : edgesTouching(edges, nearby, tile)
      let middle: TileMiddle | undefined
      const compareMiddle = (): TileMiddle => {
        const [longitude, latitude] = [(tile.west + tile.east) / 2, (tile.south + tile.north) / 2]
        const known = nearby === all ? undefined : middleOf()
        // Between two middles in one tile, only the tile's own edges can be crossed.
        const isIn = known && isInAfter(edges, nearby, known, longitude, latitude)
        if (isIn !== undefined) return { longitude, latitude, isIn }
        const place = placeOf(longitude, latitude)
        return { longitude, latitude, isIn: place === 'edge' ? undefined : place === 'inside' }
      }
      const getMiddle = () => {
        middle ??= compareMiddle()
        return middle
      }
      if (touching.length > 0) return partOf(touching, getMiddle)
      // No edge crosses the tile, so the whole tile is where its middle is.
      return getMiddle().isIn ? WHOLLY_INSIDE : undefined
    },
  })

  return {
    ...partOf(all, () => undefined),
    bounds,
    placeOf,
    contains: (longitude, latitude) => placeOf(longitude, latitude) !== 'outside',
    *mark(longitudes, latitudes, isIn) {
      const { west, south, east, north } = bounds
      for (let at = 0; at < isIn.length; at++) {
        if (at % 1_024 === 1_023) yield
        const longitude = longitudes[at]!
        const latitude = latitudes[at]!
        if (latitude < south || latitude > north || longitude < west || longitude > east) continue
        if (isIn[at] === 0 && placeOf(longitude, latitude) !== 'outside') isIn[at] = 1
      }
    },
  }
}

/** The edges of all rings, as columns. Two equal positions make no edge. */
interface Edges {
  readonly count: number
  readonly fromX: Float64Array
  readonly fromY: Float64Array
  readonly toX: Float64Array
  readonly toY: Float64Array
}

function* collectEdges(rings: readonly Ring[]): Generator<void, Edges> {
  const most = rings.reduce((sum, ring) => sum + ring.length - 1, 0)
  const column = () => new Float64Array(most)
  const [fromX, fromY, toX, toY] = [column(), column(), column(), column()]
  let [count, looks] = [0, 0]
  for (const ring of rings) {
    for (let at = 1; at < ring.length; at++) {
      if (++looks % EDGES_AT_A_TIME === 0) yield
      const [from, to] = [ring[at - 1]!, ring[at]!]
      if (from[0] === to[0] && from[1] === to[1]) continue
      fromX[count] = from[0]
      fromY[count] = from[1]
      toX[count] = to[0]
      toY[count] = to[1]
      count++
    }
  }
  return { count, fromX, fromY, toX, toY }
}

function edgeBounds({ count, fromX, fromY }: Edges): BoundingBox {
  let [west, south, east, north] = [180, 90, -180, -90]
  for (let at = 0; at < count; at++) {
    west = Math.min(west, fromX[at]!)
    east = Math.max(east, fromX[at]!)
    south = Math.min(south, fromY[at]!)
    north = Math.max(north, fromY[at]!)
  }
  return { west, south, east, north }
}

function isWithin(inner: BoundingBox, outer: BoundingBox): boolean {
  return (
    inner.west > outer.west &&
    inner.east < outer.east &&
    inner.south > outer.south &&
    inner.north < outer.north
  )
}

/** A thousand times the maximum rounding error, and a hundredth of a tile's own margin (morton.ts). */
const ROUNDING = 1e-10

/** Lists of edges, one behind the other. Separate allocations would take most of the time of looking at a tile. */
let edgeListPool = new Uint32Array(65_536)
let edgeListsInUse = 0

/** The edges that have a position in the tile. The result may include an edge that passes the tile within the rounding error. */
function edgesTouching({ fromX, fromY, toX, toY }: Edges, of: Uint32Array, tile: BoundingBox): Uint32Array {
  const { west, south, east, north } = tile
  const [middleX, middleY] = [(west + east) / 2, (south + north) / 2]
  const [reachX, reachY] = [(east - west) / 2 + ROUNDING, (north - south) / 2 + ROUNDING]
  if (edgeListPool.length - edgeListsInUse < of.length) {
    edgeListPool = new Uint32Array(Math.max(65_536, of.length))
    edgeListsInUse = 0
  }
  const found = edgeListPool
  const begin = edgeListsInUse
  for (let index = 0; index < of.length; index++) {
    const at = of[index]!
    const x = fromX[at]!
    const y = fromY[at]!
    const otherX = toX[at]!
    const otherY = toY[at]!
    if ((x < west && otherX < west) || (x > east && otherX > east)) continue
    if ((y < south && otherY < south) || (y > north && otherY > north)) continue
    const width = otherX - x
    const height = otherY - y
    // All four corners are on one side of its line, so the edge does not touch the tile.
    const distance = Math.abs(width * (middleY - y) - height * (middleX - x))
    if (distance <= reachX * Math.abs(height) + reachY * Math.abs(width)) found[edgeListsInUse++] = at
  }
  return found.subarray(begin, edgeListsInUse)
}

/** The result of `crossings` if a turn of the path is on the edge. */
const UNDECIDED = -1

/**
 * Counts how often a path crosses an edge: along the parallel of its beginning, then along the meridian of its end. Each crossing changes
 * between inside and outside. `UNDECIDED`: a turn or the end of the path is on the edge; its beginning must not be. Exact.
 */
function crossings(
  { fromX, fromY, toX, toY }: Edges,
  at: number,
  begin: CornerPosition,
  longitude: number,
  latitude: number,
): number {
  const x = fromX[at]!
  const y = fromY[at]!
  const otherX = toX[at]!
  const otherY = toY[at]!
  let count = 0
  // If an edge touches the path only with its upper or eastern end, the next edge counts instead.
  if (y <= begin.latitude !== otherY <= begin.latitude) {
    // The position where the edge meets the parallel, to about 1e-13 degrees: this nearly always decides.
    const meets = x + (otherX - x) * ((begin.latitude - y) / (otherY - y))
    const before = begin.longitude - meets
    const after = longitude - meets
    if (Math.abs(before) > ROUNDING && Math.abs(after) > ROUNDING) {
      if (before > 0 !== after > 0) count++
    } else {
      const side = orient2d(x, y, otherX, otherY, begin.longitude, begin.latitude)
      const turned = orient2d(x, y, otherX, otherY, longitude, begin.latitude)
      if (turned === 0) return UNDECIDED
      if (side > 0 !== turned > 0) count++
    }
  } else if (y === begin.latitude && otherY === begin.latitude) {
    if (Math.min(x, otherX) <= longitude && Math.max(x, otherX) >= longitude) return UNDECIDED
  }
  if (x <= longitude !== otherX <= longitude) {
    const meets = y + (otherY - y) * ((longitude - x) / (otherX - x))
    const before = begin.latitude - meets
    const after = latitude - meets
    if (Math.abs(before) > ROUNDING && Math.abs(after) > ROUNDING) {
      if (before > 0 !== after > 0) count++
    } else {
      const turned = orient2d(x, y, otherX, otherY, longitude, begin.latitude)
      const side = orient2d(x, y, otherX, otherY, longitude, latitude)
      if (turned === 0 || side === 0) return UNDECIDED
      if (side > 0 !== turned > 0) count++
    }
  } else if (x === longitude && otherX === longitude) {
    const [low, high] = y < otherY ? [y, otherY] : [otherY, y]
    if ((low <= latitude && high >= latitude) || (low <= begin.latitude && high >= begin.latitude))
      return UNDECIDED
  }
  // Vertices at a turn of the path.
  if (x === longitude && (y === begin.latitude || y === latitude)) return UNDECIDED
  return count
}

/** The position of a tile corner, in degrees. */
interface CornerPosition {
  readonly longitude: number
  readonly latitude: number
}

/**
 * Whether a position is inside, derived from a known position. `of` are all edges that can be crossed. undefined: not known, see
 * `crossings`. Exact.
 */
function isInAfter(
  edges: Edges,
  of: Uint32Array,
  known: TileMiddle,
  longitude: number,
  latitude: number,
): boolean | undefined {
  let { isIn } = known
  if (isIn === undefined) return undefined
  for (let index = 0; index < of.length; index++) {
    const count = crossings(edges, of[index]!, known, longitude, latitude)
    if (count === UNDECIDED) return undefined
    if (count === 1) isIn = !isIn
  }
  return isIn
}

export type PointPlace = 'inside' | 'edge' | 'outside'

/** Edges by strips of latitude. The edges of strip `at` are `edges[begins[at]]` up to `edges[begins[at + 1]]`. */
interface Strips {
  readonly count: number
  readonly south: number
  readonly height: number
  readonly begins: Uint32Array
  readonly edges: Uint32Array
}

/** The maximum of strips per edge, on average: many long edges would fill the memory. */
const STRIPS_OF_EDGE = 8

function* buildStrips(
  { count: edgeCount, fromY, toY }: Edges,
  { south, north }: BoundingBox,
): Generator<void, Strips> {
  const height = north - south
  let heights = 0
  for (let at = 0; at < edgeCount; at++) heights += Math.abs(toY[at]! - fromY[at]!)
  const mean = heights / edgeCount / height
  const count = Math.max(1, Math.min(edgeCount, Math.floor(STRIPS_OF_EDGE / mean)))
  const strips = { count, south, height }
  const begins = new Uint32Array(count + 1)
  const eachStrip = (edge: number, visit: (strip: number) => void) => {
    const last = buildStrip(strips, Math.max(fromY[edge]!, toY[edge]!))
    for (let at = buildStrip(strips, Math.min(fromY[edge]!, toY[edge]!)); at <= last; at++) visit(at)
  }
  for (let edge = 0; edge < edgeCount; edge++) {
    if (edge % EDGES_AT_A_TIME === EDGES_AT_A_TIME - 1) yield
    eachStrip(edge, (strip) => begins[strip + 1]!++)
  }
  for (let at = 0; at < count; at++) begins[at + 1]! += begins[at]!
  const filled = begins.slice()
  const edges = new Uint32Array(begins[count]!)
  for (let edge = 0; edge < edgeCount; edge++) {
    if (edge % EDGES_AT_A_TIME === EDGES_AT_A_TIME - 1) yield
    eachStrip(edge, (strip) => {
      edges[filled[strip]!++] = edge
    })
  }
  return { ...strips, begins, edges }
}

function buildStrip(
  { count, south, height }: Pick<Strips, 'count' | 'south' | 'height'>,
  latitude: number,
): number {
  return Math.min(count - 1, Math.floor(((latitude - south) / height) * count))
}

/** If a ray to the east crosses an odd number of edges, the position is inside. Exact. The latitude is within the polygon's bounds. */
function placeIn(edges: Edges, strips: Strips, longitude: number, latitude: number): PointPlace {
  const { fromX, fromY, toX, toY } = edges
  const strip = buildStrip(strips, latitude)
  const end = strips.begins[strip + 1]!
  let isInside = false
  for (let index = strips.begins[strip]!; index < end; index++) {
    const at = strips.edges[index]!
    const y = fromY[at]!
    const otherY = toY[at]!
    if ((y < latitude && otherY < latitude) || (y > latitude && otherY > latitude)) continue
    const x = fromX[at]!
    const otherX = toX[at]!
    if (x < longitude && otherX < longitude) continue
    // An edge that ends at the position's latitude counts only with its upper end, so a vertex counts once.
    const isCounted = y > latitude !== otherY > latitude
    if (x > longitude && otherX > longitude) {
      if (isCounted) isInside = !isInside
      continue
    }
    if (isCounted) {
      const meets = x + (otherX - x) * ((latitude - y) / (otherY - y))
      if (Math.abs(longitude - meets) > ROUNDING) {
        if (meets > longitude) isInside = !isInside
        continue
      }
    }
    // orient2d is positive if the three positions turn clockwise in a plane with y upwards.
    const turn = orient2d(x, y, otherX, otherY, longitude, latitude)
    if (turn === 0) return 'edge'
    if (isCounted && otherY > y === turn < 0) isInside = !isInside
  }
  return isInside ? 'inside' : 'outside'
}
