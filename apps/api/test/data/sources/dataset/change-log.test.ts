import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { importListings } from '../../../../src/data/ingest/import-listings.ts'
import { removeListings } from '../../../../src/data/ingest/remove-listings.ts'
import type { SourceRow } from '../../../../src/data/ingest/source-row.ts'
import {
  CHANGES_KEPT_DAYS,
  hasNewPrice,
  type ListingChange,
  readChanges,
  reportedStatus,
} from '../../../../src/data/sources/dataset/change-log.ts'
import { removeExpired } from '../../../../src/work/retention/remove-expired.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { rowsOf } from './rows.ts'

const test = withTestDatabase()
const database = () => test.database

afterEach(async () => {
  await database().query('truncate listings, listing_changes, removed_listings')
})

const HOME = {
  zpid: '1',
  homeStatus: 'FOR_SALE',
  price: 500_000,
  bedrooms: 3,
  bathrooms: 2,
  livingArea: 1_500,
  yearBuilt: 1950,
  homeType: 'SINGLE_FAMILY',
  latitude: 47.63,
  longitude: -122.35,
  hasPool: false,
  datePosted: '2026-11-01',
  zestimate: 490_000,
  daysOnZillow: 12,
  address: { streetAddress: '1 Main St', city: 'Seattle', state: 'WA', zipcode: '98109' },
}

const importRecords = (...records: readonly object[]) =>
  importListings(database(), rowsOf(records as never[]))

/** The changes since the last call. */
let seen = 0
async function changes(): Promise<ListingChange[]> {
  const rows = await readChanges(database(), { after: seen, limit: 10_000 })
  seen = rows.at(-1)?.seq ?? seen
  return rows
}

describe('an import', () => {
  it('logs each new home, with its facts, generation, source, and times', async () => {
    const at = Date.now()
    const updated = {
      attributionInfo: { lastUpdated: '2026-11-20 08:15:00' },
      timeZone: 'America/Los_Angeles',
    }
    await importListings(database(), rowsOf([{ ...HOME, ...updated }] as never[]), { source: 'mls' })
    const [change, ...others] = await changes()
    expect(others).toEqual([])
    expect(change).toMatchObject({ zpid: '1', generation: 1, source: 'mls', before: null })
    expect(change!.sourceUpdatedAt).toEqual(new Date('2026-11-20T16:15:00.000Z'))
    expect(Math.abs(change!.observedAt.getTime() - at)).toBeLessThan(60_000)
    // The test search/searchable-facts.test.ts proves that these are all declared facts and no others.
    expect(change!.after).toMatchObject({
      kind: 'for_sale',
      price: 500_000,
      beds: 3,
      baths: 2,
      sqft: 1_500,
      year_built: 1950,
      home_type: 'SINGLE_FAMILY',
      longitude: -122.35,
      latitude: 47.63,
      has_pool: false,
      has_garage: false,
      is_waterfront: false,
      lot_size: null,
      hoa: null,
      sale_type: 'by_agent',
      is_pending: false,
      open_until: null,
      is_senior: false,
      zip: '98109',
      city: 'SEATTLE, WA',
      listed_at: expect.stringMatching(/^2026-11-01T00:00:00/),
    })
  })

  const CHANGED: Readonly<Record<string, object>> = {
    price: { price: 490_000 },
    'listing status': { homeStatus: 'PENDING' },
    beds: { bedrooms: 4 },
    baths: { bathrooms: 2.5 },
    area: { livingArea: 1_600 },
    year: { yearBuilt: 1951 },
    'home type': { homeType: 'CONDO' },
    position: { latitude: 47.64 },
    'a flag': { hasPool: true },
    'listing date': { datePosted: '2026-11-02' },
    ZIP: { address: { ...HOME.address, zipcode: '98119' } },
    city: { address: { ...HOME.address, city: 'Tukwila' } },
    lot: { lotSize: 4_000 },
    'how it is sold': { listingSubType: { isFSBO: true } },
  }
  for (const [name, changed] of Object.entries(CHANGED)) {
    it(`logs a changed ${name}, with its earlier value`, async () => {
      await importRecords(HOME)
      const [first] = await changes()
      await importRecords({ ...HOME, ...changed })
      const [change, ...others] = await changes()
      expect(others).toEqual([])
      expect(change!.before).toEqual(first!.after)
      expect(change!.after).not.toEqual(first!.after)
      expect(change).toMatchObject({ zpid: '1', generation: 2, version: first!.version + 1 })
    })
  }

  it('logs no derived value: days on site, estimates, photos, counters, and texts', async () => {
    await importRecords(HOME)
    await changes()
    const derived = {
      zestimate: 505_000,
      daysOnZillow: 13,
      pageViewCount: 9,
      favoriteCount: 2,
      description: 'New text',
      responsivePhotos: [{ url: 'https://photos.example.com/2.jpg' }],
    }
    expect(await importRecords({ ...HOME, ...derived })).toMatchObject({ updated: 1 })
    expect(await changes()).toEqual([])
  })

  it('logs nothing if the same file is imported again, or if another source takes the homes over', async () => {
    await importRecords(HOME)
    await changes()
    await importRecords(HOME)
    await importListings(database(), rowsOf([HOME] as never[]), { source: 'other' })
    expect(await changes()).toEqual([])
  })

  it('logs one row for a home with several rows: from its stored facts to its last row', async () => {
    const others = Array.from({ length: 600 }, (_, at) => ({ ...HOME, zpid: String(1_000 + at) }))
    await importRecords(HOME, { ...HOME, price: 1 }, ...others, { ...HOME, price: 2 })
    const first = await changes()
    expect(first).toHaveLength(601)
    expect(first.find(({ zpid }) => zpid === '1')).toMatchObject({ before: null, after: { price: 2 } })
    await importRecords({ ...HOME, price: 3 }, ...others, { ...HOME, price: 4 })
    expect(await changes()).toMatchObject([{ zpid: '1', before: { price: 2 }, after: { price: 4 } }])
  })

  it('logs nothing for the record of a building, which is no home', async () => {
    await importRecords({ ...HOME, isBuilding: true })
    await importRecords({ ...HOME, isBuilding: true, price: 1 })
    expect(await changes()).toEqual([])
    await importRecords(HOME)
    expect(await changes()).toMatchObject([{ before: null, after: { price: 500_000 } }])
  })

  it('logs nothing if it fails or is a dry run', async () => {
    async function* broken(): AsyncGenerator<SourceRow> {
      yield* rowsOf([HOME] as never[])
      throw new Error('the file ends here')
    }
    await expect(importListings(database(), broken())).rejects.toThrow('the file ends here')
    await importListings(database(), rowsOf([HOME] as never[]), { dryRun: true })
    expect(await changes()).toEqual([])
  })
})

describe('a removal', () => {
  it('logs each removed home with its last facts, and its return as a new row', async () => {
    await importRecords(HOME, { ...HOME, zpid: '2' })
    await changes()
    await removeListings(database(), { zpids: ['1'] })
    const [removed, ...others] = await changes()
    expect(others).toEqual([])
    expect(removed).toMatchObject({ zpid: '1', generation: 1, before: { price: 500_000 }, after: null })
    const { rows } = await database().query<{ summary: string }>(
      'select summary from listing_changes where seq = $1',
      [removed!.seq],
    )
    expect(JSON.parse(rows[0]!.summary)).toMatchObject({ zpid: '1', price: 500_000 })
    await importRecords(HOME)
    expect(await changes()).toMatchObject([{ zpid: '1', generation: 2, before: null }])
  })
})

const INSERT = `
  insert into listings (zpid, kind, price, has_pool, has_garage, is_waterfront, sale_type, is_pending, is_senior, is_building,
    summary, record)
  values ($1, 'for_sale', $2, false, false, false, 'by_agent', false, false, false, '{}', '{}')`

describe('the order of the log', () => {
  it('is the order of the commits: a reader misses no row of a transaction that began earlier', async () => {
    const read: string[] = []
    let after = (await readChanges(database(), { after: 0, limit: 1 }))[0]?.seq ?? 0
    async function follow(): Promise<void> {
      for (const { seq, zpid } of await readChanges(database(), { after, limit: 100 })) {
        read.push(zpid)
        after = seq
      }
    }
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let hasWritten = () => {}
    const written = new Promise<void>((resolve) => (hasWritten = resolve))

    const first = database().transaction(async (tx) => {
      await tx.query(INSERT, ['first', 1])
      hasWritten()
      await released
    })
    await written
    // The second transaction begins later and would finish first. Only its commit could show its row.
    const second = database().transaction((tx) => tx.query(INSERT, ['second', 1]))
    await untilOneWaits()
    await follow()
    expect(read).toEqual([])
    release()
    await Promise.all([first, second])
    await follow()
    expect(read).toEqual(['first', 'second'])
  })

  it('holds for many concurrent writers, with a reader that follows them', async () => {
    const read: string[] = []
    let after = 0
    let isOver = false
    async function readOn(): Promise<void> {
      for (const { seq, zpid } of await readChanges(database(), { after, limit: 7 })) {
        read.push(zpid)
        expect(seq).toBeGreaterThan(after)
        after = seq
      }
    }
    async function follow(): Promise<void> {
      while (!isOver) {
        await readOn()
        await sleep(1)
      }
    }
    const following = follow()
    const writers = Array.from({ length: 6 }, (_, writer) =>
      (async () => {
        for (let round = 0; round < 10; round++) {
          await database().transaction(async (tx) => {
            await tx.query(INSERT, [`${writer}-${round}`, 1])
            if (round % 3 === 0) await tx.query('select pg_sleep(0.005)')
          })
        }
      })(),
    )
    await Promise.all(writers)
    isOver = true
    await following
    for (let round = 0; round < 20; round++) await readOn()
    expect(read).toHaveLength(60)
    expect(new Set(read).size).toBe(60)
  })
})

/** Waits until a statement waits for the lock of another transaction. */
async function untilOneWaits(): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    const { rows } = await database().query<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    if (rows[0]!.waiting > 0) return
    await sleep(10)
  }
  throw new Error('No statement waits for the other transaction.')
}

describe('the log', () => {
  it(`is kept for ${CHANGES_KEPT_DAYS} days and then removed in pieces`, async () => {
    const homes = Array.from({ length: 6_000 }, (_, at) => ({ ...HOME, zpid: String(at) }))
    await importRecords(...homes)
    const age = (days: number) =>
      database().query(`update listing_changes set observed_at = now() - $1 * interval '1 day'`, [days])
    const left = async () =>
      (await database().query<{ left: number }>('select count(*) as left from listing_changes')).rows[0]!.left
    await age(CHANGES_KEPT_DAYS - 0.01)
    expect([await removeExpired(database(), 'listing_changes'), await left()]).toEqual([false, 6_000])
    await age(CHANGES_KEPT_DAYS + 0.01)
    expect([await removeExpired(database(), 'listing_changes'), await left()]).toEqual([true, 1_000])
    expect([await removeExpired(database(), 'listing_changes'), await left()]).toEqual([false, 0])
  })
})

describe('a change of price', () => {
  const priced = (price: number | null) => ({ price }) as never
  it('is a change from one number to another, and not from or to nothing', () => {
    expect(hasNewPrice(priced(1), priced(2))).toBe(true)
    expect([
      hasNewPrice(priced(1), priced(1)),
      hasNewPrice(priced(null), priced(1)),
      hasNewPrice(priced(1), priced(null)),
      hasNewPrice(priced(null), priced(null)),
    ]).toEqual([false, false, false, false])
  })
})

describe('the status that events report', () => {
  it.each([
    [{ kind: 'for_sale', is_pending: false, sale_type: 'auction' }, 'for_sale'],
    [{ kind: 'for_sale', is_pending: true, sale_type: 'coming_soon' }, 'pending'],
    [{ kind: 'for_sale', is_pending: false, sale_type: 'coming_soon' }, 'coming_soon'],
    [{ kind: 'for_rent', is_pending: false, sale_type: 'by_agent' }, 'for_rent'],
    [{ kind: 'recently_sold', is_pending: false, sale_type: 'by_agent' }, 'sold'],
    [{ kind: 'off_market', is_pending: false, sale_type: 'by_agent' }, 'off_market'],
  ] as const)('of %j is %s', (facts, status) => {
    expect(reportedStatus(facts)).toBe(status)
  })
})
