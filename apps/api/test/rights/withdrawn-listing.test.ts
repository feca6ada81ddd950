// A listing, or its address, that its feed does not allow to be shown any more: later events of watches show nothing of it. Beside it is
// one that the operator removed, so that a test that finds no street proves something.

import { beforeAll, describe, expect, it, vi } from 'vitest'
import { removeListings } from '../../src/data/ingest/remove-listings.ts'
import { syncSource } from '../../src/data/replication/run-source.ts'
import { addSource } from '../../src/data/replication/source-store.ts'
import { feedListing, laterTime } from '../data/replication/feed-records.ts'
import { withResoServer } from '../setup/reso-server/start.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'

interface WatchEvent {
  readonly type: string
  readonly zpid: string
  readonly listing: Readonly<Record<string, unknown>> | null
}

const test = withTestDatabase()
const feed = withResoServer()
const server = withTestServer(test)
const KEYS = {
  forbidden: 'M000001',
  removed: 'M000002',
  hidden: 'M000003',
  shown: 'M000004',
  deleted: 'M000005',
}
let zpidOf: Readonly<Record<keyof typeof KEYS, string>>
let events: readonly WatchEvent[]

async function sync(): Promise<void> {
  const result = await syncSource(test.database, 'metro', {})
  expect(result?.outcome).toBe('synced')
}

beforeAll(async () => {
  const put = (seconds: number, ...listings: readonly (readonly [number, object])[]) =>
    feed.put(
      listings.map(([at, changes]) =>
        feedListing(at, { ModificationTimestamp: laterTime(seconds + at), ...changes }),
      ),
    )
  await feed.put([1, 2, 3, 4, 5].map((at) => feedListing(at)))
  await addSource(test.database, 'metro', { kind: 'reso', url: feed.url, profile: 'generic' }, 900)
  await sync()
  const { rows } = await test.database.query<{ key: string; zpid: string }>(
    "select source_key as key, zpid from record_identities where source = 'metro'",
  )
  const ids = Object.entries(KEYS).map(([name, key]) => [name, rows.find((row) => row.key === key)!.zpid])
  zpidOf = Object.fromEntries(ids) as typeof zpidOf
  const { key } = await server.openAccount()
  const body = { name: 'Homes', zpids: Object.values(zpidOf) }
  const { json, status } = await server.post('/v1/watches', body, { key })
  expect(status).toBe(201)

  const runUntil = async (isDone: () => Promise<boolean>) => {
    const running = server.app.watches.start()
    try {
      await vi.waitUntil(isDone, { timeout: 20_000 })
    } finally {
      await running.stop()
    }
  }
  // From then on it follows the change log.
  await runUntil(async () => {
    const { rows } = await test.database.query<{ is_current: boolean }>('select is_current from watches')
    return rows[0]!.is_current
  })
  // All changes happen before the watch is evaluated again.
  const cheaper = { ListPrice: 200_000 }
  await put(10, [1, cheaper], [2, cheaper], [3, { StandardStatus: 'Delete' }], [4, cheaper], [5, cheaper])
  await sync()
  await put(
    20,
    ...([
      [1, { ...cheaper, InternetEntireListingDisplayYN: false }],
      [3, { ...cheaper, InternetAddressDisplayYN: false }],
      [4, { ...cheaper, InternetAddressDisplayYN: false }],
      [5, { StandardStatus: 'Delete' }],
    ] as const),
  )
  await sync()
  await removeListings(test.database, { zpids: [zpidOf.removed] })
  const path = `/v1/watches/${json.data.id}/events`
  await runUntil(async () => (await server.get(path, { key })).json.data.length === 9)
  events = (await server.get(path, { key })).json.data
})

const eventsOf = (name: keyof typeof KEYS) =>
  Object.fromEntries(
    events.filter(({ zpid }) => zpid === zpidOf[name]).map(({ type, listing }) => [type, listing]),
  )

describe('An event that is reported after the feed took back the right', () => {
  it('has no listing if the feed withholds or deletes it, nor has an earlier event of that home', () => {
    for (const name of ['forbidden', 'deleted'] as const)
      expect(eventsOf(name)).toEqual({ 'listing.price_changed': null, 'listing.removed': null })
  })

  it('has the last listing of a home that the operator removed', () => {
    expect(Object.keys(eventsOf('removed')).sort()).toEqual(['listing.price_changed', 'listing.removed'])
    for (const listing of Object.values(eventsOf('removed'))) {
      expect(JSON.stringify(listing)).toContain('102 Main')
      expect(listing).toMatchObject({ price: '$200,000' })
    }
  })

  it('does not show an address that must not be displayed any more', () => {
    expect(Object.keys(eventsOf('shown'))).toEqual(['listing.price_changed'])
    const again = eventsOf('hidden')
    expect(Object.keys(again).sort()).toEqual(['listing.back_on_market', 'listing.removed'])
    for (const listing of [...Object.values(eventsOf('shown')), ...Object.values(again)]) {
      const text = JSON.stringify(listing)
      for (const secret of ['103 Main', '104 Main', '47.6003', '47.6004', '7700-'])
        expect(text).not.toContain(secret)
    }
  })

  it('uses no search row of the change log for a listing that may not be shown', async () => {
    const { rows } = await test.database.query<{ zpid: string }>(
      'select zpid from listing_changes where summary is not null',
    )
    expect(rows).toEqual([{ zpid: zpidOf.removed }])
  })
})
