// Invalid records of a feed stop neither the feed nor the restrictions in it.

import { describe, expect, it } from 'vitest'
import { readStatus } from '../../../src/data/replication/source-status.ts'
import { feedListing, laterTime } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const { test, feed, connect, sync, kinds } = withFeed()

describe('a record with a character that cannot be stored', () => {
  it('is stored without it, and stops neither the next record nor a deletion', async () => {
    // The character is in the price history and in a lookup, which the database reads as JSON and as text.
    const odd = {
      StandardStatus: 'Act\0ive',
      ArchitecturalStyle: ['Od\0d \ud800'],
      PublicRemarks: 'Br\0ight \udc00',
    }
    await feed.put([feedListing(1), feedListing(2, odd)])
    await connect()
    expect(await sync()).toMatchObject({ inserted: 2 })
    await feed.put([
      feedListing(1, { MlgCanView: false, ModificationTimestamp: laterTime(1) }),
      feedListing(2, { ...odd, ListPrice: 5, ModificationTimestamp: laterTime(2) }),
    ])
    expect(await sync()).toMatchObject({ removed: 1, updated: 1 })
    const { rows } = await test.database.query<{ record: string }>('select record from listings')
    expect(rows.map(({ record }) => JSON.parse(record).description)).toEqual(['Bright \ufffd'])
  })
})

describe('a time of change that the database cannot store', () => {
  const ODD = ['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2026-11-01T00:00:00+23:00']

  it('stops neither the pass, nor a sweep, nor the status of all sources', async () => {
    const house = (at: number, time: string) => ({
      OpenHouseKey: `O${at}`,
      ListingKey: 'M000001',
      OpenHouseEndTime: '0000-01-01T00:00:00Z',
      ModificationTimestamp: time,
    })
    // The first page has only impossible times.
    await feed.behave({
      maxPage: 2,
      resources: { OpenHouse: [laterTime(0), ...ODD].map((time, at) => house(at, time)) },
    })
    await feed.put([
      feedListing(9),
      ...ODD.map((ModificationTimestamp, at) => feedListing(at, { ModificationTimestamp })),
    ])
    await connect('metro', { related: ['OpenHouse'] })
    expect(await sync('metro', { full: true })).toMatchObject({ inserted: 4, rejected: 0 })
    expect(await readStatus(test.database)).toMatchObject([
      { newest: new Date(feedListing(9).ModificationTimestamp) },
    ])
  })
})

describe('a key with spaces around it', () => {
  it('is trimmed for deletions, withdrawals, and sweeps', async () => {
    const spaced = (at: number, changes: object = {}) =>
      feedListing(at, { ListingKey: ` M00000${at} `, ...changes })
    await feed.put([spaced(1), spaced(2), spaced(3), feedListing(4)])
    await connect()
    await sync()
    await feed.put([
      spaced(1, { StandardStatus: 'Delete', ModificationTimestamp: laterTime(1) }),
      spaced(2, { InternetEntireListingDisplayYN: false, ModificationTimestamp: laterTime(2) }),
    ])
    expect(await sync()).toMatchObject({ removed: 2 })
    await feed.delete([' M000003 '])
    // The server does not find the stored keys, so only the operator can say that the list is complete.
    await expect(sync('metro', { full: true })).rejects.toThrow(/does not answer questions by key/)
    expect(await kinds()).toEqual({ for_sale: 2 })
    expect(await sync('metro', { full: true, allowRemovals: 1 })).toMatchObject({ withdrawn: 1 })
    expect(await kinds()).toEqual({ for_sale: 1, off_market: 1 })
  })
})
