// Boundaries of places: built in and imported, stored and read again, by the even-odd rule in rational arithmetic.

import { type Position, readAreas, readBoundary, runToEnd } from '@lotline/contract/checks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareSearches, readBoundaryData, writeBoundary } from '../../../src/data/places/boundary.ts'
import { builtInPlaces } from '../../../src/data/places/built-in.ts'
import { countyFinder } from '../../../src/data/places/county-of.ts'
import { nameKey, readName } from '../../../src/data/places/place.ts'
import type { PlaceArea } from '../../../src/domain/search/area-search.ts'
import { mortonCode, mortonRanges } from '../../../src/domain/search/morton.ts'
import { boundaryRegion, getPlaceRegion } from '../../../src/domain/search/region.ts'
import type { Queryable } from '../../../src/infrastructure/database/database.ts'
import { isInEvenOdd } from '../../domain/search/exact-areas.ts'

const FULL = Boolean(process.env.LOTLINE_FULL)
const builtIn = builtInPlaces()
const states = [...'0123456789'].flatMap((ten) => [...'0123456789'].map((one) => `${ten}${one}`))
const entries = [...states.flatMap((id) => builtIn.byId('state', id) ?? []), ...builtIn.counties]
const isInvalid = (polygons: readonly unknown[]) =>
  'fault' in readBoundary({ type: 'MultiPolygon', coordinates: polygons })

describe('the built-in places', () => {
  it('are all states and counties with their two-letter state, and each has polygons', () => {
    expect(entries.length).toBe(builtIn.counties.length + 56)
    expect(builtIn.counties.length).toBeGreaterThan(3_200)
    for (const { id, name, state } of entries)
      expect([id, name, state]).toEqual([id, expect.stringMatching(/./), expect.stringMatching(/^[A-Z]{2}$/)])
    for (const entry of entries) expect(builtIn.polygonsOf(entry).length).toBeGreaterThan(0)
  })

  it('contain exactly the positions that rational arithmetic finds, even with invalid rings', () => {
    const invalid = entries.filter((entry) => isInvalid(builtIn.polygonsOf(entry)))
    expect(invalid.length).toBeGreaterThan(10)
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...invalid), fc.constantFrom(...entries)),
        fc.array(
          fc.tuple(
            fc.nat(),
            fc.double({ min: -0.1, max: 1.1, noNaN: true }),
            fc.double({ min: -0.1, max: 1.1, noNaN: true }),
          ),
          {
            minLength: 20,
            maxLength: 20,
          },
        ),
        (entry, picks) => {
          const polygons = builtIn.polygonsOf(entry)
          const region = boundaryRegion(polygons)
          const vertices = polygons.flat(2)
          const [west, east] = [Math.min(...vertices.map(([x]) => x)), Math.max(...vertices.map(([x]) => x))]
          const [south, north] = [
            Math.min(...vertices.map(([, y]) => y)),
            Math.max(...vertices.map(([, y]) => y)),
          ]
          const positions = picks.flatMap(([at, x, y]): Position[] => {
            const vertex = vertices[at % vertices.length]!
            return [
              vertex,
              [vertex[0], vertex[1] + x * 1e-3],
              [west + x * (east - west), south + y * (north - south)],
            ]
          })
          const expected = positions.map(([x, y]) => isInEvenOdd(polygons, x, y))
          expect(positions.map(([x, y]) => region.contains(x, y))).toEqual(expected)
          const marked = new Uint8Array(positions.length)
          const columns = [0, 1].map((axis) => Float64Array.from(positions, (position) => position[axis]!))
          for (const _ of region.mark(columns[0]!, columns[1]!, marked)) {
            // This loop only pauses.
          }
          expect([...marked].map(Boolean)).toEqual(expected)
          // The ranges of the index: positions in certain ranges are inside, and positions in no range are outside.
          const ranges = mortonRanges(region, 64)
          for (const [at, [x, y]] of positions.entries()) {
            if (x < -180 || x > 180) continue
            const code = mortonCode(x, y)
            const range = ranges.find(({ low, high }) => low <= code && code <= high)
            if (expected[at]) expect(range).toBeDefined()
            else expect(range?.isInside ?? false).toBe(false)
          }
        },
      ),
      { numRuns: FULL ? 2_000 : 60 },
    )
  })

  it('are found by name with and without their kind, and with both spellings of the state', () => {
    const find = (text: string) =>
      readName(text).flatMap(({ key, state }) =>
        builtIn.byName('county', key).filter((entry) => state === undefined || entry.state === state),
      )
    for (const text of ['King County, WA', 'king, washington', 'KING, wa'])
      expect(
        find(text).map(({ id }) => id),
        text,
      ).toEqual(['53033'])
    expect(find('Doña Ana County').map(({ id }) => id)).toEqual(['35013'])
    expect(find('Dona Ana').map(({ id }) => id)).toEqual(['35013'])
    expect(find('Washington').length).toBeGreaterThan(10)
    expect(builtIn.byName('state', nameKey('Washington')).map(({ id }) => id)).toEqual(['53'])
    expect(builtIn.byName('state', 'wa').map(({ id }) => id)).toEqual(['53'])
  })
})

describe('boundaries', () => {
  it('are read bit by bit as they were written, and equal ones have one key', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(
            fc.array(fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true })), {
              minLength: 1,
              maxLength: 9,
            }),
            { minLength: 1, maxLength: 4 },
          ),
          { minLength: 1, maxLength: 4 },
        ),
        (polygons) => {
          const { data, key, positions } = writeBoundary(polygons)
          expect(runToEnd(readBoundaryData(data))).toEqual(polygons)
          expect(positions).toBe(polygons.flat(2).length)
          expect(writeBoundary(structuredClone(polygons)).key).toBe(key)
        },
      ),
    )
  })

  it('can have more positions than an area of a search, and must follow its other rules', () => {
    const circle = (count: number): Position[] => {
      const ring = Array.from({ length: count - 1 }, (_, at): Position => {
        const angle = (at / (count - 1)) * 2 * Math.PI
        return [-122 + Math.cos(angle), 47 + Math.sin(angle)]
      })
      return [...ring, ring[0]!]
    }
    const large = { type: 'Polygon', coordinates: [circle(20_000)] }
    expect(readAreas(large, (path) => path)).toHaveProperty('fault')
    expect(readBoundary(large)).toEqual({ polygons: [large.coordinates] })
    expect(readBoundary({ type: 'Polygon', coordinates: [circle(200_001)] })).toEqual({
      fault: 'The boundary has 200,001 positions, and can have 200,000.',
    })
    const bowTie = [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ]
    expect(readBoundary({ type: 'Polygon', coordinates: [bowTie] })).toMatchObject({
      fault: expect.stringMatching(
        /^coordinates\.0\.\d \([\d., ]+\) is where the ring crosses or touches itself\. /,
      ),
    })
    expect(readBoundary({ type: 'Point', coordinates: [0, 0] })).toMatchObject({ fault: expect.any(String) })
    expect(readBoundary(null)).toMatchObject({ fault: expect.any(String) })
  })

  it('with many positions are read and built in slices, once for all waiting searches, while other work continues', async () => {
    const count = 200_000
    const ring = Array.from({ length: count }, (_, at): Position => {
      const angle = (at / (count - 1)) * 2 * Math.PI
      const far = 1 + 0.2 * Math.sin(50 * angle)
      return [-100 + far * Math.cos(angle), 40 + far * Math.sin(angle)]
    })
    const { key, data } = writeBoundary([[[...ring.slice(0, -1), ring[0]!]]])
    let [slices, done] = [0, false]
    const work = readBoundaryData(data)
    while (!done) [slices, done] = [slices + 1, work.next().done === true]
    expect(slices).toBeGreaterThan(count / 5_000)

    let [ticks, isOver] = [0, false]
    const tick = () => {
      ticks++
      if (!isOver) setImmediate(tick)
    }
    setImmediate(tick)
    const database = { query: async () => ({ rows: [{ key, data }] }) } as unknown as Queryable
    const searches = [1, 2, 3].map(() => {
      const area: PlaceArea = { type: 'place', kind: 'zip', id: '98109', boundary: key }
      return { areas: [area] }
    })
    const ready = searches.map(async (search) => {
      await prepareSearches(database, [search])
      return getPlaceRegion(search.areas[0]!)
    })
    const regions = await Promise.all(ready)
    isOver = true
    // Built in one go, it would take one turn of the event loop.
    expect(ticks).toBeGreaterThan(5)
    expect(new Set(regions).size).toBe(1)
    expect(regions[0]!.contains(-100, 40)).toBe(true)
    expect(regions[0]!.contains(-98, 40)).toBe(false)
  })

  it('get the county and the state that contain them', () => {
    const countyOf = countyFinder()
    const square = ([x, y]: Position): Position[] => [
      [x, y],
      [x + 0.01, y],
      [x + 0.01, y + 0.01],
      [x, y + 0.01],
      [x, y],
    ]
    expect(countyOf([[square([-122.33, 47.6])]])).toMatchObject({ id: '53033', county: 'King', state: 'WA' })
    expect(countyOf([[square([-73.97, 40.77])]])).toMatchObject({ county: 'New York', state: 'NY' })
    expect(countyOf([[square([0, 0])]])).toBeUndefined()
  })
})
