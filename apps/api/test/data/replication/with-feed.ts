// A feed and the database that it is read into, for tests of runs. Both are empty when a test begins.

import { beforeEach } from 'vitest'
import { syncSource } from '../../../src/data/replication/run-source.ts'
import { addSource, type ResoSettings } from '../../../src/data/replication/source-store.ts'
import { withResoServer } from '../../setup/reso-server/start.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

export function withFeed() {
  const test = withTestDatabase()
  const feed = withResoServer()

  beforeEach(async () => {
    await test.database.query(
      'truncate imports, listings, listing_changes, removed_listings, linked_homes, home_parcels, connected_sources cascade; truncate feed_calls, feed_credentials',
    )
  })

  async function connect(name = 'metro', settings: Partial<ResoSettings> = {}): Promise<void> {
    await addSource(
      test.database,
      name,
      { kind: 'reso', url: feed.url, profile: 'generic', ...settings },
      900,
    )
  }

  async function sync(name = 'metro', options: Parameters<typeof syncSource>[2] = {}) {
    const result = await syncSource(test.database, name, options)
    if (result?.outcome === 'failed') throw result.error
    if (result?.outcome !== 'synced') throw new Error(`the run was ${result?.outcome}`)
    return result.total
  }

  /** The number of homes of each kind of the source. */
  async function kinds(source = 'metro'): Promise<Record<string, number>> {
    const { rows } = await test.database.query<{ kind: string; count: number }>(
      'select kind, count(*) from listings where source = $1 group by kind order by kind',
      [source],
    )
    return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
  }

  /** The keys and prices of the stored listings of the source `metro`, by key. */
  async function storedPrices(): Promise<[key: string, price: number][]> {
    const { rows } = await test.database.query<{ key: string; price: number }>(
      `select i.source_key as key, l.price from listings l
       join record_identities i on i.zpid = l.zpid and i.source = l.source
       where l.source = 'metro' and i.source_key <> l.zpid order by 1`,
    )
    return rows.map(({ key, price }) => [key, price])
  }

  /** The stored record of a listing of the source `metro`. */
  async function recordOf(key: string): Promise<Record<string, unknown>> {
    const { rows } = await test.database.query<{ record: string }>(
      `select l.record from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
       where i.source = 'metro' and i.source_key = $1`,
      [key],
    )
    return JSON.parse(rows[0]!.record)
  }

  return { test, feed, connect, sync, kinds, storedPrices, recordOf }
}
