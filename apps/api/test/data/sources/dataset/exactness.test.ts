// Searches return exactly the homes that comparing every record finds: the same homes in the same order, and the same total. They are
// compared over the generated sample always, and over 87,000 real sales by `pnpm test:full` if these are available.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Property } from '@lotline/contract'
import { namePlacesIn, type Position, readAreas } from '@lotline/contract/checks'
import { sampleListings } from '@lotline/sample-data'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../../src/data/ingest/import-listings.ts'
import { openFile } from '../../../../src/data/ingest/open-file.ts'
import { readNdjson } from '../../../../src/data/ingest/read-ndjson.ts'
import type { SourceRow, SourceRows } from '../../../../src/data/ingest/source-row.ts'
import { createDatasetProvider } from '../../../../src/data/sources/dataset/dataset-provider.ts'
import {
  type AreaSearch,
  DAYS_ON_SITE,
  HOME_TYPES,
  SALE_TYPES,
  type SearchStatus,
  WORLD,
} from '../../../../src/domain/search/area-search.ts'
import { areas } from '../../../domain/search/exact-areas.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { bruteForce, type Candidate, toCandidate } from './brute-force.ts'
import { rowsOf } from './rows.ts'

const FOLDER = join(import.meta.dirname, '../../../../../../../shared/data/unified-records')
const FILES = ['kc-house-sales', 'lucas-county-oh-sales', 'nyc-rolling-sales']
const CASES = 500
const FULL = Boolean(process.env.LOTLINE_FULL)
/** The number of searches with areas that are compared in rational arithmetic. */
const AREA_CASES = FULL ? 2_000 : 100
const SEED = 20_261_121
/** The time limit for the import of all sales, beside other work. */
const IMPORT_MS = 600_000
/** The time limit for all cases: on a quiet machine, 2,000 take some minutes. */
const AREAS_MS = FULL ? 3_600_000 : 60_000

const test = withTestDatabase()
const asking = { signal: new AbortController().signal }

/** Homes on both sides of the antimeridian, and on it. */
const PACIFIC: readonly Property[] = [-180, -179.9, -179.5, -175, 175, 179.5, 179.9, 180].flatMap(
  (longitude, at) =>
    ['FOR_SALE', 'FOR_RENT', 'RECENTLY_SOLD'].map((homeStatus, status) => ({
      zpid: `77${at}${status}`,
      homeStatus,
      homeType: 'SINGLE_FAMILY',
      longitude,
      latitude: 52 + at / 4,
      price: 100_000 * at,
      bedrooms: at,
      yearBuilt: 1950 + at,
      datePosted: '2026-01-01',
      dateSold: '2014-05-02',
    })),
)

/** Imports the records, and keeps the values of each that the brute-force search needs. */
async function load(rows: SourceRows, into: Candidate[]): Promise<void> {
  async function* noted(): AsyncGenerator<SourceRow | readonly SourceRow[]> {
    for await (const some of rows) {
      for (const row of 'line' in some ? [some] : some) {
        if ('record' in row) into.push(toCandidate(row.record as Property))
      }
      yield some
    }
  }
  expect(await importListings(test.database, noted())).toMatchObject({ rejected: 0, duplicates: 0 })
}

/** All stored homes. */
const candidates: Candidate[] = []

beforeAll(async () => {
  await load(rowsOf([...PACIFIC, ...sampleListings({ asOf: Date.now() })]), candidates)
}, IMPORT_MS)

describe('over the generated sample', () => {
  it('searches are exact', async () => {
    await expectExact(candidates)
  })

  it(
    'searches of areas are exact',
    async () => {
      await expectExactAreas(candidates)
    },
    AREAS_MS,
  )

  it('searches by ZIP code and by city alone are exact', async () => {
    const zips = [...new Set(candidates.map(({ zip }) => zip))].filter((zip) => zip !== undefined)
    const cities = [...new Set(candidates.map(({ city }) => city))].filter((city) => city !== undefined)
    expect(Math.min(zips.length, cities.length)).toBeGreaterThan(3)
    for (const status of ['for_sale', 'for_rent', 'sold'] as const) {
      for (const zip of zips) await expectSame({ status, bbox: WORLD, zips: [zip] }, 100)
      for (const city of cities) await expectSame({ status, bbox: WORLD, cities: [city] }, 100)
      await expectSame({ status, bbox: WORLD, zips: zips.slice(0, 3), cities }, 100)
    }
  })
})

if (FULL && !existsSync(FOLDER))
  console.warn('SKIPPED: exactness over real sales: ../shared/data/unified-records is absent')

// Minutes of work, so only `pnpm test:full` runs it.
describe.skipIf(!FULL || !existsSync(FOLDER))('over 87,000 real sales', () => {
  const real: Candidate[] = []
  beforeAll(async () => {
    for (const name of FILES) {
      await load(readNdjson((await openFile(join(FOLDER, `${name}.ndjson.gz`))).bytes), real)
    }
    candidates.push(...real)
  }, IMPORT_MS)

  it('searches are exact', async () => {
    await expectExact(real)
  })

  it(
    'searches of areas are exact',
    async () => {
      await expectExactAreas(real)
    },
    AREAS_MS,
  )

  it('searches of single positions in Manhattan are exact, with hundreds of homes at one position', async () => {
    const crowds = Map.groupBy(real, ({ latitude, longitude }) => `${latitude},${longitude}`)
    const largest = [...crowds.values()].sort((one, other) => other.length - one.length).slice(0, 20)
    expect(largest[0]!.length).toBeGreaterThan(100)
    for (const [home] of largest) {
      const point = {
        west: home!.longitude!,
        east: home!.longitude!,
        south: home!.latitude!,
        north: home!.latitude!,
      }
      await expectSame({ status: 'sold', bbox: point }, 1_000)
    }
  })
})

/** Random areas around homes, with vertices on homes, alone and with a box, ZIP codes, cities, and a filter. */
async function expectExactAreas(centres: readonly Candidate[]): Promise<void> {
  const placed = centres.filter(({ latitude, status }) => latitude !== undefined && status !== 'none')
  const positions = placed.map(({ longitude, latitude }): Position => [longitude!, latitude!])
  const home = fc.nat(placed.length - 1).map((at) => placed[at]!)
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, { arbitrary, weight: 1 })
  const given = fc.record({
    areas: fc.array(areas(positions, 0.3), { minLength: 1, maxLength: 3 }),
    box: sometimes(home.chain((centre) => boxesAround(centre, home))),
    zip: sometimes(home.map(({ zip }) => zip)),
    city: sometimes(home.map(({ city }) => city)),
    least: sometimes(home.map(({ values }) => values.price ?? 0)),
    limit: fc.constantFrom(1, 50, 2_000),
    centre: home,
  })
  let [found, near] = [0, 0]
  await fc.assert(
    fc.asyncProperty(given, async ({ box, zip, city, least, limit, centre, ...drawn }) => {
      fc.pre('areas' in readAreas(drawn.areas, namePlacesIn('area')))
      const search: AreaSearch = {
        status: centre.status as SearchStatus,
        bbox: box ?? WORLD,
        ...drawn,
        ...(zip !== undefined && { zips: [zip] }),
        ...(city !== undefined && { cities: [city] }),
        ...(least !== undefined && { price: { min: least } }),
      }
      const total = await expectSame(search, limit)
      found += Number(total > 0)
      near += Number(total > 50)
    }),
    { numRuns: AREA_CASES, seed: SEED },
  )
  expect(found).toBeGreaterThan(AREA_CASES / 4)
  expect(near).toBeGreaterThan(AREA_CASES / 50)
}

/** Boxes around homes of `centres`, and filters with bounds that homes have, compared over all stored homes. */
async function expectExact(centres: readonly Candidate[]): Promise<void> {
  let [found, cut, empty] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(searches(centres), fc.constantFrom(1, 50, 300, 2_000), async (search, limit) => {
      const total = await expectSame(search, limit)
      found += Number(total > 0)
      cut += Number(total > limit)
      empty += Number(total === 0)
    }),
    { numRuns: CASES, seed: SEED },
  )
  // The comparison is worth something only if it covered results of all kinds.
  for (const count of [found, cut, empty]) expect(count).toBeGreaterThan(CASES / 20)
}

async function expectSame(search: AreaSearch, limit: number): Promise<number> {
  const { records, total } = await createDatasetProvider(test.database).search(search, { limit }, asking)
  expect({ zpids: records.map(({ zpid }) => zpid), total }).toEqual(bruteForce(candidates, search, limit))
  return total!
}

function searches(centres: readonly Candidate[]): fc.Arbitrary<AreaSearch> {
  const placed = centres.filter(({ latitude, status }) => latitude !== undefined && status !== 'none')
  const home = fc.nat(placed.length - 1).map((at) => placed[at]!)
  const range = (name: keyof Candidate['values']) =>
    fc.tuple(home, home, fc.constantFrom('min', 'max', 'both')).map(([one, other, ends]) => {
      const [low = 0, high = 0] = [one.values[name] ?? 0, other.values[name] ?? 0].sort((a, b) => a - b)
      return ends === 'min' ? { min: low } : ends === 'max' ? { max: high } : { min: low, max: high }
    })
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>, freq = 4) =>
    fc.option(arbitrary, { freq, nil: undefined })
  // Nine of ten filters are left out, because hardly any home would match all of them.
  const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, { arbitrary, weight: 1 })
  return home.chain((centre) =>
    fc
      .record({
        status: fc.oneof(
          { arbitrary: fc.constant(centre.status as SearchStatus), weight: 5 },
          { arbitrary: fc.constantFrom<SearchStatus>('for_sale', 'for_rent', 'sold'), weight: 1 },
        ),
        bbox: boxesAround(centre, home),
        price: seldom(range('price')),
        beds: seldom(range('beds')),
        baths: seldom(range('baths')),
        sqft: seldom(range('sqft')),
        yearBuilt: seldom(range('yearBuilt')),
        homeTypes: seldom(fc.subarray([...HOME_TYPES], { minLength: 1 })),
        daysOnSite: seldom(fc.constantFrom(...DAYS_ON_SITE)),
        hasPool: seldom(fc.boolean()),
        hasGarage: seldom(fc.boolean()),
        isWaterfront: seldom(fc.boolean()),
        lotSize: seldom(range('lotSize')),
        hoa: seldom(range('hoa')),
        saleTypes: seldom(fc.subarray([...SALE_TYPES], { minLength: 1 })),
        pending: seldom(fc.boolean()),
        comingSoon: seldom(fc.boolean()),
        openHouse: seldom(fc.boolean()),
        seniorCommunity: seldom(fc.boolean()),
        keep: sometimes(fc.constant(true)),
      })
      .map(({ keep: _, ...search }) => {
        const present = Object.entries(search).filter(([, value]) => value !== undefined)
        return Object.fromEntries(present) as unknown as AreaSearch
      }),
  )
}

function boxesAround(centre: Candidate, home: fc.Arbitrary<Candidate>): fc.Arbitrary<AreaSearch['bbox']> {
  const [latitude, longitude] = [centre.latitude!, centre.longitude!]
  const around = (by: number, over: number) => ({
    west: wrapped(longitude - by),
    east: wrapped(longitude + over),
    south: Math.max(-90, latitude - by),
    north: Math.min(90, latitude + over),
  })
  const reach = fc.double({ min: -4, max: -0.5, noNaN: true }).map((power) => 10 ** power)
  return fc.oneof(
    { weight: 14, arbitrary: fc.tuple(reach, reach).map(([by, over]) => around(by, over)) },
    // An empty area, and edges that run through homes.
    { weight: 1, arbitrary: fc.constant(around(0, 0)) },
    { weight: 1, arbitrary: reach.map((by) => around(0, by)) },
    {
      weight: 1,
      arbitrary: home.map((other) => ({
        west: Math.min(longitude, other.longitude!),
        east: Math.max(longitude, other.longitude!),
        south: Math.min(latitude, other.latitude!),
        north: Math.max(latitude, other.latitude!),
      })),
    },
    // Across the antimeridian, over much or little of the world.
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.double({ min: 0, max: 180, noNaN: true }),
          fc.double({ min: -180, max: longitude, noNaN: true }),
        )
        .map(([west, east]) => ({ west, east, south: -90, north: 90 })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(174, 179.5, 179.7, 180), fc.constantFrom(-180, -179.9, -179.8, -170))
        .map(([west, east]) => ({ west, east, south: 51, north: 54 })),
    },
  )
}

function wrapped(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
}
