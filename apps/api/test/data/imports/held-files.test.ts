import { beforeEach, describe, expect, it } from 'vitest'
import { discardImport, readHeld } from '../../../src/data/imports/held-imports.ts'
import { ImportHeld } from '../../../src/data/imports/hold-import.ts'
import { saveLimits } from '../../../src/data/imports/source-limits.ts'
import { type ImportOptions, importListings } from '../../../src/data/ingest/import-listings.ts'
import { releaseImport } from '../../../src/data/ingest/release-import.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()
const database = () => test.database

const HOMES = 120
const TYPES = ['SINGLE_FAMILY', 'CONDO', 'TOWNHOUSE', 'LOT']
/** An ordinary home of a market, the same for the same number. */
const home = (at: number, more: object = {}) => ({
  zpid: String(at),
  homeStatus: 'FOR_SALE',
  homeType: TYPES[at % 4],
  price: 200_000 + at * 3_000,
  bedrooms: 1 + (at % 5),
  bathrooms: 1 + (at % 3),
  livingArea: 700 + at * 10,
  yearBuilt: 1950 + (at % 70),
  latitude: 47.6 + at / 10_000,
  longitude: -122.3,
  address: { streetAddress: `${at} Main St`, city: 'Seattle', state: 'WA', zipcode: '98101' },
  ...more,
})
const homes = (from: number, to: number, more: (at: number) => object = () => ({})) =>
  Array.from({ length: to - from }, (_, at) => home(from + at, more(from + at)))

function importRecords(records: readonly object[], options: ImportOptions = {}) {
  return importListings(database(), rowsOf(records), { source: 'mls', ...options })
}
const complete: ImportOptions = { complete: { sources: ['mls'] } }

async function state(): Promise<unknown> {
  const { rows } = await database().query(
    'select zpid, source, kind, price, record from listings order by zpid',
  )
  return rows
}

async function changes(): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    'select count(*)::integer as count from listing_changes',
  )
  return Number(rows[0]!.count)
}

/** The profile as it is kept, and as a count of all listings gives it. */
async function profiles(): Promise<readonly [unknown, unknown]> {
  const columns =
    'source, kind, home_type, price_step, homes, no_position, zero_position, no_address, no_photos, no_beds, no_baths, no_sqft'
  const sums = columns
    .split(', ')
    .slice(4)
    .map((name) => `sum(${name})::bigint as ${name}`)
    .join(', ')
  const kept = await database().query(
    `select ${columns} from source_profiles where homes <> 0 order by 1, 2, 3, 4`,
  )
  const counted = await database().query(
    `select source, kind, home_type, price_step, ${sums} from profiled_listings group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  )
  return [kept.rows, counted.rows]
}

beforeEach(async () => {
  await database().query(
    'truncate listings, listing_changes, removed_listings, imports, held_imports, held_listings, import_limits',
  )
  await importRecords(homes(0, HOMES))
})

const BAD_FILES: readonly {
  readonly name: string
  readonly records: readonly object[]
  readonly options?: ImportOptions
}[] = [
  {
    name: 'a complete file whose status words are unknown',
    records: homes(0, HOMES, () => ({ homeStatus: 'Active' })),
    options: complete,
  },
  {
    name: 'rows of only a zpid and a price',
    records: homes(0, HOMES).map(({ zpid, price }) => ({ zpid, price })),
  },
  { name: 'positions of 0, 0', records: homes(0, HOMES, () => ({ latitude: 0, longitude: 0 })) },
  { name: 'prices times 100', records: homes(0, HOMES, (at) => ({ price: (200_000 + at * 3_000) * 100 })) },
  {
    name: 'shuffled columns',
    records: homes(0, HOMES, (at) => ({
      price: 1950 + (at % 70),
      bedrooms: 1 + (at % 3),
      bathrooms: 1 + (at % 5),
      yearBuilt: 700 + at * 10,
    })),
  },
  { name: 'a truncated complete file', records: homes(0, 70), options: complete },
  { name: 'half a county', records: homes(0, HOMES).filter((_, at) => at % 2 === 0), options: complete },
  {
    name: 'the ids of another office',
    records: homes(0, HOMES, () => ({ price: 300_000 })),
    options: { source: 'other' },
  },
]

describe('a held import', () => {
  it.each(BAD_FILES)(
    'changes nothing, and is discarded without a trace: $name',
    async ({ records, options }) => {
      const before = [await state(), await changes(), await profiles()]
      await expect(importRecords(records, options)).rejects.toThrow(ImportHeld)
      expect([await state(), await changes(), await profiles()]).toEqual(before)
      const [held, ...others] = await readHeld(database())
      expect(others).toEqual([])
      expect(held!.findings).not.toEqual([])
      expect(await database().transaction((tx) => discardImport(tx, held!.id, 'tester'))).toBe(true)
      expect(await readHeld(database())).toEqual([])
      expect([await state(), await changes(), await profiles()]).toEqual(before)
      expect(await releaseImport(database(), held!.id, 'tester')).toEqual({ outcome: 'not held' })
    },
  )

  it.each(BAD_FILES)('is released as it would have been applied: $name', async ({ records, options }) => {
    await expect(importRecords(records, options)).rejects.toThrow(ImportHeld)
    const [held] = await readHeld(database())
    expect(await releaseImport(database(), held!.id, 'tester')).toMatchObject({ outcome: 'applied' })
    const released = await state()
    const [kept, counted] = await profiles()
    expect(kept).toEqual(counted)
    await database().query('truncate listings, listing_changes, removed_listings')
    await importRecords(homes(0, HOMES))
    // Limits that hold nothing.
    const limits = {
      lost: 9,
      lostInAWeek: 9,
      takenOver: 9,
      changed: 9,
      emptied: 9,
      missing: 9,
      zeroPosition: 9,
      homeType: 9,
      medianPrice: 1e9,
    }
    for (const source of ['mls', 'other']) await saveLimits(database(), source, limits)
    await importRecords(records, options)
    expect(await state()).toEqual(released)
  })

  it('stops losses that stay below the limit of a single import: 19% in each file', async () => {
    await importRecords(homes(0, 98), complete)
    const before = await state()
    await expect(importRecords(homes(0, 80), complete)).rejects.toThrow(/the imports of 7 days would take/)
    await expect(importRecords(homes(0, 79), complete)).rejects.toThrow(ImportHeld)
    expect(await state()).toEqual(before)
    // A newer file replaces the older one.
    expect(await readHeld(database())).toHaveLength(1)
  })

  it('is permitted by --allow-removals', async () => {
    const report = await importRecords(homes(0, 70), { complete: { sources: ['mls'], allowRemovals: 50 } })
    expect(report.withdrawn).toBe(50)
  })
})

describe('an ordinary import', () => {
  it('is not held, and its profile is that of a full count', async () => {
    for (let day = 1; day <= 5; day++) {
      const records = homes(day * 3, HOMES + day * 3, (at) => ({
        price: Math.round((200_000 + at * 3_000) * (1 + day / 50)),
      }))
      await importRecords(records, complete)
      const [kept, counted] = await profiles()
      expect(kept).toEqual(counted)
    }
  })
})
