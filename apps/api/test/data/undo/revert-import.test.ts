// The undo of runs of feeds, and of homes that may not be shown any more.

import { describe, expect, it } from 'vitest'
import { readImports } from '../../../src/data/imports/import-log.ts'
import { createStage, lockImports } from '../../../src/data/listings/stage-listings.ts'
import { resumeSource } from '../../../src/data/replication/source-store.ts'
import { hideStoredAddresses, withholdHomes } from '../../../src/data/rights/withhold-homes.ts'
import { revertImport } from '../../../src/data/undo/revert-import.ts'
import { importLogged, listingsOf } from '../../work/watches/undo-tools.ts'
import { home } from '../../work/watches/watch-tools.ts'
import { feedListing, feedListings, laterTime } from '../replication/feed-records.ts'
import { withFeed } from '../replication/with-feed.ts'

const { test, feed, connect, sync, storedPrices } = withFeed()
const database = () => test.database
const address = { streetAddress: '12 Oak St', city: 'Seattle', state: 'WA', zipcode: '98101' }

async function revert(importId: number) {
  const result = await revertImport(database(), importId, { operator: 'Ada' })
  if (!result.reverted) throw new Error(result.because)
  return result.revert
}

async function lastImport(): Promise<number> {
  return (await readImports(database(), { limit: 1 }))[0]!.id
}

const LINKS = 'select zpid, other_zpid, by_address, by_parcel from linked_homes order by 1, 2'
const IDENTITIES = 'select * from record_identities order by source, source_key'

describe('the undo of a run of a feed', () => {
  it('of several pages restores all homes, and pauses the source without moving its position', async () => {
    await feed.put(feedListings(450))
    await connect()
    await connect('twin')
    await sync()
    await sync('twin')
    const before = await listingsOf(database())
    const links = (await database().query(LINKS)).rows
    const identities = (await database().query(IDENTITIES)).rows
    const wrong = Array.from({ length: 450 }, (_, at) =>
      feedListing(at, { ListPrice: 333_333, ModificationTimestamp: laterTime(at) }),
    )
    await feed.put(wrong)
    await sync()
    const position = (await database().query('select * from source_cursors order by 1')).rows
    const result = await revert(await lastImport())
    expect(result).toMatchObject({ restored: 450, removed: 0, pausedSources: ['metro'] })
    expect(await listingsOf(database())).toEqual(before)
    expect((await database().query(LINKS)).rows).toEqual(links)
    expect((await database().query(IDENTITIES)).rows).toEqual(identities)
    expect((await database().query('select * from source_cursors order by 1')).rows).toEqual(position)
    const { rows } = await database().query<{ name: string }>(
      'select name from connected_sources where paused_at is null order by 1',
    )
    expect(rows).toEqual([{ name: 'twin' }])
    await resumeSource(database(), 'metro')
    // Its position is behind the undone pages, so only a full run reads them again.
    await sync('metro', { full: true })
    expect((await storedPrices())[0]![1]).toBe(333_333)
  })

  it('of a sweep puts the withdrawn homes back on the market, and a later sweep looks for them again', async () => {
    await feed.put(feedListings(20))
    await connect()
    await sync('metro', { full: true })
    const before = await listingsOf(database())
    await feed.delete(['M000001', 'M000002'])
    await sync('metro', { full: true })
    expect(await revert(await lastImport())).toMatchObject({ restored: 2 })
    expect(await listingsOf(database())).toEqual(before)
    await resumeSource(database(), 'metro')
    expect(await sync('metro', { full: true })).toMatchObject({ withdrawn: 2 })
  })
})

describe('a home that may not be shown any more', () => {
  it('stays removed after the undo of an import that had changed it, and its kept record is deleted', async () => {
    await importLogged(database(), [home(1), home(2)])
    const bad = await importLogged(database(), [home(1, { price: 1 }), home(2, { price: 1 })])
    await database().transaction(async (tx) => {
      await lockImports(tx)
      await withholdHomes(tx, 'mls', ['1'])
    })
    const { rows } = await database().query<{ record: string | null }>(
      "select record from replaced_listings where zpid = '1'",
    )
    expect(rows.map(({ record }) => record)).toEqual([null, null])
    expect(await revert(bad)).toMatchObject({ restored: 1, withheld: 1 })
    expect(await listingsOf(database())).toMatchObject([{ zpid: '2', price: 500_000 }])
  })

  it('stays without its address after the undo', async () => {
    await importLogged(database(), [home(5, { address })])
    const bad = await importLogged(database(), [home(5, { address, price: 1 })])
    await database().transaction(async (tx) => {
      await lockImports(tx)
      await createStage(tx)
      await hideStoredAddresses(tx, ['5'])
    })
    expect(await revert(bad)).toMatchObject({ restored: 1 })
    const [stored] = (await listingsOf(database())) as readonly { price: number; record: string }[]
    expect(stored).toMatchObject({ price: 500_000, address_hidden: true, street_key: null, location: null })
    expect(stored!.record).not.toContain('Oak')
    const { rows } = await database().query<{ zpid: string; what: string }>(
      'select zpid, what from withheld_homes where zpid = $1',
      ['5'],
    )
    expect(rows).toEqual([{ zpid: '5', what: 'address' }])
  })

  it('is not shown by the undo of the import whose rows hid its address', async () => {
    await importLogged(database(), [home(7, { address })])
    const hiding = await importLogged(database(), [home(7, { isUndisclosedAddress: true })])
    await revert(hiding)
    const [stored] = (await listingsOf(database())) as readonly { zpid: string; record: string }[]
    expect(stored).toMatchObject({ zpid: '7', address_hidden: true })
    expect(stored!.record).not.toContain('Oak')
  })
})
