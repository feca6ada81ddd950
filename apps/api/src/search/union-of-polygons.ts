// The union of many small polygons as one region. With a region for each, a look at a tile would ask every triangle of a multipolygon
// of 1,250. Here a look goes once through the edges near the tile, whichever polygon they belong to. Polygons may overlap and cross.
// For each of them it is known whether it holds the middle of the tile: each edge that is crossed on the way from the middle of the
// larger tile changes that. All of this is exact.

import Flatbush from 'flatbush'
import type { BoundingBox } from './area-search.ts'
import { type RegionPart, touches } from './morton.ts'
import {
  boundsOf,
  crossings,
  type Edges,
  isWithin,
  type PolygonRegion,
  type Position,
  SOME,
  touchingOf,
  UNDECIDED,
  WHOLE,
} from './polygon-region.ts'

/**
 * The middle of a tile, and for each polygon 1 where the middle is inside it, 0 where it is outside, and `UNKNOWN` where it is on an
 * edge or was not compared: from a position on an edge, crossings do not tell on which side a way goes on.
 */
interface Middle extends Position {
  readonly isIn: Uint8Array
}
const UNKNOWN = 2

/** Regions of polygons without a fault. */
export function unionOfPolygons(
  polygons: readonly PolygonRegion[],
): RegionPart & Required<Pick<RegionPart, 'contains'>> {
  const { edges, polygonOf } = joined(polygons.map(({ outline }) => outline))
  const bounds = boundsOf(edges)
  const tree = new Flatbush(polygons.length)
  for (const { bounds: box } of polygons) tree.add(box.west, box.south, box.east, box.north)
  tree.finish()
  const all = new Uint32Array(edges.count)
  for (let at = 0; at < all.length; at++) all[at] = at
  // Each look has a number, and a polygon that was seen in it has this number in `seen`.
  const seen = new Uint32Array(polygons.length)
  const sides = new Uint8Array(polygons.length)
  let look = 0

  const contains = (longitude: number, latitude: number): boolean =>
    tree
      .search(longitude, latitude, longitude, latitude)
      .some((polygon) => polygons[polygon]!.contains(longitude, latitude))

  // One copy behind the other: memory of its own for each would be a good part of the work.
  let copies = new Uint8Array(0)
  let used = 0
  function copyOf(sides: Uint8Array): Uint8Array {
    if (copies.length - used < sides.length) {
      copies = new Uint8Array(64 * sides.length)
      used = 0
    }
    copies.set(sides, used)
    used += sides.length
    return copies.subarray(used - sides.length, used)
  }

  function findMiddle(tile: BoundingBox): Middle {
    const [longitude, latitude] = middleOf(tile)
    const isIn = new Uint8Array(polygons.length)
    for (const polygon of tree.search(longitude, latitude, longitude, latitude)) {
      const place = polygons[polygon]!.placeOf(longitude, latitude)
      isIn[polygon] = place === 'edge' ? UNKNOWN : Number(place === 'inside')
    }
    return { longitude, latitude, isIn }
  }

  /** `of`: the edges that can be crossed between the two middles. */
  function middleAfter(known: Middle, of: Uint32Array, tile: BoundingBox): Middle {
    const [longitude, latitude] = middleOf(tile)
    const isIn = copyOf(known.isIn)
    for (let index = 0; index < of.length; index++) {
      const edge = of[index]!
      const polygon = polygonOf[edge]!
      if (isIn[polygon] === UNKNOWN) continue
      const count = crossings(edges, edge, known, longitude, latitude)
      if (count === UNDECIDED) isIn[polygon] = UNKNOWN
      else if (count === 1) isIn[polygon]! ^= 1
    }
    return { longitude, latitude, isIn }
  }

  /** `nearby`: the edges that touch the tile of this part, which no polygon fills. */
  const partOf = (nearby: Uint32Array, getMiddle: () => Middle | undefined): RegionPart => ({
    share: SOME,
    partIn(tile) {
      if (!touches(bounds, tile)) return undefined
      const touching = isWithin(bounds, tile) ? nearby : touchingOf(edges, nearby, tile)
      let middle: Middle | undefined
      const getInner = (): Middle => {
        const known = getMiddle()
        middle ??= known ? middleAfter(known, nearby, tile) : findMiddle(tile)
        return middle
      }
      if (touching.length < nearby.length) {
        look++
        for (let index = 0; index < touching.length; index++) seen[polygonOf[touching[index]!]!] = look
        for (let index = 0; index < nearby.length; index++) {
          const polygon = polygonOf[nearby[index]!]!
          if (seen[polygon] === look) continue
          seen[polygon] = look
          // No edge of it runs through the tile, so all of the tile is where its middle is.
          const { longitude, latitude, isIn } = getInner()
          const isInside =
            isIn[polygon] === UNKNOWN ? polygons[polygon]!.contains(longitude, latitude) : isIn[polygon] === 1
          if (isInside) return WHOLE
        }
      }
      return touching.length === 0 ? undefined : partOf(touching, getInner)
    },
    contains(longitude, latitude) {
      const middle = getMiddle()
      if (!middle) return contains(longitude, latitude)
      look++
      let holding = 0
      for (let index = 0; index < nearby.length; index++) {
        const edge = nearby[index]!
        const polygon = polygonOf[edge]!
        if (seen[polygon] !== look) {
          seen[polygon] = look
          sides[polygon] = middle.isIn[polygon]!
          if (sides[polygon] === 1) holding++
          else if (sides[polygon] === UNKNOWN && polygons[polygon]!.contains(longitude, latitude)) return true
        }
        if (sides[polygon] === UNKNOWN) continue
        const count = crossings(edges, edge, middle, longitude, latitude)
        if (count === UNDECIDED) {
          // The position may be on the edge.
          if (polygons[polygon]!.contains(longitude, latitude)) return true
          if (sides[polygon] === 1) holding--
          sides[polygon] = UNKNOWN
        } else if (count === 1) {
          sides[polygon]! ^= 1
          holding += sides[polygon] === 1 ? 1 : -1
        }
      }
      return holding > 0
    },
  })
  return { ...partOf(all, () => undefined), contains }
}

function middleOf({ west, south, east, north }: BoundingBox): readonly [number, number] {
  return [(west + east) / 2, (south + north) / 2]
}

/** The edges of all polygons, and for each edge the index of its polygon. */
function joined(outlines: readonly Edges[]): { readonly edges: Edges; readonly polygonOf: Uint32Array } {
  const count = outlines.reduce((sum, outline) => sum + outline.count, 0)
  const column = () => new Float64Array(count)
  const edges = { count, fromX: column(), fromY: column(), toX: column(), toY: column() }
  const polygonOf = new Uint32Array(count)
  let begin = 0
  for (const [polygon, outline] of outlines.entries()) {
    for (const name of ['fromX', 'fromY', 'toX', 'toY'] as const)
      edges[name].set(outline[name].subarray(0, outline.count), begin)
    polygonOf.fill(polygon, begin, begin + outline.count)
    begin += outline.count
  }
  return { edges, polygonOf }
}
