import { describe, expect, it } from 'vitest'
import { discardImport, readHeld } from '../../../src/data/imports/held-imports.ts'
import { ImportHeld } from '../../../src/data/imports/hold-import.ts'
import { releaseImport } from '../../../src/data/ingest/release-import.ts'
import { readStatus } from '../../../src/data/replication/source-status.ts'
import { feedListing, feedListings, laterTime } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const { test, feed, connect, sync, kinds, storedPrices } = withFeed()

const HOMES = 80
const stateOf = async () =>
  (await readStatus(test.database)).map(({ state, held }) => [state, held?.findings[0]?.limit])
const garbage = () =>
  Array.from({ length: HOMES }, (_, at) =>
    feedListing(at, { ListPrice: 50_000_000 + at, ModificationTimestamp: laterTime(1) }),
  )

async function holdFeed() {
  await feed.put(feedListings(HOMES))
  await connect()
  await sync()
  const before = await storedPrices()
  await feed.put(garbage())
  await expect(sync()).rejects.toThrow(ImportHeld)
  expect(await storedPrices()).toEqual(before)
  const [held] = await readHeld(test.database)
  return { before, id: held!.id }
}

describe('a feed whose pages exceed limits', () => {
  it('is held until a person decides, whatever runs in between, and still follows deletions', async () => {
    const { before } = await holdFeed()
    expect(await stateOf()).toEqual([['held', 'medianPrice']])
    await feed.put([feedListing(3, { StandardStatus: 'Delete', ModificationTimestamp: laterTime(2) })])
    expect(await sync()).toMatchObject({ inserted: 0, updated: 0, removed: 1 })
    expect(await storedPrices()).toEqual(before.filter(([key]) => key !== feedListing(3).ListingKey))
    expect(await stateOf()).toEqual([['held', 'medianPrice']])
  })

  it('is applied by the run after its release, and judged again afterward', async () => {
    const { id, before } = await holdFeed()
    expect(await releaseImport(test.database, id, 'tester')).toEqual({
      outcome: 'next run',
      sources: ['metro'],
    })
    expect(await sync()).toMatchObject({ updated: HOMES })
    expect(await stateOf()).toEqual([['waiting', undefined]])
    await feed.put(feedListings(HOMES, { ModificationTimestamp: laterTime(3) }))
    await expect(sync()).rejects.toThrow(ImportHeld)
    expect(await storedPrices()).not.toEqual(before)
  })

  it('is read and judged again after it was discarded', async () => {
    const { id, before } = await holdFeed()
    await test.database.transaction((tx) => discardImport(tx, id, 'tester'))
    await expect(sync()).rejects.toThrow(ImportHeld)
    const [held] = await readHeld(test.database)
    await test.database.transaction((tx) => discardImport(tx, held!.id, 'tester'))
    await feed.put(feedListings(HOMES, { ModificationTimestamp: laterTime(4) }))
    await sync()
    expect(await storedPrices()).toEqual(before)
    expect(await kinds()).toEqual({ for_sale: HOMES })
  })
})
