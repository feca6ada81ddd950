import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BoundingBox } from '../../../src/domain/search/area-search.ts'
import {
  boxRegion,
  MAX_BOX_RANGES,
  type MortonRange,
  mortonCode,
  mortonRanges,
  splitAtAntimeridian,
} from '../../../src/domain/search/morton.ts'

const longitude = fc.double({ min: -180, max: 180, noNaN: true })
const latitude = fc.double({ min: -90, max: 90, noNaN: true })
/** Half of the boxes are some meters to some kilometers wide, with edges on round degrees or anywhere, including the poles and ±180. */
const edges = (least: number, most: number) => {
  const anywhere = fc.oneof(
    fc.double({ min: least, max: most, noNaN: true }),
    fc.constantFrom(least, most, 0),
  )
  const near = fc
    .tuple(anywhere, fc.double({ min: -5, max: 0, noNaN: true }))
    .map(([from, power]) => [from, Math.min(most, from + 10 ** power)] as const)
  return fc.oneof(fc.tuple(anywhere, anywhere), near)
}
const boxes = fc.tuple(edges(-180, 180), edges(-90, 90)).map(
  ([[west, east], [one, other]]): BoundingBox => ({
    west,
    east,
    south: Math.min(one, other),
    north: Math.max(one, other),
  }),
)
const box = boxes.map(({ west, east, ...rest }) => ({
  ...rest,
  west: Math.min(west, east),
  east: Math.max(west, east),
}))

describe('the Morton code of a position', () => {
  it('has the bits of the column and of the row alternately', () => {
    fc.assert(
      fc.property(longitude, latitude, (lon, lat) => {
        const bits = mortonCode(lon, lat).toString(2).padStart(52, '0')
        const read = (first: number) => [...bits].filter((_, at) => at % 2 === first).join('')
        const column = Math.min(2 ** 26 - 1, Math.floor(((lon + 180) / 360) * 2 ** 26))
        const row = Math.min(2 ** 26 - 1, Math.floor(((lat + 90) / 180) * 2 ** 26))
        expect([Number.parseInt(read(1), 2), Number.parseInt(read(0), 2)]).toEqual([column, row])
      }),
    )
  })

  it('is an exact number, also at the corners of the world', () => {
    expect(mortonCode(-180, -90)).toBe(0)
    expect(mortonCode(180, 90)).toBe(2 ** 52 - 1)
    expect(mortonCode(180, -90)).toBe(Number(0x5_5555_5555_5555n))
    expect(mortonCode(-180, 90)).toBe(Number(0xa_aaaa_aaaa_aaaan))
  })
})

describe('the ranges of a box', () => {
  it('contain each position of the box, and ranges marked as inside contain no other', () => {
    fc.assert(
      fc.property(box, fc.array(fc.tuple(longitude, latitude), { maxLength: 20 }), (bounds, anywhere) => {
        const ranges = mortonRanges(boxRegion(bounds))
        for (const [lon, lat] of [...anywhere, ...positionsAround(bounds)]) {
          const range = rangeOf(ranges, mortonCode(lon, lat))
          if (isIn(bounds, lon, lat)) expect(range).toBeDefined()
          else expect(range?.isInside ?? false).toBe(false)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('are few, ascending, and apart', () => {
    fc.assert(
      fc.property(box, (bounds) => {
        const ranges = mortonRanges(boxRegion(bounds))
        expect(ranges.length).toBeLessThanOrEqual(MAX_BOX_RANGES)
        for (const [at, { low, high }] of ranges.entries()) {
          expect(low).toBeLessThanOrEqual(high)
          if (at > 0) expect(low).toBeGreaterThan(ranges[at - 1]!.high)
        }
      }),
    )
  })

  it('are precise: over a city they have less than twice its cells', () => {
    const city = { west: -122.44, south: 47.49, east: -122.24, north: 47.74 }
    const held = mortonRanges(boxRegion(city)).reduce((sum, { low, high }) => sum + high - low + 1, 0)
    const cells = (0.2 / 360) * 2 ** 26 * (0.25 / 180) * 2 ** 26
    expect(held).toBeGreaterThan(cells * 0.999)
    expect(held).toBeLessThan(cells * 2)
  })

  it('of the world are one range', () => {
    const world = { west: -180, south: -90, east: 180, north: 90 }
    expect(mortonRanges(boxRegion(world))).toEqual([{ low: 0, high: 2 ** 52 - 1, isInside: true }])
  })

  it('of a box across the antimeridian are those of its two halves', () => {
    const pacific = { west: 170, south: 50, east: -170, north: 55 }
    const ranges = splitAtAntimeridian(pacific).flatMap((half) => mortonRanges(boxRegion(half)))
    for (const lon of [170, 175, 180, -180, -175, -170]) {
      expect(rangeOf(ranges, mortonCode(lon, 52))).toBeDefined()
    }
    for (const lon of [0, 160, -160]) expect(rangeOf(ranges, mortonCode(lon, 52))).toBeUndefined()
  })
})

/** Corners, middles of edges, and the numbers next to them on both sides. */
function positionsAround({ west, south, east, north }: BoundingBox): [number, number][] {
  const longitudes = [west, (west + east) / 2, east].flatMap((at) => [at, next(at, -1), next(at, 1)])
  const latitudes = [south, (south + north) / 2, north].flatMap((at) => [at, next(at, -1), next(at, 1)])
  return longitudes.flatMap((lon) =>
    latitudes.map((lat): [number, number] => [
      Math.min(180, Math.max(-180, lon)),
      Math.min(90, Math.max(-90, lat)),
    ]),
  )
}

/** The next double above or below. */
function next(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(value > 0 === direction > 0 ? 1 : -1))
  return view.getFloat64(0)
}

function rangeOf(ranges: readonly MortonRange[], code: number): MortonRange | undefined {
  return ranges.find(({ low, high }) => low <= code && code <= high)
}

function isIn({ west, south, east, north }: BoundingBox, lon: number, lat: number): boolean {
  return lon >= west && lon <= east && lat >= south && lat <= north
}
