// Homes that vanish from a feed: reported deletions are applied immediately, others are found by sweeps of the keys, and by asking for them.

import { describe, expect, it } from 'vitest'
import { discardImport, readHeld } from '../../../src/data/imports/held-imports.ts'
import { applyPage } from '../../../src/data/replication/apply-page.ts'
import { readStatus } from '../../../src/data/replication/source-status.ts'
import { claimSource, findConnected, removeSource } from '../../../src/data/replication/source-store.ts'
import { feedListing, feedListings, laterTime } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const { test, feed, connect, sync, kinds } = withFeed()

describe('a home that vanishes from a feed', () => {
  it('goes off the market when one sweep lacks it and the feed does not have it by key, and returns with its zpid', async () => {
    await feed.put(feedListings(40))
    await connect()
    await sync('metro', { full: true })
    const gone = ['M000001', 'M000002', 'M000003']
    await feed.delete(gone)
    await feed.takeAsked()
    expect(await sync('metro', { full: true })).toMatchObject({ withdrawn: 3 })
    const asked = (await feed.takeAsked()).map(({ url }) => decodeURIComponent(url))
    expect(asked.filter((url) => url.includes("ListingKey in ('M000001','M000002','M000003',"))).toHaveLength(
      1,
    )
    expect(await kinds()).toEqual({ for_sale: 37, off_market: 3 })
    const zpids = async () =>
      (
        await test.database.query<{ zpid: string }>(
          'select zpid from record_identities where source = $1 and source_key = any($2) order by source_key',
          ['metro', gone],
        )
      ).rows
    const before = await zpids()
    await feed.put([1, 2, 3].map((at) => feedListing(at)))
    await sync('metro', { full: true })
    expect(await kinds()).toEqual({ for_sale: 40 })
    expect(await zpids()).toEqual(before)
  })

  it.each([
    [[], 11],
    [['or'], 11],
    [['address'], 11],
    [['in', 'or', 'address'], 11],
  ] as const)('is asked for by key in a form that the server understands: %j', async (byKey, homes) => {
    await feed.behave({ byKey })
    await feed.put(feedListings(12))
    await connect()
    await sync('metro', { full: true })
    await feed.delete(['M000001'])
    if (byKey.length === 0) {
      await expect(sync('metro', { full: true })).rejects.toThrow(
        /does not list 1 records .* does not answer questions by key.* --full --allow-removals 1$/,
      )
      expect(await kinds()).toEqual({ for_sale: 12 })
      expect(await sync('metro', { full: true, allowRemovals: 1 })).toMatchObject({ withdrawn: 1 })
    } else expect(await sync('metro', { full: true })).toMatchObject({ withdrawn: 1 })
    expect(await kinds()).toEqual({ for_sale: homes, off_market: 1 })
  })

  it('stays if the server answers questions by key with nothing, or with another question’s records', async () => {
    await feed.put(feedListings(12))
    await connect()
    await sync('metro', { full: true })
    await feed.delete(['M000001'])
    await feed.behave({ ignoresKeys: true })
    await expect(sync('metro', { full: true })).rejects.toThrow(/does not answer questions by key/)
    expect(await kinds()).toEqual({ for_sale: 12 })
  })

  it('stays if the feed suddenly lists nothing', async () => {
    await feed.put(feedListings(3))
    await connect()
    await sync('metro', { full: true })
    await feed.delete(['M000000', 'M000001', 'M000002'])
    await expect(sync('metro', { full: true })).rejects.toThrow(/does not list 3 records/)
    expect(await kinds()).toEqual({ for_sale: 3 })
  })

  it('stays if more than 5% and more than 10 homes vanish together, until the operator agrees', async () => {
    await feed.put(feedListings(100))
    await connect()
    await sync('metro', { full: true })
    await feed.delete(Array.from({ length: 11 }, (_, at) => feedListing(at).ListingKey))
    await expect(sync('metro', { full: true })).rejects.toThrow(
      /lacks 11 of the 100 homes .* lotline sources sync metro --full --allow-removals 11$/,
    )
    expect(await kinds()).toEqual({ for_sale: 100 })
    expect(await findConnected(test.database, 'metro')).toMatchObject({ sweeping: false, failures: 1 })
    // An ordinary run succeeds, and the refusal is still shown.
    await sync()
    expect(await findConnected(test.database, 'metro')).toMatchObject({
      failures: 0,
      lastError: null,
      sweepError: expect.stringContaining('lacks 11 of the 100 homes'),
    })
    expect(await readStatus(test.database)).toMatchObject([{ state: 'held' }])
    expect(await sync('metro', { full: true, allowRemovals: 11 })).toMatchObject({ withdrawn: 11 })
    expect(await kinds()).toEqual({ for_sale: 89, off_market: 11 })
    expect(await findConnected(test.database, 'metro')).toMatchObject({ sweepError: null, surplusRecords: 0 })
    expect(await readStatus(test.database)).toMatchObject([{ state: 'waiting' }])
  })

  it('goes off the market if it vanished while its source was removed, after the source is added again', async () => {
    await feed.put(feedListings(20))
    await connect()
    await sync()
    // Changed once, so that its zpid is a second key of it.
    await feed.put([feedListing(5, { ListPrice: 9, ModificationTimestamp: laterTime(1) })])
    await sync()
    await removeSource(test.database, 'metro')
    await feed.delete(['M000001'])
    await connect()
    expect(await sync('metro', { full: true })).toMatchObject({ withdrawn: 1 })
    expect(await kinds()).toEqual({ for_sale: 19, off_market: 1 })
  })

  it('counts as missing even if its last record was rejected', async () => {
    await feed.put(feedListings(30))
    await connect()
    await sync()
    const broken = Array.from({ length: 11 }, (_, at) =>
      feedListing(at, { Latitude: 95, ModificationTimestamp: laterTime(at) }),
    )
    await feed.put(broken)
    expect(await sync()).toMatchObject({ rejected: 11 })
    await feed.delete(broken.map(({ ListingKey }) => ListingKey))
    await expect(sync('metro', { full: true })).rejects.toThrow(/lacks 11 of the 30 homes/)
    expect(await kinds()).toEqual({ for_sale: 30 })
  })

  it('is found with --full, and after six days without a run, if the feed reports deletions', async () => {
    const grid = { profile: 'mlsgrid', originatingSystem: 'actris', use: 'IDX', related: [] } as const
    await feed.put(feedListings(12, { OriginatingSystemName: 'actris', MlgCanUse: ['IDX'] }))
    await connect('metro', grid)
    await sync()
    await feed.delete(['M000001'])
    const sweeps = async () => (await findConnected(test.database, 'metro'))!.sweep
    await sync()
    expect(await sweeps()).toBe(0)
    await test.database.query("update connected_sources set synced_at = now() - interval '6 days 1 hour'")
    expect(await sync()).toMatchObject({ withdrawn: 1 })
    expect(await sweeps()).toBe(1)
    // No later hour sweeps.
    await test.database.query("update connected_sources set sweep_due_at = now() - interval '1 hour'")
    await sync()
    expect(await sweeps()).toBe(1)
    // Once a week the keys are read in any case, because a page may have missed a record.
    await test.database.query("update connected_sources set swept_at = now() - interval '7 days 1 hour'")
    await sync()
    expect(await sweeps()).toBe(2)
    await sync('metro', { full: true })
    expect(await sweeps()).toBe(3)
    expect(await kinds()).toEqual({ for_sale: 11, off_market: 1 })
  })

  it('is found by the next sweep if it left the filter of a feed that reports deletions', async () => {
    const grid = { profile: 'mlsgrid', originatingSystem: 'actris', use: 'IDX', related: [] } as const
    const listing = { OriginatingSystemName: 'actris', MlgCanUse: ['IDX'] }
    await feed.put(feedListings(12, listing))
    await connect('metro', { ...grid, filter: "PropertyType eq 'Residential'" })
    await sync()
    await feed.put([
      feedListing(1, { ...listing, PropertyType: 'Farm', ModificationTimestamp: laterTime(1) }),
    ])
    for (const withdrawn of [1, 0]) {
      // Skips the pause that the limits require between two runs.
      await test.database.query('truncate feed_credentials')
      await test.database.query(
        "update connected_sources set created_at = now() - interval '2 days', sweep_due_at = now() - interval '1 hour'",
      )
      expect(await sync()).toMatchObject({ withdrawn })
    }
    expect(await kinds()).toEqual({ for_sale: 11, off_market: 1 })
  })

  it('stays if the server cuts the sweep short', async () => {
    await feed.behave({ maxPage: 10 })
    await feed.put(feedListings(30))
    await connect()
    await sync('metro', { full: true })
    for (let round = 0; round < 3; round++) {
      // Three pages of the pass, then the second page of the sweep.
      await feed.fail({ kind: 'html' }, { after: 4 })
      await expect(sync('metro', { full: true })).rejects.toThrow('a web page')
    }
    await sync('metro', { full: true })
    expect(await kinds()).toEqual({ for_sale: 30 })
  })
})

describe('a sweep', () => {
  it('finds a record that appeared with an old time of change, and the run reads it', async () => {
    await feed.put(feedListings(10, { ModificationTimestamp: laterTime(0) }))
    await connect()
    await sync('metro', { full: true })
    // Long before everything that was read, so no pass requests it again.
    await feed.put([feedListing(77)])
    // The count of the feed shows it.
    await sync()
    expect(await kinds()).toEqual({ for_sale: 11 })
  })
})

describe('a sweep that the removal limit refuses', () => {
  it('has read the records before that no pass has seen', async () => {
    await feed.put(feedListings(30, { ModificationTimestamp: laterTime(0) }))
    await connect()
    await sync('metro', { full: true })
    await feed.delete(Array.from({ length: 11 }, (_, at) => feedListing(at).ListingKey))
    await feed.put([feedListing(77)])
    await test.database.query("update connected_sources set sweep_due_at = now() - interval '1 hour'")
    await expect(sync()).rejects.toThrow(/lacks 11 of the 31 homes/)
    expect(await kinds()).toEqual({ for_sale: 31 })
    // The source is held until a person decides.
    expect(await sync()).toMatchObject({ inserted: 0 })
    const [held] = await readHeld(test.database)
    await test.database.transaction((tx) => discardImport(tx, held!.id, 'tester'))
    expect(await kinds()).toEqual({ for_sale: 31 })
  })
})

describe('a run with --full that is interrupted', () => {
  it('is continued by the next run, which also makes the sweep', async () => {
    await feed.behave({ maxPage: 5 })
    await feed.put(feedListings(15))
    await connect()
    await sync()
    await feed.fail({ kind: 'html' }, { after: 1 })
    await expect(sync('metro', { full: true })).rejects.toThrow('a web page')
    expect(await findConnected(test.database, 'metro')).toMatchObject({ sweep: 0, sweeping: true })
    expect(await sync()).toMatchObject({ read: 10 })
    expect(await findConnected(test.database, 'metro')).toMatchObject({ sweep: 1, sweeping: false })
  })
})

describe('a deleted record whose key the feed still lists', () => {
  it('is not read again by each sweep', async () => {
    await feed.put(feedListings(5))
    await connect()
    await sync()
    await feed.put([feedListing(1, { StandardStatus: 'Delete', ModificationTimestamp: laterTime(1) })])
    await sync('metro', { full: true })
    await feed.takeAsked()
    await test.database.query("update connected_sources set sweep_due_at = now() - interval '1 hour'")
    await sync()
    // One page of changes, the count, one page of keys, and the count.
    expect(await feed.takeAsked()).toHaveLength(4)
    expect(await kinds()).toEqual({ for_sale: 4 })
  })
})

describe('a record of a feed', () => {
  it('is removed immediately if it is reported as deleted, or as not to be displayed any more', async () => {
    await feed.put(feedListings(6))
    await connect()
    await sync()
    await feed.put([
      feedListing(1, { StandardStatus: 'Delete', ModificationTimestamp: laterTime(1) }),
      feedListing(2, { MlgCanView: false, ModificationTimestamp: laterTime(2) }),
      feedListing(3, { InternetEntireListingDisplayYN: false, ModificationTimestamp: laterTime(3) }),
    ])
    expect(await sync()).toMatchObject({ removed: 3, withheld: 1 })
    expect(await kinds()).toEqual({ for_sale: 3 })
    const { rows } = await test.database.query(
      `select source_key as key, state, reason from source_records where state not in ('listed', 'deleted')`,
    )
    expect(rows).toEqual([{ key: 'M000003', state: 'withheld', reason: 'display_forbidden' }])
  })

  it('leaves the stored home unchanged if it lacks the office that the home has, and still hides its address', async () => {
    await feed.put(feedListings(3))
    await connect()
    await sync()
    const bare = (at: number, changes: object = {}) =>
      feedListing(at, { ListOfficeName: undefined, ModificationTimestamp: laterTime(at), ...changes })
    await feed.put([bare(0), bare(1, { InternetAddressDisplayYN: false }), bare(7)])
    expect(await sync()).toMatchObject({ rejected: 2, withheld: 1, removed: 0 })
    const { rows } = await test.database.query<{ hidden: boolean }>(
      'select address_hidden as hidden from listings order by price',
    )
    expect(rows.map(({ hidden }) => hidden)).toEqual([false, true, false])
    expect((await findConnected(test.database, 'metro'))!.counts).toMatchObject({ rejected: 2, withheld: 1 })
  })

  it('leaves the stored home unchanged if it cannot be used, and is reported with the reason', async () => {
    await feed.put(feedListings(3))
    await connect()
    await sync()
    await feed.put([feedListing(1, { Latitude: 95, ListPrice: 5, ModificationTimestamp: laterTime(1) })])
    expect(await sync()).toMatchObject({ rejected: 1, removed: 0 })
    expect(await kinds()).toEqual({ for_sale: 3 })
    const { rows } = await test.database.query<{ reason: string }>(
      `select reason from source_records where state = 'rejected'`,
    )
    expect(rows).toEqual([{ reason: expect.stringContaining('latitude') }])
  })
})

describe('a record that cannot be used, and forbids to show its address', () => {
  it('hides the address of the stored home', async () => {
    await feed.put([
      feedListing(1, { PublicRemarks: 'See 101 Main St today.' }),
      feedListing(2, { PublicRemarks: 'Bright.' }),
    ])
    await connect()
    await sync()
    const { lease } = (await claimSource(test.database, 'metro'))!
    const applied = await applyPage(test.database, lease, {
      entry: { id: undefined, start: new Map(), mode: 'judged' },
      records: [feedListing(1)],
      toListing: () => ({
        kind: 'listing',
        sourceKey: 'M000001',
        modified: laterTime(1),
        isAddressHidden: true,
        record: { latitude: 95, longitude: 0 },
        unknownLookups: [],
      }),
      savePosition: async () => {},
    })
    expect(applied).toMatchObject({ rejected: 1, updated: 0, removed: 0 })
    const { rows } = await test.database.query<{ record: string; hidden: boolean }>(
      `select record, address_hidden as hidden from listings where source = 'metro' order by price`,
    )
    expect(rows.map((row) => row.hidden)).toEqual([true, false])
    expect(rows[0]!.record).not.toMatch(/101|Main|47\.6|7700-/)
    expect(JSON.parse(rows[0]!.record)).toMatchObject({ price: 300_100, isUndisclosedAddress: true })
    const changes = await test.database.query(
      `select summary from listing_changes where summary like '%101 Main%'`,
    )
    expect(changes.rows).toEqual([])
  })
})

describe('the same home in two feeds', () => {
  it('is linked by its address and its parcel, and stays two records', async () => {
    await feed.put([feedListing(1), feedListing(2), feedListing(3, { InternetAddressDisplayYN: false })])
    await connect('metro')
    await sync('metro')
    await connect('valley')
    await sync('valley')
    const { rows } = await test.database.query<{ sources: string; street: string; by_parcel: boolean }>(
      `select l.source || ' ' || o.source as sources, l.street_key = o.street_key as same, by_address, by_parcel
       from linked_homes k join listings l using (zpid) join listings o on o.zpid = k.other_zpid`,
    )
    // The address of the third home may not be shown, so nothing may be found by it.
    expect(rows).toEqual(
      [1, 2].map(() => ({ sources: 'metro valley', same: true, by_address: true, by_parcel: true })),
    )
    expect(await kinds('metro')).toEqual({ for_sale: 3 })
    expect(await kinds('valley')).toEqual({ for_sale: 3 })
    await feed.put([feedListing(1, { StandardStatus: 'Delete', ModificationTimestamp: laterTime(1) })])
    await sync('valley')
    const links = await test.database.query('select from linked_homes')
    expect(links.rowCount).toBe(1)
  })

  it('is linked by its address alone, in any spelling, or by its parcel alone, within its county', async () => {
    const home = (system: string, at: number, changes: object) =>
      feedListing(at, { ListingKey: `${system}-${at}`, OriginatingSystemName: system, ...changes })
    await feed.put([
      home('metro', 1, { ParcelNumber: undefined }),
      home('valley', 1, { ParcelNumber: undefined, StreetName: 'MAIN', StreetSuffix: 'Street' }),
      home('metro', 2, {}),
      home('valley', 2, { ParcelNumber: '7700 000002', StreetName: 'Harbor' }),
      // Another unit, and another county, are other homes.
      home('metro', 3, { UnitNumber: '1' }),
      home('valley', 3, { UnitNumber: '2' }),
      home('valley', 4, { ParcelNumber: '7700-000002', StreetName: 'Pine', CountyOrParish: 'Pierce' }),
    ])
    for (const system of ['metro', 'valley']) {
      await connect(system, { originatingSystem: system })
      await sync(system)
    }
    const { rows } = await test.database.query(
      `select i.source_key as one, o.source_key as other, by_address, by_parcel
       from linked_homes k join record_identities i on i.zpid = k.zpid join record_identities o on o.zpid = k.other_zpid
       where i.source_key like 'm%-%' and o.source_key like 'v%-%' order by 1`,
    )
    expect(rows).toEqual([
      { one: 'metro-1', other: 'valley-1', by_address: true, by_parcel: false },
      { one: 'metro-2', other: 'valley-2', by_address: false, by_parcel: true },
    ])
    expect((await test.database.query('select from linked_homes')).rowCount).toBe(2)
    expect([await kinds('metro'), await kinds('valley')]).toEqual([{ for_sale: 3 }, { for_sale: 4 }])
  })
})
