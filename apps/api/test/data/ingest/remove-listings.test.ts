import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { readZpids } from '../../../src/data/ingest/read-zpids.ts'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { SAMPLE_SOURCE } from '../../../src/data/listings/listing-source.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer } from '../../setup/test-server.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()

const home = (zpid: string, price: number) => ({
  zpid,
  price,
  homeStatus: 'FOR_SALE',
  homeType: 'SINGLE_FAMILY',
  latitude: 47.63,
  longitude: -122.35,
  address: { streetAddress: `${zpid} Removal Ct`, city: 'Seattle', state: 'WA', zipcode: '98109' },
})
const BOX = 'bbox=-122.36,47.62,-122.34,47.64'

describe('a removed home', () => {
  it('disappears from every process and cache within a second, while its rows of finished jobs stay', async () => {
    const { database } = test
    await importListings(database, rowsOf([home('501', 1), home('502', 2)]), { source: 'mls' })
    const servers: TestServer[] = []
    const close: (() => Promise<void>)[] = []
    for (let process = 0; process < 2; process++) {
      const server = await startTestServer(test)
      servers.push(server)
      close.push(() => server.close())
    }
    try {
      const [one] = servers as [TestServer]
      const { key } = await one.openAccount({ plan: 'monthly' })
      const address = encodeURIComponent('501 Removal Ct, Seattle, WA 98109')
      const url = encodeURIComponent('https://www.zillow.com/homedetails/501_zpid/')
      const lookups = [
        '/v1/properties/501',
        '/v1/properties/501/photos',
        `/v1/properties/by-url?url=${url}`,
        `/v1/properties/by-address?address=${address}`,
      ]
      // Requested twice, so that the shared table and the memory of each process have it.
      for (const server of [...servers, ...servers])
        for (const path of lookups) expect((await server.get(path, { key })).status).toBe(200)
      const worker = one.app.jobs.start({ work: true })
      const accepted = await one.post('/v1/properties/batch', { urls: [decodeURIComponent(url)] }, { key })
      const results = `/v1/jobs/${accepted.json.data.job_id}/results`
      await expect.poll(async () => (await one.get(results, { key })).status, { timeout: 20_000 }).toBe(200)
      await worker.stop()

      expect(await removeListings(database, { zpids: ['501', '77'] })).toEqual({
        removed: 1,
        bySource: { mls: 1 },
        notFound: ['77'],
      })
      for (const server of servers) {
        for (const path of lookups) {
          await expect
            .poll(async () => (await server.get(path, { key })).status, { timeout: 20_000 })
            .toBe(404)
        }
        const found = await server.get(`/v1/listings?${BOX}`, { key })
        expect(found.json.data.map((row: { zpid: string }) => row.zpid)).toEqual(['502'])
        const results1 = await server.get(results, { key })
        expect(results1.json.data).toMatchObject([{ zpid: '501', price: 1 }])
      }
      const { rows } = await database.query("select 1 from cached_records where zpid = '501'")
      expect(rows).toEqual([])
    } finally {
      for (const each of close) await each()
    }
  })

  it('has its new record after it was imported again, and no earlier copy', async () => {
    const { database } = test
    await importListings(database, rowsOf([home('511', 1)]), { source: 'mls' })
    const server = await startTestServer(test)
    try {
      const { key } = await server.openAccount()
      const price = async () => (await server.get('/v1/properties/511', { key })).json.data?.price
      expect(await price()).toBe(1)
      await removeListings(database, { zpids: ['511'] })
      // The home has as many changes as before the removal. If its generation started at 1 again, the cached copy would count as current.
      await importListings(database, rowsOf([home('511', 2)]), { source: 'mls' })
      expect(await price()).toBe(2)
      const { rows } = await database.query(
        "select generation, (select count(*) from removed_listings where zpid = '511') as removals from listings where zpid = '511'",
      )
      expect(rows).toEqual([{ generation: 2, removals: 0 }])
    } finally {
      await server.close()
    }
  })

  it('keeps its generation through several removals', async () => {
    const { database } = test
    for (const generation of [1, 2, 3]) {
      await importListings(database, rowsOf([home('521', generation)]), { source: 'mls' })
      const { rows } = await database.query("select generation from listings where zpid = '521'")
      expect(rows).toEqual([{ generation }])
      await removeListings(database, { zpids: ['521'] })
    }
  })
})

it('a dry run of a removal counts and changes nothing', async () => {
  const { database } = test
  await importListings(database, rowsOf([home('531', 1), home('532', 1)]), { source: 'dry' })
  const report = { removed: 2, bySource: { dry: 2 }, notFound: [] }
  expect(await removeListings(database, { source: 'dry' }, { dryRun: true })).toEqual(report)
  expect(await removeListings(database, { source: 'dry' })).toEqual(report)
  expect(await removeListings(database, { source: 'dry' })).toEqual({
    removed: 0,
    bySource: {},
    notFound: [],
  })
})

it('removing a source removes no listing of another', async () => {
  const { database } = test
  await importListings(database, rowsOf([home('541', 1), home('542', 1)]), { source: 'left' })
  // Another source provided the home later, so it belongs to that source.
  await importListings(database, rowsOf([home('542', 1)]), { source: 'right' })
  expect(await removeListings(database, { source: 'left' })).toMatchObject({ removed: 1 })
  const { rows } = await database.query("select zpid, source from listings where zpid in ('541', '542')")
  expect(rows).toEqual([{ zpid: '542', source: 'right' }])
})

it('a removed sample is not loaded again at the next start', async () => {
  const { database } = test
  await database.query('truncate listings, listing_sources')
  const loaded = await loadSample(database, { homes: 50 })
  expect(await removeListings(database, { source: SAMPLE_SOURCE })).toMatchObject({
    removed: loaded!.inserted,
  })
  expect(await loadSample(database, { homes: 50 })).toBeUndefined()
})

it('zpids are read exactly from lines and from NDJSON records, and other files are refused', async () => {
  const folder = await makeTemporaryDirectory()
  const good = join(folder, 'good.txt')
  await writeFile(good, 'zpid\n1\n\n 22 \n{"price":1,"zpid":"333"}\n{"zpid": 12345678901234567890}\n1\n')
  expect(await readZpids(good)).toEqual(['1', '22', '333', '12345678901234567890'])
  const bad = join(folder, 'bad.txt')
  await writeFile(bad, '1\n2 Main St\n')
  await expect(readZpids(bad)).rejects.toThrow('line 2 must be a zpid')
})
