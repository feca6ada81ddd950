import { type Area, namePlacesIn, type Position, readAreas } from '@lotline/contract/checks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WORLD } from '../../../src/domain/search/area-search.ts'
import { mortonCode, mortonRanges } from '../../../src/domain/search/morton.ts'
import { type Region, searchRegion, toRegion, uniteRegions } from '../../../src/domain/search/region.ts'
import { areas, isInAny } from './exact-areas.ts'

const RUNS = process.env.LOTLINE_FULL === '1' ? 5_000 : 500

/** A grid on which many positions share longitudes, latitudes, and diagonals. */
const grid: readonly Position[] = Array.from({ length: 400 }, (_, at) => [
  -122.4 + (at % 20) / 128,
  47.5 + Math.floor(at / 20) / 128,
])

describe('a region', () => {
  it('contains exactly the positions that rational arithmetic finds, also on vertices and edges, one by one and together', () => {
    let [inside, outside] = [0, 0]
    fc.assert(
      fc.property(areas(grid, 0.1), (area) => {
        fc.pre(isUsable(area))
        const region = toRegion(area)
        const asked = [...grid, ...cornersOf(area), ...middlesOf(area)]
        const marked = markedIn(region, asked)
        for (const [at, [longitude, latitude]] of asked.entries()) {
          const expected = isInAny([area], longitude, latitude)
          expect(marked[at]).toBe(Number(expected))
          if (expected) inside += 1
          else outside += 1
          if (region.contains(longitude, latitude) !== expected) {
            throw new Error(
              `${longitude},${latitude} ${expected ? 'is in' : 'is not in'} ${JSON.stringify(area)}`,
            )
          }
        }
      }),
      { numRuns: RUNS },
    )
    expect(Math.min(inside, outside)).toBeGreaterThan(RUNS)
  })

  it('is cut into ranges that contain all its positions, and ranges marked as inside contain no other', () => {
    fc.assert(
      fc.property(areas(grid, 0.1), (area) => {
        fc.pre(isUsable(area))
        const region = searchRegion({ bbox: WORLD, areas: [area] })
        const ranges = mortonRanges(region, 64)
        for (const [longitude, latitude] of [...grid, ...cornersOf(area)]) {
          const code = mortonCode(longitude, latitude)
          const range = ranges.find(({ low, high }) => low <= code && code <= high)
          if (isInAny([area], longitude, latitude)) expect(range).toBeDefined()
          else expect(range?.isInside ?? false).toBe(false)
        }
      }),
      { numRuns: RUNS / 5 },
    )
  })

  it('is the same in whichever direction its rings are drawn', () => {
    fc.assert(
      fc.property(areas(grid, 0.1), (area) => {
        fc.pre(area.type === 'Polygon' && isUsable(area))
        const { coordinates } = area as Extract<Area, { type: 'Polygon' }>
        const reversed = toRegion({
          type: 'Polygon',
          coordinates: coordinates.map((ring) => ring.toReversed()),
        })
        const region = toRegion(area)
        for (const position of grid) expect(reversed.contains(...position)).toBe(region.contains(...position))
      }),
      { numRuns: RUNS / 5 },
    )
  })

  it('of a rectangle is the same as of a polygon and of a box, including edges and corners', () => {
    const box = { west: -122.4, south: 47.5, east: -122.3, north: 47.625 }
    const { west, south, east, north } = box
    const rectangle = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ] as const
    const one = toRegion({ type: 'Polygon', coordinates: [rectangle] })
    const other = toRegion({ type: 'bbox', ...box })
    for (const position of [...grid, ...rectangle])
      expect(one.contains(...position)).toBe(other.contains(...position))
    expect(grid.filter((position) => one.contains(...position)).length).toBeGreaterThan(50)
  })

  it('contains the positions on the edge of a hole, and none inside it', () => {
    const square = (from: number, to: number): Position[] => [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
      [from, from],
    ]
    const region = toRegion({ type: 'Polygon', coordinates: [square(0, 8), square(2, 6)] })
    expect(region.contains(2, 4)).toBe(true)
    expect(region.contains(6, 6)).toBe(true)
    expect(region.contains(2.0000000000000004, 4)).toBe(false)
    expect(region.contains(4, 4)).toBe(false)
  })

  it('of a multipolygon that is cut at 180 degrees crosses the antimeridian', () => {
    const square = (west: number, east: number): Position[] => [
      [west, 50],
      [east, 50],
      [east, 55],
      [west, 55],
      [west, 50],
    ]
    const area: Area = { type: 'MultiPolygon', coordinates: [[square(170, 180)], [square(-180, -170)]] }
    expect(isUsable(area)).toBe(true)
    const region = toRegion(area)
    const asked: Position[] = [
      ...[170, 179.9, 180, -180, -179.9, -170].map((longitude): Position => [longitude, 52]),
      ...[169.9, 0, -169.9].map((longitude): Position => [longitude, 52]),
    ]
    expect([...markedIn(region, asked)]).toEqual([1, 1, 1, 1, 1, 1, 0, 0, 0])
    for (const [at, position] of asked.entries()) expect(region.contains(...position)).toBe(at < 6)
  })

  it('of a circle crosses the antimeridian and the pole', () => {
    const pacific = toRegion({ type: 'circle', center: [179.9, 52], radius_m: 50_000 })
    expect(pacific.contains(-179.9, 52)).toBe(true)
    expect(pacific.contains(178, 52)).toBe(false)
    const pole = toRegion({ type: 'circle', center: [0, 89.9], radius_m: 50_000 })
    expect(pole.contains(180, 89.9)).toBe(true)
    for (const region of [pacific, pole]) {
      const codes = mortonRanges(region, 64)
      for (const [longitude, latitude] of [
        [-179.9, 52],
        [180, 89.9],
        [0, 90],
      ] as const) {
        const code = mortonCode(longitude, latitude)
        if (region.contains(longitude, latitude)) {
          expect(codes.some(({ low, high }) => low <= code && code <= high)).toBe(true)
        }
      }
    }
  })

  it('of many areas contains the positions of each, one by one and together', () => {
    let inside = 0
    fc.assert(
      fc.property(fc.array(areas(grid, 0.1), { minLength: 5, maxLength: 12 }), (drawn) => {
        const given = drawn.filter(isUsable)
        fc.pre(given.length >= 4)
        const region = uniteRegions(given.map(toRegion))
        // Homes of one tower have the same position.
        const asked = [
          ...grid,
          ...grid.slice(0, 40),
          ...given.flatMap(cornersOf),
          ...given.flatMap(middlesOf),
        ]
        const marked = markedIn(region, asked)
        for (const [at, [longitude, latitude]] of asked.entries()) {
          const expected = isInAny(given, longitude, latitude)
          inside += Number(expected)
          expect(marked[at]).toBe(Number(expected))
          expect(region.contains(longitude, latitude)).toBe(expected)
        }
      }),
      { numRuns: RUNS / 10 },
    )
    expect(inside).toBeGreaterThan(RUNS)
  })

  it.each([
    ['the world', 0, 0, 1],
    ['the box around the positions', -122.5, 47.5, 1 / 128],
  ])(
    'of many polygons has the positions that are in one of them, where edges and vertices go through the middle of %s',
    (_what, longitude, latitude, step) => {
      const at = (x: number, y: number): Position => [longitude + x * step, latitude + y * step]
      const STEPS = 4
      const middle = at(0, 0)
      const coordinate = fc.integer({ min: -STEPS, max: STEPS })
      const rectangles = fc
        .tuple(coordinate, coordinate, coordinate, coordinate)
        .filter(([west, south, east, north]) => west < east && south < north)
        .map(([west, south, east, north]) => [
          at(west, south),
          at(east, south),
          at(east, north),
          at(west, north),
        ])
      // With a peak in the middle.
      const triangles = fc
        .tuple(
          fc.integer({ min: -STEPS, max: -1 }),
          fc.integer({ min: 1, max: STEPS }),
          fc.boolean(),
          fc.boolean(),
        )
        .map(([low, high, isBelow, isTurned]) => {
          const base = isBelow ? -STEPS : STEPS
          return [middle, ...[low, high].map((x) => (isTurned ? at(base, x) : at(x, base)))]
        })
      const polygons = fc
        .tuple(fc.oneof(rectangles, triangles), fc.boolean())
        .map(([corners, isReversed]) => {
          const ring = [...corners, corners[0]!]
          return isReversed ? ring.toReversed() : ring
        })
      const asked: Position[] = []
      for (let x = -2 * STEPS; x <= 2 * STEPS; x++)
        for (let y = -2 * STEPS; y <= 2 * STEPS; y++) asked.push(at(x / 2, y / 2))
      const [west, south, east, north] = [...at(-STEPS, -STEPS), ...at(STEPS, STEPS)]
      expect([(west! + east!) / 2, (south! + north!) / 2]).toEqual(middle)
      let [inside, outside] = [0, 0]
      fc.assert(
        fc.property(fc.array(polygons, { minLength: 4, maxLength: 6 }), (rings) => {
          const each = rings.map((ring) => toRegion({ type: 'Polygon', coordinates: [ring] }))
          const region = uniteRegions(each)
          const ranges = mortonRanges(region, 64)
          const marked = markedIn(region, asked)
          for (const [index, position] of asked.entries()) {
            const expected = each.some((one) => one.contains(...position))
            if (expected) inside++
            else outside++
            expect(marked[index]).toBe(Number(expected))
            expect(region.contains(...position)).toBe(expected)
            const code = mortonCode(...position)
            const range = ranges.find(({ low, high }) => low <= code && code <= high)
            if (expected) expect(range).toBeDefined()
            else expect(range?.isInside ?? false).toBe(false)
          }
        }),
        { numRuns: RUNS / 10 },
      )
      expect(Math.min(inside, outside)).toBeGreaterThan(RUNS)
    },
  )

  it('of four polygons, one with an edge through the middle of the world, is the same in whichever direction they are drawn', () => {
    const rectangle = (west: number, south: number, east: number, north: number): Position[] => [
      [west, south],
      [west, north],
      [east, north],
      [east, south],
      [west, south],
    ]
    const clockwise = [
      rectangle(-180, -10, 0, 80),
      rectangle(50, -60, 51, -59),
      rectangle(60, -60, 61, -59),
      rectangle(70, -60, 71, -59),
    ]
    for (const rings of [clockwise, clockwise.map((ring) => ring.toReversed())]) {
      const ranges = mortonRanges(
        toRegion({ type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }),
        64,
      )
      const rangeAt = (...position: Position) => {
        const code = mortonCode(...position)
        return ranges.find(({ low, high }) => low <= code && code <= high)
      }
      for (let latitude = -9; latitude < 80; latitude += 5) {
        for (let longitude = -179; longitude < 0; longitude += 10)
          expect(rangeAt(longitude, latitude)).toBeDefined()
        for (let longitude = 1; longitude < 180; longitude += 10)
          expect(rangeAt(longitude, latitude)?.isInside ?? false).toBe(false)
      }
    }
  })

  it('of 1,250 triangles over all positions is compared with pauses, and contains the positions that single comparisons find', () => {
    const COUNT = 20_000
    const TRIANGLES = 1_250
    // Two prime steps spread the positions evenly.
    const asked = Array.from(
      { length: COUNT },
      (_, at): Position => [
        -122 + ((at * 7_919) % COUNT) / COUNT,
        47 + ((at * 104_729 + 17 * Math.floor(at / 141)) % COUNT) / COUNT,
      ],
    )
    // Each triangle crosses the whole box, so its bounds exclude no position.
    const triangles = Array.from({ length: TRIANGLES }, (_, at): Position[] => {
      const shift = at / TRIANGLES / 10
      const corner: Position = [-122, 47 + shift]
      return [corner, [-121, 47.9 + shift], [-121, 47.9 + shift + 1 / TRIANGLES / 100], corner]
    })
    const region = toRegion({ type: 'MultiPolygon', coordinates: triangles.map((ring) => [ring]) })
    let reads = 0
    const counted = (values: Float64Array) =>
      new Proxy(values, {
        get(target, key) {
          reads++
          return Reflect.get(target, key)
        },
      })
    const marked = new Uint8Array(COUNT)
    const work = region.mark(
      counted(Float64Array.from(asked, ([longitude]) => longitude)),
      Float64Array.from(asked, ([, latitude]) => latitude),
      marked,
    )
    let [most, before] = [0, 0]
    for (const _ of work) {
      most = Math.max(most, reads - before)
      before = reads
    }
    // The work between two pauses takes a few milliseconds at most.
    expect(most).toBeLessThanOrEqual(4 * COUNT)
    expect(marked.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(10)
    for (let at = 0; at < COUNT; at += 37) {
      expect(marked[at]).toBe(Number(region.contains(...asked[at]!)))
    }
  })

  it('combined with itself stays the same', () => {
    fc.assert(
      fc.property(areas(grid, 0.1), (area) => {
        fc.pre(isUsable(area))
        const [once, twice] = [toRegion(area), uniteRegions([toRegion(area), toRegion(area)])]
        for (const position of grid) expect(twice.contains(...position)).toBe(once.contains(...position))
      }),
      { numRuns: RUNS / 10 },
    )
  })
})

function markedIn(region: Region, asked: readonly Position[]): Uint8Array {
  const marked = new Uint8Array(asked.length)
  for (const _ of region.mark(
    Float64Array.from(asked, ([longitude]) => longitude),
    Float64Array.from(asked, ([, latitude]) => latitude),
    marked,
  ));
  return marked
}

function isUsable(area: Area): boolean {
  return 'areas' in readAreas(area, namePlacesIn('area'))
}

function ringsOf(area: Area): readonly (readonly Position[])[] {
  if (area.type === 'Polygon') return area.coordinates
  return area.type === 'MultiPolygon' ? area.coordinates.flat() : []
}

function cornersOf(area: Area): readonly Position[] {
  return ringsOf(area).flat()
}

/** As close to the middles of edges as doubles are: some on the edge, some beside it. */
function middlesOf(area: Area): readonly Position[] {
  return ringsOf(area).flatMap((ring) =>
    ring.slice(1).map((to, at): Position => [(ring[at]![0] + to[0]) / 2, (ring[at]![1] + to[1]) / 2]),
  )
}
