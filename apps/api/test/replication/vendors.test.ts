// What differs from vendor to vendor: limits, suspension, and resources that do not come with the listings.

import { beforeEach, describe, expect, it } from 'vitest'
import { syncSource } from '../../src/replication/run-source.ts'
import { addSource, findConnected, type ResoSettings } from '../../src/replication/source-store.ts'
import { withResoServer } from '../setup/reso-server/start.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { feedListing, feedListings, laterTime } from './feed-records.ts'

const test = withTestDatabase()
const feed = withResoServer()

beforeEach(async () => {
  await test.database.query(
    'truncate listings, listing_changes, removed_listings, linked_homes, home_parcels, connected_sources cascade; truncate feed_calls, feed_credentials',
  )
})

async function connect(settings: Partial<ResoSettings> = {}): Promise<void> {
  await addSource(
    test.database,
    'metro',
    { kind: 'reso', url: feed.url, profile: 'generic', ...settings },
    900,
  )
}

async function sync(options: Parameters<typeof syncSource>[2] = {}) {
  const result = await syncSource(test.database, 'metro', options)
  if (result?.outcome === 'failed') throw result.error
  if (result?.outcome !== 'synced') throw new Error(`the run was ${result?.outcome}`)
  return result.total
}

async function recordOf(key: string): Promise<Record<string, unknown>> {
  const { rows } = await test.database.query<{ record: string }>(
    `select l.record from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
     where i.source = 'metro' and i.source_key = $1`,
    [key],
  )
  return JSON.parse(rows[0]!.record)
}

describe('MLS Grid', () => {
  it('is called with gzip, one system, and less than its calls per second, and shows no links to photos', async () => {
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
    for (const { url } of await feed.takeAsked())
      expect(new URL(url).searchParams.get('$filter')).toMatch(/^OriginatingSystemName eq 'actris'/)
  })

  it('is not called again after a 429 before its next hour, by any run', async () => {
    await feed.put(feedListings(3, { OriginatingSystemName: 'actris', MlgCanUse: ['IDX'] }))
    await connect({ profile: 'mlsgrid', originatingSystem: 'actris', use: 'IDX', related: [] })
    await feed.fail({ kind: 'status', status: 429 })
    const result = await syncSource(test.database, 'metro')
    const nextHour = (Math.floor(Date.now() / 3_600_000) + 1) * 3_600_000
    expect(result).toMatchObject({ outcome: 'postponed' })
    const { until } = result as { until: Date }
    expect(until.getTime()).toBeGreaterThanOrEqual(nextHour)
    expect(until.getTime()).toBeLessThan(nextHour + 60_000)
    await feed.takeAsked()
    expect(await syncSource(test.database, undefined)).toBeUndefined()
    expect(await syncSource(test.database, 'metro')).toMatchObject({ outcome: 'postponed', until })
    expect(await feed.takeAsked()).toEqual([])
    expect(await findConnected(test.database, 'metro')).toMatchObject({ failures: 0, dueAt: until })
  })
})

describe('a server that refuses a call', () => {
  it('with 429 again and again is left alone for longer each time, also by later runs', async () => {
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

  it('or cuts off its answer has its bytes counted', async () => {
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

describe('a feed without $expand', () => {
  const house = (at: number, listing: string, start: string, changes: object = {}) => ({
    OpenHouseKey: `O${at}`,
    ListingKey: listing,
    OpenHouseStartTime: start,
    OpenHouseEndTime: start.replace('T18', 'T20'),
    ModificationTimestamp: laterTime(at),
    ...changes,
  })

  it('has its open houses read by themselves, and a change of one reaches a listing that did not change', async () => {
    const people = {
      Office: [{ OfficeKey: 'F1', OfficeName: 'Harbor Realty', ModificationTimestamp: laterTime(0) }],
      Member: [{ MemberKey: 'A1', MemberFullName: 'Robin Lee', ModificationTimestamp: laterTime(0) }],
    }
    const [first, second] = ['2031-05-01T18:00:00Z', '2031-05-02T18:00:00Z']
    await feed.behave({ resources: { ...people, OpenHouse: [house(1, 'M000001', first)] } })
    const keys = {
      ListOfficeName: undefined,
      ListAgentFullName: undefined,
      ListOfficeKey: 'F1',
      ListAgentKey: 'A1',
    }
    await feed.put(feedListings(3, keys))
    await connect({ expand: ['Media'], related: ['OpenHouse', 'Office', 'Member'] })
    expect(await sync()).toMatchObject({ inserted: 3, withheld: 0 })
    expect(await recordOf('M000001')).toMatchObject({
      openHouseSchedule: [{ startTime: '2031-05-01T18:00:00.000Z', endTime: '2031-05-01T20:00:00.000Z' }],
      attributionInfo: { agentName: 'Robin Lee', brokerName: 'Harbor Realty' },
    })
    expect(await recordOf('M000002')).not.toHaveProperty('openHouseSchedule')

    await feed.behave({
      resources: {
        ...people,
        OpenHouse: [house(11, 'M000002', second, { OpenHouseKey: 'O1' }), house(12, 'M000000', first)],
      },
    })
    expect(await sync()).toMatchObject({ updated: 3 })
    expect(await recordOf('M000001')).not.toHaveProperty('openHouseSchedule')
    expect(await recordOf('M000002')).toMatchObject({
      openHouseSchedule: [{ startTime: '2031-05-02T18:00:00.000Z' }],
    })
    // A later change of the listing keeps it.
    await feed.put([feedListing(2, { ...keys, ListPrice: 7, ModificationTimestamp: laterTime(90) })])
    await sync()
    expect(await recordOf('M000002')).toMatchObject({ price: 7, openHouseSchedule: [{}] })
  })
})
