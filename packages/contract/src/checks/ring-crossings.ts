// Where rings of a polygon cross, or a ring touches itself. The signs of orientations are exact (robust-predicates).

import { orient2d } from 'robust-predicates'

type Position = readonly [longitude: number, latitude: number]

interface Edge {
  readonly ring: number
  /** Of its first position in the ring. */
  readonly at: number
  readonly from: Position
  readonly to: Position
  /** Among the edges of its ring that have a length. */
  readonly order: number
  readonly low: readonly [number, number]
  readonly high: readonly [number, number]
}

export interface Crossing {
  readonly ring: number
  readonly other: number
  /** The position in `ring` at which the crossing edge begins. */
  readonly at: number
}

/**
 * The first crossing that is found, or undefined. Edges of one ring may meet only where one ends and the next begins. Edges
 * of two rings may touch at single positions, as a hole does that touches its shell, but neither cross nor run along each
 * other. All rings are closed.
 */
export function findCrossing(rings: readonly (readonly Position[])[]): Crossing | undefined {
  const counts: number[] = []
  const edges = rings.flatMap((positions, ring) => {
    const ofRing = positions.slice(1).flatMap((to, at): Omit<Edge, 'order'>[] => {
      const from = positions[at]!
      if (from[0] === to[0] && from[1] === to[1]) return []
      const low = [Math.min(from[0], to[0]), Math.min(from[1], to[1])] as const
      const high = [Math.max(from[0], to[0]), Math.max(from[1], to[1])] as const
      return [{ ring, at, from, to, low, high }]
    })
    counts.push(ofRing.length)
    return ofRing.map((edge, order) => ({ ...edge, order }))
  })
  // Fewer than three edges enclose nothing.
  const flat = counts.findIndex((count) => count < 3)
  if (flat >= 0) return { ring: flat, other: flat, at: 0 }

  // Swept along the axis on which edges are shorter, so that few of them are open at a time.
  const lengthOn = (axis: 0 | 1) => {
    const spans = edges.reduce((sum, { low, high }) => sum + high[axis] - low[axis], 0)
    const extent =
      Math.max(...edges.map(({ high }) => high[axis])) - Math.min(...edges.map(({ low }) => low[axis]))
    return extent === 0 ? Number.POSITIVE_INFINITY : spans / extent
  }
  const axis = lengthOn(0) <= lengthOn(1) ? 0 : 1
  const across = axis === 0 ? 1 : 0
  edges.sort((one, other) => one.low[axis] - other.low[axis])
  // Most pairs of a large ring are apart, and plain numbers in a row say so fastest.
  const begins = Float64Array.from(edges, ({ low }) => low[axis])
  const lows = Float64Array.from(edges, ({ low }) => low[across])
  const highs = Float64Array.from(edges, ({ high }) => high[across])
  for (const [index, one] of edges.entries()) {
    const end = one.high[axis]
    const [low, high] = [lows[index]!, highs[index]!]
    for (let next = index + 1; next < edges.length && begins[next]! <= end; next++) {
      if (lows[next]! > high || highs[next]! < low) continue
      const other = edges[next]!
      if (isFault(one, other, counts)) return { ring: other.ring, other: one.ring, at: other.at }
    }
  }
  return undefined
}

function isFault(one: Edge, other: Edge, counts: readonly number[]): boolean {
  const fromSide = turnOf(one, other.from)
  const toSide = turnOf(one, other.to)
  if (fromSide * toSide > 0) return false
  const sides = [turnOf(other, one.from), turnOf(other, one.to)] as const
  if (fromSide === 0 && toSide === 0) {
    // On one line: as far as they overlap on the axis on which they are longer.
    const along = one.high[0] - one.low[0] >= one.high[1] - one.low[1] ? 0 : 1
    const overlap = Math.min(one.high[along], other.high[along]) - Math.max(one.low[along], other.low[along])
    if (overlap < 0) return false
    return overlap > 0 || touchIsFault(one, other, counts)
  }
  if (sides[0] * sides[1] > 0) return false
  const isTouch = fromSide * toSide === 0 || sides[0] * sides[1] === 0
  return isTouch ? touchIsFault(one, other, counts) : true
}

/** Neighbors share the position where one ends and the other begins; no other edges of a ring may touch. */
function touchIsFault(one: Edge, other: Edge, counts: readonly number[]): boolean {
  if (one.ring !== other.ring) return false
  const apart = Math.abs(one.order - other.order)
  return apart !== 1 && apart !== counts[one.ring]! - 1
}

function turnOf({ from, to }: Edge, [longitude, latitude]: Position): number {
  return Math.sign(orient2d(from[0], from[1], to[0], to[1], longitude, latitude))
}
