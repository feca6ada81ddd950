// Misses are remembered: a repeated request for something unknown sends no provider query, in any process, until the data
// changes or 10 minutes are over.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Property } from '@lotline/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { createDatasetProvider } from '../../../src/data/sources/dataset/dataset-provider.ts'
import type { Provider } from '../../../src/data/sources/provider.ts'
import { removeExpired } from '../../../src/work/retention/remove-expired.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer, withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()

const HOME_URL = 'https://www.zillow.com/homedetails/99990001_zpid/'
const BUILDING_URL = 'https://www.zillow.com/b/no-such-building-seattle-wa-9ZzZz9/'
const UNKNOWN = {
  'by zpid': '/v1/properties/99990000',
  'a part, by zpid': '/v1/properties/99990004/photos',
  'by the URL of a home': `/v1/properties/by-url?url=${encodeURIComponent(HOME_URL)}`,
  'by the URL of a home, with another status': `/v1/properties/by-url?status=RECENTLY_SOLD&url=${encodeURIComponent(HOME_URL)}`,
  'by the URL of a building': `/v1/properties/by-url?url=${encodeURIComponent(BUILDING_URL)}`,
  'by the URL of a building, its units': `/v1/properties/by-url?extract_units=all&url=${encodeURIComponent(BUILDING_URL)}`,
  'by address': `/v1/properties/by-address?address=${encodeURIComponent('1 Nowhere Ln, Seattle, WA 98109')}`,
}

describe('a provider that does not know the home', () => {
  const provider = createMemoryProvider()
  const one = withTestServer(testDatabase, { parts: { provider } })
  const other = withTestServer(testDatabase, {
    parts: { provider },
    // Two processes share their counts of calls only through a store. They share remembered misses without one.
  })

  beforeEach(async () => {
    await testDatabase.database.query('delete from missed_lookups')
  })

  it.each(Object.entries(UNKNOWN))('is queried once for all processes %s', async (_name, path) => {
    const { key } = await one.openAccount()
    const before = provider.asked
    const answers = []
    for (const server of [one, one, other, other, one]) answers.push(await server.get(path, { key }))
    expect(answers.map(({ status, charged }) => [status, charged])).toEqual(answers.map(() => [404, 0]))
    expect(provider.asked - before).toBe(1)
    expect(new Set(answers.map(({ json }) => json.error.message)).size).toBe(1)
  })

  it('is queried once for concurrent calls of two keys', async () => {
    const keys = [(await one.openAccount()).key, (await one.openAccount()).key]
    const before = provider.asked
    // Long enough for the second call to arrive before the result of the first.
    provider.trouble = () => sleep(500)
    const statuses = await Promise.all(
      keys.map(async (key) => (await one.get('/v1/properties/99990010', { key })).status),
    )
    provider.trouble = undefined
    expect(statuses).toEqual([404, 404])
    expect(provider.asked - before).toBe(1)
  })

  it('is queried again after 10 minutes', async () => {
    const { key } = await one.openAccount()
    const before = provider.asked
    expect((await one.get('/v1/properties/99990020', { key })).status).toBe(404)
    await testDatabase.database.query(
      `update missed_lookups set missed_at = now() - interval '10 minutes 1 second'`,
    )
    expect((await other.get('/v1/properties/99990020', { key })).status).toBe(404)
    expect(provider.asked - before).toBe(2)
  })

  it('is queried again after a failure: only results are remembered', async () => {
    const { key } = await one.openAccount()
    provider.trouble = () => Promise.reject(new Error('broken'))
    expect((await one.get('/v1/properties/99990030', { key })).status).toBe(500)
    provider.trouble = undefined
    const before = provider.asked
    expect((await one.get('/v1/properties/99990030', { key })).status).toBe(404)
    expect(provider.asked - before).toBe(1)
  })

  it('causes a row of bounded size, which is removed later', async () => {
    const { key } = await one.openAccount()
    const address = encodeURIComponent(`1 ${'Nowhere '.repeat(20)}Ln, Seattle, WA 98109`)
    expect((await one.get(`/v1/properties/by-address?address=${address}`, { key })).status).toBe(404)
    const { rows } = await testDatabase.database.query<{ bytes: number }>(
      'select pg_column_size(m.*) as bytes from missed_lookups m',
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]!.bytes).toBeLessThan(200)
    await testDatabase.database.query(
      `update missed_lookups set missed_at = now() - interval '20 minutes 1 second'`,
    )
    expect(await removeExpired(testDatabase.database, 'missed_lookups')).toBe(false)
    expect((await testDatabase.database.query('select 1 from missed_lookups')).rows).toEqual([])
  })
})

describe('an import', () => {
  const asked: string[] = []
  const servers: (TestServer & { close(): Promise<void> })[] = []

  function counting(provider: Provider): Provider {
    const counted =
      <Args extends unknown[], R>(name: string, ask: (...args: Args) => R) =>
      (...args: Args) => {
        asked.push(name)
        return ask(...args)
      }
    return {
      ...provider,
      findByZpid: counted('findByZpid', provider.findByZpid),
      findByAddress: counted('findByAddress', provider.findByAddress),
    }
  }

  it('makes a missing home available within a second, in all processes, by zpid and by address', async () => {
    const { database } = testDatabase
    for (let process = 0; process < 2; process++) {
      const provider = counting(createDatasetProvider(database))
      servers.push(await startTestServer(testDatabase, { parts: { provider } }))
    }
    try {
      const { key } = await servers[0]!.openAccount()
      const address = encodeURIComponent('7 Brandnew Ct, Seattle, WA 98109')
      const paths = ['/v1/properties/77000001', `/v1/properties/by-address?address=${address}`]
      for (const server of [...servers, ...servers])
        for (const path of paths) expect((await server.get(path, { key })).status).toBe(404)
      expect(asked.sort()).toEqual(['findByAddress', 'findByZpid'])

      await importListings(database, [{ line: 1, record: HOME }])
      for (const server of servers) {
        for (const path of paths) {
          await expect.poll(async () => (await server.get(path, { key })).status).toBe(200)
        }
      }
    } finally {
      for (const server of servers) await server.close()
    }
  })

  it('changes nothing before its commit, or if it is rolled back', async () => {
    const { database } = testDatabase
    const version = async () =>
      (await database.query<{ version: number }>('select version from data_set_version')).rows[0]?.version
    const before = await version()
    await importListings(database, [{ line: 1, record: { ...HOME, zpid: '77000002' } }], { dryRun: true })
    expect(await version()).toBe(before)
    await importListings(database, [{ line: 1, record: { ...HOME, zpid: '77000003' } }])
    expect(await version()).toBe((before ?? 0) + 1)
  })
})

const HOME = {
  zpid: '77000001',
  homeStatus: 'FOR_SALE',
  price: 500_000,
  latitude: 47.63,
  longitude: -122.35,
  address: { streetAddress: '7 Brandnew Ct', city: 'Seattle', state: 'WA', zipcode: '98109' },
} as unknown as Property
