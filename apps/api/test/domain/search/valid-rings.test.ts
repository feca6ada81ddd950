import { namePlacesIn, readAreas } from '@lotline/contract/checks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

type Point = readonly [number, number]
const RUNS = process.env.LOTLINE_FULL === '1' ? 200_000 : 5_000

/** Corners on a small grid: many rings touch, overlap, and share corners. */
const ring = (most: number) =>
  fc
    .array(fc.tuple(fc.nat(5), fc.nat(5)), { minLength: 3, maxLength: most })
    .map((corners): Point[] => [...corners, corners[0]!])

const isTaken = (coordinates: readonly (readonly Point[])[]) =>
  'areas' in readAreas({ type: 'Polygon', coordinates }, namePlacesIn('area'))

/** Twice the area of the triangle. The numbers are whole, so it is exact. */
function turn(a: Point, b: Point, c: Point): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
}

const isOn = (a: Point, b: Point, c: Point) =>
  turn(a, b, c) === 0 &&
  Math.min(a[0], b[0]) <= c[0] &&
  c[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= c[1] &&
  c[1] <= Math.max(a[1], b[1])

const edgesOf = (positions: readonly Point[]) =>
  positions
    .slice(1)
    .map((to, at) => [positions[at]!, to] as const)
    .filter(([from, to]) => from[0] !== to[0] || from[1] !== to[1])

function cross([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
}

/** Whether they have more than a single position in common. */
function overlap([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  if (turn(a, b, c) !== 0 || turn(a, b, d) !== 0) return false
  const common = [c, d, a, b].filter((at, index) => (index < 2 ? isOn(a, b, at) : isOn(c, d, at)))
  return new Set(common.map(String)).size > 1
}

const touch = ([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]) =>
  isOn(a, b, c) || isOn(a, b, d) || isOn(c, d, a) || isOn(c, d, b)

/** Compares all pairs of edges, and then every cell between them. */
function isValid(rings: readonly (readonly Point[])[]): boolean {
  const edges = rings.map(edgesOf)
  for (const [index, own] of edges.entries()) {
    if (own.length < 3) return false
    for (let one = 0; one < own.length; one++) {
      for (let other = one + 1; other < own.length; other++) {
        const [first, second] = [own[one]!, own[other]!]
        const areNeighbors = other === one + 1 || (one === 0 && other === own.length - 1)
        if (cross(first, second) || overlap(first, second)) return false
        if (!areNeighbors && touch(first, second)) return false
      }
    }
    for (const others of edges.slice(index + 1)) {
      for (const first of own)
        for (const second of others) if (cross(first, second) || overlap(first, second)) return false
    }
  }
  // Between two columns of the grid, edges keep their order, so each gap between two of them is wholly inside a ring or outside.
  for (let column = 0; column < 5; column++) {
    const x = column + 0.5
    const over = edges.flatMap((own, index) =>
      own
        .filter(([from, to]) => from[0] < x !== to[0] < x)
        .map(([from, to]) => ({
          ring: index,
          y: from[1] + ((to[1] - from[1]) * (x - from[0])) / (to[0] - from[0]),
        })),
    )
    over.sort((one, other) => one.y - other.y)
    const isIn = rings.map(() => false)
    for (const { ring } of over) {
      isIn[ring] = !isIn[ring]
      const holes = isIn.slice(1).filter(Boolean).length
      if (holes > 1 || (holes === 1 && !isIn[0])) return false
    }
  }
  return true
}

describe('a polygon', () => {
  it('is refused exactly for rings in which a pair of edges meets where it must not', () => {
    let [valid, refused] = [0, 0]
    fc.assert(
      fc.property(ring(7), (shell) => {
        const expected = isValid([shell])
        if (expected) valid++
        else refused++
        expect(isTaken([shell]), JSON.stringify(shell)).toBe(expected)
      }),
      { numRuns: RUNS },
    )
    expect(Math.min(valid, refused)).toBeGreaterThan(RUNS / 20)
  })

  it('is refused exactly for holes that are outside the shell, or touch each other', () => {
    const square: Point[] = [
      [0, 0],
      [5, 0],
      [5, 5],
      [0, 5],
      [0, 0],
    ]
    let [valid, refused] = [0, 0]
    const shell = fc.oneof(fc.constant(square), ring(6))
    fc.assert(
      fc.property(shell, fc.array(ring(4), { minLength: 1, maxLength: 2 }), (outer, holes) => {
        const rings = [outer, ...holes]
        const expected = isValid(rings)
        if (expected) valid++
        else refused++
        expect(isTaken(rings), JSON.stringify(rings)).toBe(expected)
      }),
      { numRuns: RUNS },
    )
    expect(Math.min(valid, refused)).toBeGreaterThan(RUNS / 100)
  })

  it('may be a ring of thousands of spikes that nearly meet in the middle', () => {
    const spikes = (count: number, inner: number) =>
      Array.from({ length: count }, (_, at): Point => {
        const angle = (at / count) * 2 * Math.PI
        const far = at % 2 === 0 ? 1 : inner
        return [far * Math.cos(angle), far * Math.sin(angle)]
      })
    const closed = (corners: Point[]) => [...corners, corners[0]!]
    expect(isTaken([closed(spikes(4_000, 1e-9))])).toBe(true)
    const swapped = spikes(4_000, 1e-9)
    ;[swapped[10], swapped[12]] = [swapped[12]!, swapped[10]!]
    expect(isTaken([closed(swapped)])).toBe(false)
  })
})
