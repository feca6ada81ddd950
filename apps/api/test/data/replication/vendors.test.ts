// Differences between vendors: limits, suspension, and resources that do not come with the listings.

import { describe, expect, it } from 'vitest'
import { PageProgress } from '../../../src/data/replication/page-progress.ts'
import { listingReader, openFeed, syncSource } from '../../../src/data/replication/run-source.ts'
import { readAbilities } from '../../../src/data/replication/server-abilities.ts'
import { readStatus } from '../../../src/data/replication/source-status.ts'
import {
  claimSource,
  findConnected,
  pauseSource,
  type ResoSettings,
  resumeSource,
} from '../../../src/data/replication/source-store.ts'
import { sweepKeys } from '../../../src/data/replication/sweep-keys.ts'
import { startProcess } from '../../setup/child-process.ts'
import { feedListing, feedListings, laterTime } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const { test, feed, recordOf, ...metro } = withFeed()
const connect = (settings?: Parameters<typeof metro.connect>[1]) => metro.connect('metro', settings)
const sync = (options?: Parameters<typeof metro.sync>[1]) => metro.sync('metro', options)

describe('MLS Grid', () => {
  it('is called with gzip, one system, and below its calls per second, and gets no links to photos', async () => {
    await feed.behave({ requiresGzip: true, callsPerSecond: 2, maxPage: 10 })
    await feed.put([
      ...feedListings(23, { OriginatingSystemName: 'actris', MlgCanUse: ['IDX'] }),
      feedListing(50, { OriginatingSystemName: 'actris', MlgCanUse: ['VOW'] }),
      feedListing(51, { OriginatingSystemName: 'other', MlgCanUse: ['IDX'] }),
    ])
    await connect({ profile: 'mlsgrid', originatingSystem: 'actris', use: 'IDX', related: [] })
    expect(await sync()).toMatchObject({ read: 24, inserted: 23, withheld: 1 })
    expect(await feed.violations()).toBe(0)
    expect(await recordOf('M000001')).not.toHaveProperty('responsivePhotos')
    // Values that are not stored are in no response.
    expect(JSON.stringify(await recordOf('M000001'))).not.toContain('photos.example.com')
    for (const { url } of await feed.takeAsked())
      expect(new URL(url).searchParams.get('$filter')).toMatch(/^OriginatingSystemName eq 'actris'/)
  })

  it('is not called before its next hour after a 429, by any run', async () => {
    // Half an hour earlier, on the feed’s clock.
    const halfHour = 30 * 60_000
    const from = Date.now()
    await feed.behave({ clockAheadMs: halfHour - (from % (2 * halfHour)) })
    await feed.put(feedListings(3, { OriginatingSystemName: 'actris', MlgCanUse: ['IDX'] }))
    await connect({ profile: 'mlsgrid', originatingSystem: 'actris', use: 'IDX', related: [] })
    await feed.fail({ kind: 'status', status: 429 })
    const result = await syncSource(test.database, 'metro')
    expect(result).toMatchObject({ outcome: 'postponed' })
    const { until } = result as { until: Date }
    expect(until.getTime()).toBeGreaterThanOrEqual(from + halfHour)
    expect(until.getTime()).toBeLessThan(Date.now() + halfHour + 60_000)
    await feed.takeAsked()
    expect(await syncSource(test.database, undefined)).toBeUndefined()
    expect(await syncSource(test.database, 'metro')).toMatchObject({ outcome: 'postponed', until })
    expect(await feed.takeAsked()).toEqual([])
    expect(await findConnected(test.database, 'metro')).toMatchObject({ failures: 0, dueAt: until })
  })
})

describe('a record that changes behind the read point of a pass', () => {
  const from = Math.floor(Date.now() / 1_000) * 1_000
  /** A time this many minutes after the tests began. */
  const time = (minutes: number) => new Date(from + minutes * 60_000).toISOString()
  const listing = (at: number, price: number, minutes: number) =>
    feedListing(at, {
      ListPrice: price,
      ModificationTimestamp: time(minutes),
      OriginatingSystemName: 'actris',
      MlgCanUse: ['IDX'],
    })
  const grid = { profile: 'mlsgrid', originatingSystem: 'actris', use: 'IDX', related: [] } as const
  const bridge = { profile: 'bridge', use: 'IDX', related: [] } as const
  const prices = async () => {
    const { rows } = await test.database.query<{ price: number }>(
      `select l.price from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
       where i.source_key like 'M%' order by i.source_key`,
    )
    return rows.map(({ price }) => price)
  }
  /** Sets the feed’s clock to this many minutes after the tests began, and its pages to two records. */
  const setClock = (minutes: number, statesNoTime = false) =>
    feed.behave({ maxPage: 2, clockAheadMs: minutes * 60_000 - (Date.now() - from), statesNoTime })
  /** Skips the pause that the limits require between two runs. */
  const syncNow = async () => {
    await test.database.query('truncate feed_credentials')
    return sync()
  }

  it('is read by the next pass, after a first load whose process was killed', async () => {
    await setClock(0)
    await feed.put([0, 1, 2, 3].map((at) => listing(at, at, -9_000)))
    await feed.fail({ kind: 'hang' }, { after: 1 })
    await connect(bridge)
    const path = new URL('syncing-process.ts', import.meta.url).pathname
    const process = startProcess(path, [test.url])
    let asked = 0
    const count = async () => (asked += (await feed.takeAsked()).length)
    await expect.poll(count, { timeout: 60_000, interval: 5 }).toBe(2)
    process.kill('SIGKILL')
    await process.exited
    expect(await prices()).toEqual([0, 1])
    await feed.put([listing(0, 100, 10), listing(3, 300, 50)])
    await setClock(61)
    expect(await syncNow()).toMatchObject({ read: 2, pages: 1 })
    expect(await prices()).toEqual([0, 1, 2, 300])
    await syncNow()
    expect(await prices()).toEqual([100, 1, 2, 300])
  })

  it('is read by the next pass, after a pass of changes that was interrupted and paused', async () => {
    await feed.put([0, 1, 2, 3].map((at) => listing(at, at, -9_000)))
    await connect(grid)
    await syncNow()
    await feed.put([0, 1, 2, 3].map((at) => listing(at, 10 + at, 20)))
    await setClock(21)
    await feed.fail({ kind: 'html' }, { after: 1 })
    await expect(syncNow()).rejects.toThrow('a web page')
    await feed.put([listing(0, 100, 40), listing(3, 103, 80)])
    await setClock(95)
    await pauseSource(test.database, 'metro')
    await resumeSource(test.database, 'metro')
    expect(await syncNow()).toMatchObject({ read: 2, pages: 1 })
    expect(await prices()).toEqual([10, 11, 12, 103])
    await syncNow()
    expect(await prices()).toEqual([100, 11, 12, 103])
    // The lag is counted from the newest change, wherever the next pass begins.
    const { rows } = await test.database.query('select newest from source_cursors')
    expect(rows).toEqual([{ newest: time(80) }])
  })

  it('is read by the next pass if the server states no time', async () => {
    await setClock(0, true)
    await feed.put([0, 1, 2].map((at) => listing(at, at, -9_000)))
    await connect(bridge)
    await feed.fail({ kind: 'html' }, { after: 1 })
    await expect(syncNow()).rejects.toThrow('a web page')
    await feed.put([listing(0, 100, 10), listing(2, 102, 50)])
    await syncNow()
    await syncNow()
    expect(await prices()).toEqual([100, 1, 102])
  })

  it('hides no unread record if the server sorts and skips a number of records', async () => {
    const ask = { position: 'skip', maxPage: 3 } as const
    await feed.behave(ask)
    await feed.put([0, 1, 2, 3, 4, 5].map((at) => listing(at, at, at - 9_000)))
    await connect({ use: 'IDX' })
    await feed.fail({ kind: 'html' }, { after: 1 })
    await expect(syncNow()).rejects.toThrow('a web page')
    // The changed records move to the end, and all others forward.
    await feed.put([listing(0, 100, -8), listing(1, 101, -7)])
    expect(await syncNow()).toMatchObject({ inserted: 3, updated: 2 })
    expect(await prices()).toEqual([100, 101, 2, 3, 4, 5])
  })

  it('is read even if the server forgets the pass and another one begins', async () => {
    await setClock(0)
    await feed.put([listing(9, 9, -1)])
    await connect(bridge)
    await syncNow()
    // Committed now, with earlier times than the newest that was read.
    await feed.put([0, 1, 2, 3].map((at) => listing(at, at, -5)))
    await feed.fail({ kind: 'html' }, { after: 1 })
    await expect(syncNow()).rejects.toThrow('a web page')
    // The new pass has pages that this run has read already.
    await feed.fail({ kind: 'status', status: 410 }, { after: 1 })
    await syncNow()
    expect(await prices()).toEqual([0, 1, 2, 3, 9])
  })
})

describe('a time of change that is far in the future', () => {
  it('hides no later change, and is not the newest change that the lag is counted from', async () => {
    await feed.put([feedListing(1, { ModificationTimestamp: '2099-01-01T00:00:00Z' }), feedListing(2)])
    await connect()
    await sync()
    await feed.put([feedListing(2, { ListPrice: 7, ModificationTimestamp: new Date().toISOString() })])
    await sync()
    expect(await recordOf('M000002')).toMatchObject({ price: 7 })
    const [status] = await readStatus(test.database)
    expect(status!.newest!.getTime()).toBeLessThanOrEqual(Date.now())
    expect(status!.lagSeconds).toBeGreaterThanOrEqual(0)
  })
})

describe('a server that reads $top as the number of all records', () => {
  const PAGES = [10_000, 250]
  it.each(PAGES)(
    'is asked for the rest, also where one time has more than a page: pages of %s',
    async (maxPage) => {
      await feed.behave({ topLimits: true, maxPage })
      // A page has 500 records.
      const listings = feedListings(1_100).map((each, at) =>
        at < 550 ? each : { ...each, ModificationTimestamp: laterTime(0) },
      )
      await feed.put(listings)
      await connect()
      expect(await sync()).toMatchObject({ inserted: 1_100 })
      expect((await test.database.query('select from listings')).rowCount).toBe(1_100)
    },
  )

  it('is asked for the rest after an interruption within the requested records', async () => {
    await feed.behave({ topLimits: true, maxPage: 250 })
    await feed.put(feedListings(700))
    await connect()
    await feed.fail({ kind: 'html' }, { after: 1 })
    await expect(sync()).rejects.toThrow('a web page')
    await sync()
    expect((await test.database.query('select from listings')).rowCount).toBe(700)
  })

  it.each([
    [10_000, [5_000, 100]],
    [2_500, [2_500, 2_500, 100]],
  ])('is asked for all keys by a sweep: pages of %s', async (maxPage, pages) => {
    await feed.behave({ topLimits: true, maxPage })
    const ModificationTimestamp = laterTime(0)
    // A page of keys has 5,000.
    await feed.put(
      Array.from({ length: 5_100 }, (_, at) => ({ ListingKey: String(10_000 + at), ModificationTimestamp })),
    )
    await connect()
    const { source, lease } = (await claimSource(test.database, 'metro'))!
    const settings = source.settings as ResoSettings
    const { upstream, profile } = openFeed(test.database, settings)
    await test.database.query(
      "insert into source_records (source, source_key, state, sweep) values ('metro', '15050', 'listed', 0)",
    )
    const run = { database: test.database, lease, upstream, settings, profile, allowRemovals: 0 }
    const abilities = await readAbilities(test.database, 'metro')
    const rest = {
      signal: new AbortController().signal,
      full: false,
      entry: { id: undefined, start: new Map(), mode: 'judged' as const },
      sweepIsDue: true,
      onPage: () => {},
    }
    const toListing = listingReader('metro', settings, profile)
    await sweepKeys(
      { ...run, ...rest, abilities, maySweepForSurplus: false, toListing },
      '2020-01-01T00:00:00Z',
      async () => {},
    )
    await upstream.close()
    expect((await feed.takeAsked()).map(({ keys }) => keys.length)).toEqual(pages)
    const { rows } = await test.database.query('select sweep, misses from source_records')
    expect(rows).toEqual([{ sweep: 1, misses: 0 }])
  })

  it('fails the run if it also ignores how many to skip, instead of keeping it busy for ever', () => {
    const page = { records: [feedListing(1)], next: 'https://a.example/x?$top=1&$skip=2' }
    const trail = new PageProgress()
    const sent = { ...page, serverMs: undefined, count: undefined }
    trail.check('https://a.example/x?$top=1', { ...sent, next: `${page.next.slice(0, -1)}1` }, 'a.example')
    expect(() => trail.check('https://a.example/x?$top=1&$skip=1', sent, 'a.example')).toThrow(
      /same page again/,
    )
  })
})

describe('a next page in the Link header', () => {
  it('is not called if it is on another server, and the next run continues', async () => {
    await feed.behave({ paging: 'link', maxPage: 2 })
    await feed.put(feedListings(5))
    await connect()
    await feed.fail({ kind: 'other-origin', origin: 'http://127.0.0.1:9' }, { after: 1 })
    await expect(sync()).rejects.toThrow(/another server \(http:\/\/127\.0\.0\.1:9\)/)
    expect(await sync()).toMatchObject({ read: 3, inserted: 3 })
  })
})

describe('a server that refuses a call', () => {
  it('is left alone for longer each time it answers with 429, also by later runs', async () => {
    await feed.put(feedListings(3))
    await connect()
    const waits: number[] = []
    for (const headers of [{ 'retry-after': '70' }, {}, {}]) {
      await test.database.query("update feed_credentials set blocked_until = '-infinity'")
      await feed.fail({ kind: 'status', status: 429, headers })
      const from = (await test.database.query<{ now: Date }>('select now()')).rows[0]!.now
      const { until } = (await syncSource(test.database, 'metro')) as { until: Date }
      waits.push(until.getTime() - from.getTime())
    }
    expect(waits.map((wait) => Math.floor(wait / 60_000))).toEqual([1, 2, 4])
    await test.database.query("update feed_credentials set blocked_until = '-infinity'")
    await sync()
    const { rows } = await test.database.query('select refusals from feed_credentials')
    expect(rows).toEqual([{ refusals: 0 }])
  })

  it('has the bytes of a response counted that it cuts off', async () => {
    await feed.put(feedListings(3))
    await connect()
    await feed.fail({ kind: 'truncate' })
    await expect(sync({ retryMs: [] })).rejects.toThrow(/connection|cut off/)
    const { rows } = await test.database.query<{ bytes: number }>(
      'select sum(bytes) as bytes from feed_calls',
    )
    expect(Number(rows[0]!.bytes)).toBeGreaterThan(0)
  })
})

describe('a feed with $expand', () => {
  it('sends the media, the open houses, and the names of its people with each listing', async () => {
    const start = '2031-05-01T18:00:00Z'
    await feed.put([
      feedListing(1, {
        ListOfficeName: undefined,
        ListAgentFullName: undefined,
        OpenHouse: [{ OpenHouseStartTime: start, OpenHouseEndTime: '2031-05-01T20:00:00Z' }],
        ListOffice: { OfficeName: 'Harbor Realty' },
        ListAgent: { MemberFullName: 'Robin Lee' },
      }),
    ])
    await connect({ expand: ['Media', 'OpenHouse', 'ListOffice', 'ListAgent'] })
    expect(await sync()).toMatchObject({ inserted: 1, withheld: 0 })
    expect(await recordOf('M000001')).toMatchObject({
      responsivePhotos: [{}],
      openHouseSchedule: [{ startTime: '2031-05-01T18:00:00.000Z' }],
      attributionInfo: { agentName: 'Robin Lee', brokerName: 'Harbor Realty' },
    })
    // One call returned all of it. The other one counts the records.
    expect(await feed.takeAsked()).toHaveLength(2)
  })
})
