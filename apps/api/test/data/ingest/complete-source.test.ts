import { afterEach, describe, expect, it } from 'vitest'
import { type ImportOptions, importListings } from '../../../src/data/ingest/import-listings.ts'
import type { SourceRow } from '../../../src/data/ingest/source-row.ts'
import { readChanges, reportedStatus } from '../../../src/data/sources/dataset/change-log.ts'
import { createDatasetProvider } from '../../../src/data/sources/dataset/dataset-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()
const database = () => test.database

afterEach(async () => {
  await database().query('truncate listings, listing_changes, removed_listings')
})

const home = (at: number, more: object = {}) => ({
  zpid: String(at),
  homeStatus: 'FOR_SALE',
  price: 100_000 + at,
  latitude: 47.6,
  longitude: -122.3,
  ...more,
})
const homes = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => home(from + at))

function importRecords(records: readonly object[], options: ImportOptions = {}) {
  return importListings(database(), rowsOf(records as never[]), { source: 'mls', ...options })
}
const complete = (records: readonly object[], options: ImportOptions = {}) =>
  importRecords(records, { complete: { sources: ['mls'] }, ...options })

async function onMarket(): Promise<string[]> {
  const { rows } = await database().query<{ zpid: string }>(
    `select zpid from listings where kind <> 'off_market' order by zpid::int`,
  )
  return rows.map(({ zpid }) => zpid)
}

async function seqOf(): Promise<number> {
  const { rows } = await database().query<{ seq: number }>(
    'select coalesce(max(seq), 0) as seq from listing_changes',
  )
  return rows[0]!.seq
}

/** The stored listings and change log. */
async function state(): Promise<unknown> {
  const { rows } = await database().query(
    'select zpid, generation, source, kind, record from listings order by 1',
  )
  return [rows, await seqOf()]
}

describe('a complete import', () => {
  it('takes homes that it lacks off the market: a lookup by zpid finds them, a search does not, and the change log has them', async () => {
    await importRecords(homes(0, 100))
    const before = await seqOf()
    const report = await complete([...homes(0, 95), home(200)])
    expect(report).toMatchObject({
      read: 96,
      inserted: 1,
      updated: 0,
      unchanged: 95,
      withdrawn: 5,
      duplicates: 0,
    })
    expect(await onMarket()).toEqual([...Array.from({ length: 95 }, (_, at) => String(at)), '200'])

    const provider = createDatasetProvider(database())
    const asking = { signal: new AbortController().signal } as never
    const found = await provider.findByZpid('97', asking)
    expect(found).toMatchObject({ generation: 2, source: 'mls' })
    expect(found!.record).toMatchObject({ zpid: '97', homeStatus: 'OFF_MARKET', price: 100_097 })
    const search = { status: 'for_sale', bbox: { west: -123, south: 47, east: -122, north: 48 } } as const
    expect((await provider.search(search, { limit: 500 }, asking)).total).toBe(96)

    const changes = await readChanges(database(), { after: before, limit: 100 })
    const statuses = changes.map(({ zpid, before, after }) => [
      zpid,
      before && reportedStatus(before),
      after && reportedStatus(after),
    ])
    expect(statuses.sort()).toEqual([
      ['200', null, 'for_sale'],
      ...['95', '96', '97', '98', '99'].map((zpid) => [zpid, 'for_sale', 'off_market']),
    ])
  })

  it('puts a home that is in the file again back on the market', async () => {
    await importRecords(homes(0, 20))
    await complete(homes(0, 18))
    expect(await complete(homes(0, 20))).toMatchObject({ updated: 2, unchanged: 18, withdrawn: 0 })
    expect(await onMarket()).toHaveLength(20)
  })

  it('withdraws a home only once', async () => {
    await importRecords(homes(0, 20))
    expect(await complete(homes(0, 18))).toMatchObject({ withdrawn: 2 })
    const stored = await state()
    expect(await complete(homes(0, 18))).toMatchObject({ unchanged: 18, withdrawn: 0 })
    expect(await state()).toEqual(stored)
  })

  it('changes no home of another source, even if the other source took the home over', async () => {
    await importRecords(homes(0, 20))
    await importRecords([...homes(100, 110), home(5)], { source: 'other' })
    expect(await complete(homes(0, 3).concat(homes(6, 20)))).toMatchObject({ withdrawn: 2 })
    const { rows } = await database().query<{ zpid: string }>(
      `select zpid from listings where kind = 'off_market' order by zpid::int`,
    )
    expect(rows.map(({ zpid }) => zpid)).toEqual(['3', '4'])
  })

  it('counts the home of a rejected row as present', async () => {
    await importRecords(homes(0, 20))
    const broken = home(19, { latitude: 91 })
    expect(await complete([...homes(0, 19), broken])).toMatchObject({ rejected: 1, withdrawn: 0 })
    expect(await onMarket()).toHaveLength(20)
  })

  it('reports the effect of a dry run, and writes nothing', async () => {
    await importRecords(homes(0, 100))
    const stored = await state()
    const report = { read: 96, inserted: 1, updated: 0, unchanged: 95, withdrawn: 5 }
    expect(await complete([...homes(0, 95), home(200)], { dryRun: true })).toMatchObject(report)
    expect(await state()).toEqual(stored)
    expect(await complete([...homes(0, 95), home(200)])).toMatchObject(report)
  })

  it('withdraws more homes than it reads at a time', async () => {
    await importRecords(homes(0, 3_000))
    expect(await complete(homes(600, 3_000))).toMatchObject({ unchanged: 2_400, withdrawn: 600 })
    expect(await onMarket()).toHaveLength(2_400)
  })
})

describe('the removal limit', () => {
  it('allows 20% of the homes to vanish, and not one more', async () => {
    await importRecords(homes(0, 100))
    const stored = await state()
    await expect(complete(homes(21, 100))).rejects.toThrow(
      '21 of the 100 homes of the source "mls" would go off the market (21%; --allow-removals 21 permits it). Nothing was changed.',
    )
    expect(await state()).toEqual(stored)
    expect(await complete(homes(20, 100))).toMatchObject({ withdrawn: 20 })
  })

  it('allows 10 homes to vanish from a small source, and not 11', async () => {
    await importRecords(homes(0, 20))
    await expect(complete(homes(11, 20))).rejects.toThrow('11 of the 20 homes')
    expect(await complete(homes(10, 20))).toMatchObject({ withdrawn: 10 })
  })

  it('holds an empty file', async () => {
    await importRecords(homes(0, 20))
    await expect(complete([])).rejects.toThrow(
      '20 of the 20 homes of the source "mls" would go off the market (100%',
    )
    expect(await onMarket()).toHaveLength(20)
  })

  it('holds for each source separately', async () => {
    await importRecords(homes(0, 1_000))
    await importRecords(homes(2_000, 2_020), { source: 'small' })
    const both = { complete: { sources: ['mls', 'small'] } }
    await expect(importRecords(homes(0, 1_000), both)).rejects.toThrow(
      '20 of the 20 homes of the source "small"',
    )
  })

  it('is lifted by a sufficient count of allowed removals, and not by a smaller one', async () => {
    await importRecords(homes(0, 100))
    const allow = (allowRemovals: number) => ({ complete: { sources: ['mls'], allowRemovals } })
    await expect(importRecords(homes(50, 100), allow(49))).rejects.toThrow('--allow-removals 50')
    expect(await importRecords(homes(50, 100), allow(50))).toMatchObject({ withdrawn: 50 })
  })

  it('refuses a single missing home if rows that cannot be read may be that home', async () => {
    await importRecords(homes(0, 100))
    function* rows(): Generator<SourceRow> {
      yield* rowsOf(homes(0, 99))
      yield { line: 100, fault: 'is not JSON' }
    }
    const run = (allowRemovals?: number) =>
      importListings(database(), rows(), {
        source: 'mls',
        complete: { sources: ['mls'], ...(allowRemovals && { allowRemovals }) },
      })
    await expect(run()).rejects.toThrow('lacks homes (1), and rows of it could not be read (1)')
    expect(await onMarket()).toHaveLength(100)
    expect(await run(1)).toMatchObject({ withdrawn: 1 })
  })
})
