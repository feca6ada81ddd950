// Open houses, offices, and agents of feeds that do not send them with their listings.

import { describe, expect, it } from 'vitest'
import { feedListing, feedListings, laterTime } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const { feed, connect, sync, recordOf } = withFeed()

describe('a feed without $expand', () => {
  const house = (at: number, listing: string, start: string, changes: object = {}) => ({
    OpenHouseKey: `O${at}`,
    ListingKey: listing,
    OpenHouseStartTime: start,
    OpenHouseEndTime: start.replace('T18', 'T20'),
    ModificationTimestamp: laterTime(at),
    ...changes,
  })

  it('has its open houses read separately, and a changed one updates a listing that did not change', async () => {
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
    await connect('metro', { expand: ['Media'], related: ['OpenHouse', 'Office', 'Member'] })
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
    // A later change of the listing keeps the open house.
    await feed.put([feedListing(2, { ...keys, ListPrice: 7, ModificationTimestamp: laterTime(90) })])
    await sync()
    expect(await recordOf('M000002')).toMatchObject({ price: 7, openHouseSchedule: [{}] })
    // A deleted open house is found missing after two reads of all. A single pass may miss one.
    await feed.behave({ resources: { ...people, OpenHouse: [house(12, 'M000000', first)] } })
    expect(await sync('metro', { full: true })).toMatchObject({ updated: 0 })
    expect(await recordOf('M000002')).toHaveProperty('openHouseSchedule')
    expect(await sync('metro', { full: true })).toMatchObject({ updated: 1 })
    expect(await recordOf('M000002')).not.toHaveProperty('openHouseSchedule')
    expect(await recordOf('M000000')).toHaveProperty('openHouseSchedule')
  })

  it('may lose more open houses than one step updates', async () => {
    const count = 260
    const key = (at: number) => `M${String(at).padStart(6, '0')}`
    const houses = Array.from({ length: count }, (_, at) => house(at, key(at), '2031-05-01T18:00:00Z'))
    await feed.behave({ resources: { OpenHouse: houses } })
    await feed.put(feedListings(count))
    await connect('metro', { expand: ['Media'], related: ['OpenHouse'] })
    await sync()
    await feed.behave({ resources: { OpenHouse: houses.slice(-1) } })
    await sync('metro', { full: true })
    expect(await sync('metro', { full: true })).toMatchObject({ updated: count - 1 })
    expect(await recordOf(key(0))).not.toHaveProperty('openHouseSchedule')
    expect(await recordOf(key(count - 1))).toHaveProperty('openHouseSchedule')
  })
})
