// Two providers in order, `PROVIDERS=http,dataset`: a real provider process over HTTP, and the data set. They have the same homes at
// different prices, so each result shows which provider gave it.

import type { Property } from '@lotline/contract'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import {
  type Provider,
  ProviderFailure,
  ProviderTimeout,
  type QueryContext,
} from '../../../src/data/sources/provider.ts'
import { withStandIns } from '../../../src/data/sources/stand-ins.ts'
import { ConfigError, readConfig } from '../../../src/infrastructure/config/config.ts'
import { type Fault, withReferenceProvider } from '../../setup/reference-provider/start.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import {
  HASTE,
  homeUrl,
  readRows,
  startJob,
  until,
  untilEnded,
  withWorker,
} from '../../work/jobs/job-calls.ts'
import { rowsOf } from './dataset/rows.ts'

const HOMES = 40
const [REMOTE_PRICE, OWN_PRICE] = [111_000, 222_000]
/** Each home is in one of the two only. */
const [REMOTE_ONLY, OWN_ONLY] = ['901', '902']

function homeAt(zpid: string, price: number): Property {
  const at = Number(zpid) % 50
  return {
    zpid,
    price,
    homeStatus: 'FOR_SALE',
    latitude: 47 + at / 1000,
    longitude: -122,
    bedrooms: 3,
    address: { streetAddress: `${zpid} Oak St`, city: 'Tacoma', state: 'WA', zipcode: '98406' },
    datePosted: `2026-10-${String((at % 28) + 1).padStart(2, '0')}`,
  } as Property
}

const zpids = Array.from({ length: HOMES }, (_, at) => String(100 + at))
const remote = withReferenceProvider({
  records: [...zpids, REMOTE_ONLY].map((zpid) => homeAt(zpid, REMOTE_PRICE)),
})
const testDatabase = withTestDatabase()
const logged: string[] = []
const ENV = { PROVIDERS: 'http,dataset', PROVIDER_TIMEOUT_MS: '4000' }
const server = withTestServer(testDatabase, {
  env: {
    ...ENV,
    get PROVIDER_URL() {
      return remote.url
    },
  },
  parts: { providerRetry: HASTE },
  log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
})
withWorker(server)
let key: string

beforeAll(async () => {
  const own = [...zpids, OWN_ONLY].map((zpid) => homeAt(zpid, OWN_PRICE))
  await importListings(testDatabase.database, rowsOf(own), { source: 'own' })
  key = (await server.openAccount({ credits: 100_000 })).key
})

/** Empties the cache, which holds the results of either. */
async function forgetRecords(): Promise<void> {
  await testDatabase.database.query('delete from cached_records')
  for (const zpid of [...zpids, REMOTE_ONLY, OWN_ONLY]) {
    server.app.records.forget({ source: server.app.provider.name, zpid })
  }
}

const SEARCH = {
  filters: { status: 'for_sale', bbox: { west: -123, south: 46, east: -121, north: 48 } },
  maxItems: 10,
  sort: 'newest',
}
const search = (cursor?: string) =>
  server.post('/v1/search', { ...SEARCH, ...(cursor && { cursor }) }, { key })

beforeEach(async () => {
  await remote.recover()
  await forgetRecords()
  // The circuit may still be open from the test before.
  await until(
    () => search(),
    ({ json }) => json.meta?.source?.name === 'http',
  )
})

const FAULTS: readonly Fault[] = [
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, retryAfter: '60' },
  { kind: 'html' },
  { kind: 'malformed' },
]

describe('Of two providers', () => {
  it('the first one answers, and responses name it', async () => {
    const { json, charged } = await server.get(`/v1/properties/${zpids[0]}`, { key })
    expect([json.data.price, json.meta.source.name, charged]).toEqual([REMOTE_PRICE, 'http', 1])
  })

  it.each(FAULTS)('the second one answers if the first fails: %j', async (fault) => {
    await remote.fail(fault)
    const found = await server.get(`/v1/properties/${zpids[1]}`, { key })
    expect([found.status, found.json.data?.price, found.charged]).toEqual([200, OWN_PRICE, 1])
    expect(found.json.meta.source.name).toBe('own')
    const calls = (await server.get('/v1/usage', { key })).json.data
    const made = calls.filter(
      ({ request_id: id }: { request_id: string }) => id === found.headers.get('x-request-id'),
    )
    expect(made).toMatchObject([{ credits_charged: 1, units: 1 }])
    const rows = await search()
    expect(rows.json.meta.source.name).toBe('own')
    expect(rows.charged).toBe(10)
    const address = encodeURIComponent(`${zpids[2]} Oak St, Tacoma, WA 98406`)
    const byAddress = await server.get(`/v1/properties/by-address?address=${address}`, { key })
    expect(byAddress.json.data.price).toBe(OWN_PRICE)
  })

  it.each([
    { kind: 'all-bad' },
    { kind: 'other-home' },
    { kind: 'huge' },
    { kind: 'content-type', type: 'text/plain' },
  ] as const)('the second one answers when the first breaks the contract: %j', async (fault) => {
    await remote.fail(fault)
    const { json, charged } = await server.get(`/v1/properties/${zpids[5]}`, { key })
    expect([json.data?.price, json.meta?.source.name, charged]).toEqual([OWN_PRICE, 'own', 1])
  })

  it.each([400, 422, 501])('no other one answers if the first refuses with %i', async (status) => {
    await remote.fail({ kind: 'status', status })
    await remote.takeAsked()
    const nowhere = {
      ...SEARCH,
      filters: { ...SEARCH.filters, bbox: { west: 10, south: 10, east: 11, north: 11 } },
    }
    for (const body of [SEARCH, nowhere]) {
      const found = await server.post('/v1/search', body, { key })
      expect([found.status, found.json.error?.code, found.charged]).toEqual([502, 'upstream_error', 0])
    }
    const { filters } = nowhere
    const { id } = await startJob(server, '/v1/search', { filters, maxItems: 10, async: true }, { key })
    const job = await untilEnded(server, key, id)
    expect([job.status, job.error?.code, job.credits_charged]).toEqual(['failed', 'upstream_error', 0])
    // The same query would be refused again.
    expect(await remote.takeAsked()).toHaveLength(3)
  })

  it('the second one answers if the address of the first is not reachable', async () => {
    const gone = await startTestServer(testDatabase, {
      env: { ...ENV, PROVIDER_URL: 'http://127.0.0.1:9' },
      parts: { providerRetry: HASTE },
    })
    try {
      const { json, charged } = await gone.get(`/v1/properties/${zpids[6]}`, { key })
      expect([json.data.price, json.meta.source.name, charged]).toEqual([OWN_PRICE, 'own', 1])
    } finally {
      await gone.close()
    }
  })

  it('the second one answers within the time of one call if the first never answers', async () => {
    await remote.fail({ kind: 'hang' })
    logged.length = 0
    const { json } = await server.get(`/v1/properties/${zpids[4]}`, { key })
    expect([json.data.price, json.meta.source.name]).toEqual([OWN_PRICE, 'own'])
    // The two share PROVIDER_TIMEOUT_MS.
    const failure = logged.find((line) => line.includes('another provider answered'))
    expect(JSON.parse(failure!).err.message).toMatch(/took over 2000 ms$/)
  })

  it('the second one is not queried if the first does not know the home', async () => {
    const { status, charged } = await server.get(`/v1/properties/${OWN_ONLY}`, { key })
    expect([status, charged]).toEqual([404, 0])
  })

  it('a miss of the second one is not remembered, because the first may know the home', async () => {
    await remote.fail({ kind: 'status', status: 500 })
    expect((await server.get(`/v1/properties/${REMOTE_ONLY}`, { key })).status).toBe(404)
    await remote.recover()
    const { json } = await until(
      () => server.get(`/v1/properties/${REMOTE_ONLY}`, { key }),
      ({ status }) => status === 200,
    )
    expect(json.data.price).toBe(REMOTE_PRICE)
  })

  it('a record of the second one keeps its source in the cache when the first answers again', async () => {
    await remote.fail({ kind: 'status', status: 500 })
    await server.get(`/v1/properties/${zpids[3]}`, { key })
    await remote.recover()
    const { json } = await server.get(`/v1/properties/${zpids[3]}`, { key })
    expect([json.cached, json.data.price, json.meta.source.name]).toEqual([true, OWN_PRICE, 'own'])
  })

  it('the pages of a search come from one: the second page fails and does not come from the other', async () => {
    const first = await search()
    await remote.fail({ kind: 'status', status: 500 })
    const second = await search(first.json.meta.next_cursor)
    expect([second.status, second.charged]).toEqual([502, 0])
    const other = await search()
    await remote.recover()
    const otherSecond = await search(other.json.meta.next_cursor)
    const prices = [...other.json.data, ...otherSecond.json.data].map(
      ({ unformattedPrice }: { unformattedPrice: number }) => unformattedPrice,
    )
    expect(new Set(prices)).toEqual(new Set([OWN_PRICE]))
    expect(prices).toHaveLength(20)
  })

  it('a job keeps the provider that it began with', async () => {
    const urls = zpids.slice(10, 16).map(homeUrl)
    await remote.fail({ kind: 'status', status: 500 })
    const begun = await startJob(server, '/v1/properties/batch', { urls }, { key })
    expect((await untilEnded(server, key, begun.id)).status).toBe('succeeded')
    const prices = (await readRows(server, key, begun.id)).map(({ price }) => price)
    expect(new Set(prices)).toEqual(new Set([OWN_PRICE]))
    const { rows } = await testDatabase.database.query<{ provider: string }>(
      'select provider from jobs where id = $1',
      [begun.id],
    )
    expect(rows[0]!.provider).toBe('dataset')
  })

  it('a job keeps the second one although the first answers again', async () => {
    await remote.fail({ kind: 'status', status: 429, retryAfter: '60' }, 1)
    await remote.takeAsked()
    const urls = zpids.slice(20, 30).map(homeUrl)
    const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ status: 'succeeded', credits_charged: 10 })
    const rows = await readRows(server, key, id)
    expect(rows.map(({ price, source }) => [price, source.name])).toEqual(urls.map(() => [OWN_PRICE, 'own']))
    expect(await remote.takeAsked()).toHaveLength(1)
  })

  it('the misses of a job with the second one are not remembered for other calls', async () => {
    await remote.fail({ kind: 'status', status: 429, retryAfter: '60' }, 1)
    const urls = [zpids[31]!, REMOTE_ONLY].map(homeUrl)
    const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ credits_charged: 1, failure_count: 1 })
    const { json } = await server.get(`/v1/properties/${REMOTE_ONLY}`, { key })
    expect(json.data?.price).toBe(REMOTE_PRICE)
  })

  it('a job with the first one has no row that an outage has left in the cache', async () => {
    await remote.fail({ kind: 'status', status: 500 })
    const left = zpids.slice(32, 35)
    for (const zpid of left) await server.get(`/v1/properties/${zpid}`, { key })
    await remote.recover()
    await until(
      () => search(),
      ({ json }) => json.meta?.source?.name === 'http',
    )
    const urls = [left[0]!, zpids[36]!, left[1]!, left[2]!].map(homeUrl)
    const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key })
    await untilEnded(server, key, id)
    const rows = await readRows(server, key, id)
    expect(rows.map(({ price, source }) => [price, source.name])).toEqual(
      urls.map(() => [REMOTE_PRICE, 'http']),
    )
    // Other calls get the newer copies.
    expect((await server.get(`/v1/properties/${left[1]}`, { key })).json.data.price).toBe(REMOTE_PRICE)
  })

  it('a job with the first one has no row of the second if the first fails on the way', async () => {
    await remote.fail({ kind: 'delay', ms: 100 })
    const { id } = await startJob(
      server,
      '/v1/properties/batch',
      { urls: [...zpids, ...zpids].map(homeUrl) },
      { key },
    )
    const providerOf = async () =>
      (
        await testDatabase.database.query<{ provider: string }>('select provider from jobs where id = $1', [
          id,
        ])
      ).rows[0]!.provider
    await expect.poll(providerOf, { timeout: 30_000, interval: 5 }).toMatch(/^http:/)
    await remote.fail({ kind: 'status', status: 500 })
    const job = await untilEnded(server, key, id)
    const rows = job.status === 'succeeded' ? await readRows(server, key, id) : []
    expect(rows.filter(({ price }) => price !== REMOTE_PRICE)).toEqual([])
    expect(job.failure_count).toBeGreaterThan(0)
    expect(job.credits_charged).toBe(rows.length)
    expect(await providerOf()).toMatch(/^http:/)
  })
})

describe('Of the data set and another provider behind it', () => {
  const first = withTestServer(testDatabase, {
    env: {
      ...ENV,
      PROVIDERS: 'dataset,http',
      get PROVIDER_URL() {
        return remote.url
      },
    },
  })

  it('the other one is never queried for homes that the data set lacks, and is not part of a search', async () => {
    await remote.takeAsked()
    const { status, charged } = await first.get(`/v1/properties/${REMOTE_ONLY}`, { key })
    expect([status, charged]).toEqual([404, 0])
    const address = encodeURIComponent(`${REMOTE_ONLY} Oak St, Tacoma, WA 98406`)
    expect((await first.get(`/v1/properties/by-address?address=${address}`, { key })).status).toBe(404)
    const rows = await first.post('/v1/search', { ...SEARCH, maxItems: 50 }, { key })
    expect(rows.json.data).toHaveLength(HOMES + 1)
    expect(rows.json.meta.source.name).toBe('own')
    expect(await remote.takeAsked()).toEqual([])
  })
})

describe('A query', () => {
  const asking: QueryContext = { signal: new AbortController().signal }
  const failing = (error: Error) => ({ name: 'failing', searchCap: 10, search: () => Promise.reject(error) })
  const answering = { name: 'answering', searchCap: 10, search: async () => ({ records: [], total: 0 }) }
  const both = (error: Error) => withStandIns([failing(error), answering] as unknown as readonly Provider[])
  const page = { limit: 1 }
  const box = { status: 'for_sale', bbox: { west: 0, south: 0, east: 1, north: 1 } } as const

  it('that names a provider is sent to no other', async () => {
    const failure = new ProviderFailure('down')
    const pinned = { ...asking, provider: 'failing' }
    await expect(both(failure).search(box, page, pinned)).rejects.toBe(failure)
    await expect(both(failure).search(box, { ...page, provider: 'failing' }, asking)).rejects.toBe(failure)
    await expect(both(failure).search(box, page, { ...asking, provider: 'gone' })).rejects.toThrow(
      ProviderFailure,
    )
  })

  it('is not repeated after an error of the service itself', async () => {
    const bug = new TypeError('a bug')
    await expect(both(bug).search(box, page, asking)).rejects.toBe(bug)
  })

  it('reports which provider answered it', async () => {
    const names: string[] = []
    const found = await both(new ProviderTimeout('slow')).search(box, page, {
      ...asking,
      answeredBy: (name) => names.push(name),
    })
    expect([found.provider, names]).toEqual(['answering', ['answering']])
  })
})

describe('PROVIDERS', () => {
  const url = 'https://listings.example'

  it('lists the providers in their order', () => {
    const { provider, standIns } = readConfig({ PROVIDERS: 'dataset,http', PROVIDER_URL: url })
    expect([provider, ...standIns]).toMatchObject([{ kind: 'dataset' }, { kind: 'http', url }])
    expect(readConfig({}).standIns).toEqual([])
  })

  it.each([
    [
      { PROVIDERS: 'http,dataset', PROVIDER: 'http', PROVIDER_URL: url },
      'PROVIDER and PROVIDERS are both set',
    ],
    [{ PROVIDERS: 'http,dataset' }, 'PROVIDER_URL is not set, but PROVIDERS with http needs'],
    [{ PROVIDERS: 'dataset,dataset' }, 'PROVIDERS is "dataset,dataset", but it needs one or more of'],
    [{ PROVIDERS: 'dataset,ftp' }, 'needs one or more of dataset and http'],
  ])('%j is refused', (env, reason) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(reason)
  })
})
