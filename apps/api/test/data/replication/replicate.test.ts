// A feed is read page by page into the data set. No record is lost or duplicated, whatever the server or the process does.

import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { syncSource } from '../../../src/data/replication/run-source.ts'
import { addSource, type ResoSettings, removeSource } from '../../../src/data/replication/source-store.ts'
import { readChanges } from '../../../src/data/sources/dataset/change-log.ts'
import { lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { startProcess } from '../../setup/child-process.ts'
import { withResoServer } from '../../setup/reso-server/start.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { feedListing, feedListings, laterTime, type MadeListing } from './feed-records.ts'

const CLI = join(import.meta.dirname, '../../../src/interfaces/cli/main.ts')
const isFull = process.env.LOTLINE_FULL === '1'
const KILLS_LIMIT_MS = isFull ? 1_800_000 : 300_000

const test = withTestDatabase()
const feed = withResoServer()
process.env.METRO_TOKEN = 'secret-of-metro'
beforeEach(async () => {
  await test.database.query(
    'truncate imports, listings, listing_changes, removed_listings, linked_homes, home_parcels, connected_sources cascade; truncate feed_calls, feed_credentials',
  )
})

/** Adds a source named `metro` with the generic profile. */
async function connect(settings: Partial<ResoSettings> = {}): Promise<void> {
  const all = { kind: 'reso', url: feed.url, profile: 'generic', ...settings } as const
  await addSource(test.database, 'metro', all, 900)
}

async function sync(options: Parameters<typeof syncSource>[2] = {}) {
  const result = await syncSource(test.database, 'metro', { retryMs: [1], ...options })
  if (result?.outcome === 'failed') throw result.error
  if (result?.outcome !== 'synced') throw new Error(`the run was ${result?.outcome}`)
  return result.total
}

interface StoredHome {
  readonly key: string
  readonly zpid: string
  readonly price: number
  readonly kind: string
}

async function stored(): Promise<Map<string, StoredHome>> {
  const { rows } = await test.database.query<StoredHome>(
    `select i.source_key as key, l.zpid, l.price, l.kind from listings l
     join record_identities i on i.zpid = l.zpid and i.source = l.source
     where l.source = 'metro' and i.source_key <> l.zpid order by 1`,
  )
  return new Map(rows.map((row) => [row.key, row]))
}

/** Expects that the data set has exactly these listings of the feed, each with its price. */
async function expectStored(listings: readonly MadeListing[]): Promise<void> {
  const prices = [...(await stored())].map(([key, { price }]) => [key, price])
  const wanted = listings.map(({ ListingKey, ListPrice }) => [ListingKey, ListPrice] as const)
  expect(prices).toEqual(wanted.sort(([one], [other]) => (one < other ? -1 : 1)))
}

describe('a feed', () => {
  it('is read completely, with all its changes, in every style of next pages and of lookups', async () => {
    const styles = (['nextLink', 'link'] as const).flatMap((paging) =>
      (['lookup', 'enum'] as const).flatMap((lookups) =>
        (['token', 'skip'] as const).map((position) => ({ paging, lookups, position })),
      ),
    )
    const lookups = {
      StandardStatus: 'Active Under Contract',
      Heating: ['Forced Air', 'Natural Gas'],
      PropertySubType: 'Single Family Residence',
    }
    const first = feedListings(70).map((each, at) => (at % 7 === 0 ? { ...each, ...lookups } : each))
    const changed = Array.from({ length: 25 }, (_, at) =>
      feedListing(at * 2, { ListPrice: 900_000 + at, ModificationTimestamp: laterTime(at), ...lookups }),
    )
    const deleted = [1, 3, 5].map((at) =>
      feedListing(at, { StandardStatus: 'Delete', ModificationTimestamp: laterTime(30 + at) }),
    )
    const gone = new Set(deleted.map(({ ListingKey }) => ListingKey))
    const latest = new Map([...first, ...changed].map((each) => [each.ListingKey, each]))
    let records: readonly object[] | undefined
    for (const style of styles) {
      await feed.reset()
      await test.database.query('truncate imports, listings, connected_sources cascade')
      await feed.behave({ ...style, maxPage: 20 })
      await feed.put(first)
      await connect()
      // If the server skips a number of records, each page begins with the last second of the one before.
      const read = style.position === 'skip' ? 76 : 70
      expect(await sync()).toMatchObject({ read, inserted: 70, rejected: 0, pages: 4 })
      await expectStored(first)
      await feed.put([...changed, ...deleted])
      const total = await sync()
      expect(total).toMatchObject({ updated: 25, removed: 3, rejected: 0 })
      expect(total.pages).toBeGreaterThanOrEqual(2)
      await expectStored([...latest.values()].filter(({ ListingKey }) => !gone.has(ListingKey)))
      // A record is the same in every style.
      const { rows } = await test.database.query<{ record: string }>(
        'select record from listings order by summary::json->>$1',
        ['streetAddress'],
      )
      const made = rows.map(({ record }) => ({ ...JSON.parse(record), zpid: undefined }))
      expect(made[0]).toMatchObject({ responsivePhotos: [{}] })
      expect(
        made.filter(({ homeStatus }) => /PENDING|CONTINGENT|UNDER_CONTRACT/.test(homeStatus)),
      ).toHaveLength(31)
      records ??= made
      expect([style, made]).toEqual([style, records])
    }
  })

  it('is read from the last change on, and each change is in the change log', async () => {
    await feed.put(feedListings(20))
    await connect()
    await sync()
    const before = await stored()
    await feed.takeAsked()
    await feed.put([feedListing(3, { ListPrice: 111_000, ModificationTimestamp: laterTime(1) })])
    expect(await sync()).toMatchObject({ inserted: 0, updated: 1 })
    expect((await stored()).get('M000003')).toMatchObject({
      price: 111_000,
      zpid: before.get('M000003')!.zpid,
    })
    const changes = await readChanges(test.database, { after: 0, limit: 1_000 })
    expect(changes).toHaveLength(21)
    expect(changes.at(-1)).toMatchObject({ before: { price: 300_300 }, after: { price: 111_000 } })
    const [asked] = await feed.takeAsked()
    expect(new URL(asked!.url).searchParams.get('$filter')).toMatch(/^ModificationTimestamp ge 2026-11-01T/)
    expect(decodeURIComponent(asked!.url)).toContain('$orderby=ModificationTimestamp,ListingKey&')
    expect(asked!.encoding).toContain('gzip')
  })

  it('loses no record of 3,000 with the same time of change at the ends of pages', async () => {
    const at = '2026-11-05T08:00:00.1234567Z'
    const listings = feedListings(3_000, { ModificationTimestamp: at })
    await feed.behave({ maxPage: 400 })
    await feed.put(listings)
    await connect()
    await feed.fail({ kind: 'html' }, { after: 3 })
    await expect(sync()).rejects.toThrow('a web page')
    expect((await stored()).size).toBe(1_200)
    // The server has forgotten the next page, so the pass begins again with the records of that time.
    await feed.fail({ kind: 'status', status: 410 })
    await sync()
    await expectStored(listings)
  })

  it.each([-5, 5])('loses no change if its clock is %i minutes off', async (minutes) => {
    const clockAheadMs = minutes * 60_000
    await feed.behave({ clockAheadMs })
    const now = Date.now() + clockAheadMs
    const time = (secondsAgo: number) => new Date(now - secondsAgo * 1_000).toISOString()
    await feed.put(feedListings(5, { ModificationTimestamp: time(60) }))
    await connect()
    await sync()
    // Committed now with a time of two minutes ago, which is before the newest time that was read.
    await feed.put([feedListing(7, { ModificationTimestamp: time(120) })])
    await sync()
    expect([...(await stored()).keys()]).toContain('M000007')
    await feed.put([feedListing(2, { ListPrice: 5, ModificationTimestamp: time(0) })])
    await sync()
    expect((await stored()).get('M000002')!.price).toBe(5)
  })

  it('is read by one process at a time', async () => {
    await feed.put(feedListings(5))
    await connect()
    await feed.fail({ kind: 'hang' })
    const stopping = new AbortController()
    const first = syncSource(test.database, 'metro', { signal: stopping.signal })
    await expect.poll(async () => (await feed.takeAsked()).length).toBe(1)
    expect(await syncSource(test.database, 'metro')).toEqual({ outcome: 'busy', name: 'metro' })
    stopping.abort(new Error('the process ends'))
    expect(await first).toMatchObject({ outcome: 'postponed' })
    await sync()
    expect((await stored()).size).toBe(5)
  })
})

describe('a record of a feed', () => {
  const change = (seconds: number, price: number, before: number, day: string, original?: number) => ({
    ListPrice: price,
    PreviousListPrice: before,
    PriceChangeTimestamp: `${day}T10:00:00Z`,
    OnMarketDate: '2026-10-01',
    OriginalListPrice: original,
    ModificationTimestamp: laterTime(seconds),
  })
  const historyOf = async (key: string) => {
    const { rows } = await test.database.query<{ record: string }>(
      `select l.record from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
       where i.source = 'metro' and i.source_key = $1`,
      [key],
    )
    const { priceHistory } = JSON.parse(rows[0]!.record) as {
      priceHistory: { date: string; event: string; price: number; priceChangeRate: number }[]
    }
    return priceHistory.map(({ date, event, price, priceChangeRate }) => [
      date,
      event,
      price,
      priceChangeRate,
    ])
  }

  it('keeps all its earlier prices, although the feed states only the last change', async () => {
    await feed.put([feedListing(1, { ListPrice: 400_000, OnMarketDate: '2026-10-01' })])
    await connect()
    await sync()
    await feed.put([feedListing(1, change(1, 380_000, 400_000, '2026-10-10'))])
    await sync()
    await feed.put([feedListing(1, change(2, 361_000, 380_000, '2026-10-20'))])
    expect(await sync()).toMatchObject({ updated: 1 })
    const history = [
      ['2026-10-20', 'Price change', 361_000, -0.05],
      ['2026-10-10', 'Price change', 380_000, -0.05],
      ['2026-10-01', 'Listed for sale', 400_000, 0],
    ]
    expect(await historyOf('M000001')).toEqual(history)
    // Read again, it is the same record.
    expect(await sync({ full: true })).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await historyOf('M000001')).toEqual(history)
  })

  it('keeps its zpid for ever: no other record gets it, and a source that is added again finds it', async () => {
    await feed.put(feedListings(6))
    await connect()
    await sync()
    const before = await stored()
    await removeSource(test.database, 'metro')
    await removeListings(test.database, { source: 'metro' })
    expect(await stored()).toEqual(new Map())
    // Other records come first, and the same records later.
    await feed.put(Array.from({ length: 6 }, (_, at) => feedListing(100 + at)))
    await feed.delete(feedListings(6).map(({ ListingKey }) => ListingKey))
    await connect()
    await sync()
    const others = [...(await stored()).values()].map(({ zpid }) => zpid)
    const known = [...before.values()].map(({ zpid }) => zpid)
    expect(others).toHaveLength(6)
    expect(others.filter((zpid) => known.includes(zpid))).toEqual([])
    await feed.put(feedListings(6).map((each) => ({ ...each, ModificationTimestamp: laterTime(9) })))
    await sync()
    for (const [key, { zpid }] of before) expect((await stored()).get(key)!.zpid).toBe(zpid)
  })
})

describe('a process that is killed', () => {
  it(
    'on every page continues there, and reads at most one page twice',
    async () => {
      const size = isFull ? 1_000 : 150
      const maxPage = 50
      await feed.behave({ maxPage, token: 'secret-of-metro' })
      await feed.put(feedListings(size))
      await connect({ tokenEnv: 'METRO_TOKEN' })
      const reads = await syncWithKills(size / maxPage)
      expect(Math.max(...reads.values())).toBeLessThanOrEqual(2)
      await expectStored(feedListings(size))
      const before = await stored()

      const changed = Array.from({ length: isFull ? 200 : 60 }, (_, at) =>
        feedListing(at, { ListPrice: 900_000 + at, ModificationTimestamp: laterTime(at) }),
      )
      const deleted = Array.from({ length: 30 }, (_, at) =>
        feedListing(size - 30 + at, { StandardStatus: 'Delete', ModificationTimestamp: laterTime(500 + at) }),
      )
      await feed.put([...changed, ...deleted])
      await syncWithKills(Math.ceil((changed.length + deleted.length) / maxPage))
      await expectStored([...changed, ...feedListings(size).slice(changed.length, size - 30)])
      for (const [key, { zpid }] of await stored()) expect(zpid).toBe(before.get(key)!.zpid)
      const changes = await readChanges(test.database, { after: 0, limit: 10_000 })
      expect(changes).toHaveLength(size + changed.length + 30)
      expect(changes.filter(({ after }) => after === null)).toHaveLength(30)
    },
    KILLS_LIMIT_MS,
  )

  /** Kills the command while it waits for each page except the first, then lets it end. Returns how often each page was read. */
  async function syncWithKills(pages: number): Promise<Map<string, number>> {
    const env = { DATABASE_URL: test.url, METRO_TOKEN: 'secret-of-metro' }
    const reads = new Map<string, number>()
    const count = async () => {
      const asked = await feed.takeAsked()
      for (const { url } of asked) reads.set(url, (reads.get(url) ?? 0) + 1)
      return asked.length
    }
    for (let page = 1; page < pages; page++) {
      // The run reads one page, and is killed while it waits for the next.
      await feed.fail({ kind: 'hang' }, { after: 1 })
      const command = startProcess(CLI, ['sources', 'sync', 'metro'], { env })
      let seen = 0
      await expect
        .poll(
          async () => {
            seen += await count()
            return seen
          },
          { timeout: 120_000, interval: 5 },
        )
        .toBeGreaterThanOrEqual(2)
      command.kill('SIGKILL')
      await command.exited
      await feed.recover()
    }
    const ran = await lotlineWith(env)('sources', 'sync', 'metro', '--json')
    expect(ran.stderr).toBe('')
    await count()
    return reads
  }
})
