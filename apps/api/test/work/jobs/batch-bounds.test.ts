// What a batch returns and charges at its bounds: buildings without units, `maxItems`, and credits that run short; and
// what it says of the entries that it left out.

import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'
import { BOX, HASTE, homeUrl, readRows, runBatch, startJob, untilEnded, withWorker } from './job-calls.ts'
import { createListProvider } from './list-provider.ts'

const building = (name: string) => `https://www.zillow.com/b/${name}-seattle-wa-${name.padEnd(6, 'x')}/`
const place = { latitude: 47, longitude: -122 }
const TOWER = building('Tower')
/** Buildings that have a record of their own and nothing for sale. */
const EMPTY = ['EmptyA', 'EmptyB', 'EmptyC'].map(building)
/** A building whose units are listed, and that has no record of its own. */
const PLAIN = building('Plain')
const records = [
  { zpid: '300', homeStatus: 'OTHER', unitNumber: '1', bdpUrl: new URL(PLAIN).pathname, ...place },
  // For lookups alone: they are in no search.
  ...Array.from({ length: 30 }, (_, at) => ({ zpid: String(700 + at), homeStatus: 'OTHER', ...place })),
  ...[1, 2, 3].map((zpid) => ({ zpid: String(zpid), homeStatus: 'FOR_SALE', ...place })),
  { zpid: '100', isBuilding: true, homeStatus: 'FOR_RENT', bdpUrl: new URL(TOWER).pathname, ...place },
  ...[101, 102, 103, 104, 105].map((zpid) => ({
    zpid: String(zpid),
    homeStatus: 'FOR_RENT',
    unitNumber: String(zpid),
    bdpUrl: new URL(TOWER).pathname,
    ...place,
  })),
  ...EMPTY.map((url, at) => ({
    zpid: String(200 + at),
    isBuilding: true,
    homeStatus: 'OTHER',
    bdpUrl: new URL(url).pathname,
    ...place,
  })),
]

const testDatabase = withTestDatabase()
const provider = createListProvider(records, { listsBuildings: true })
const server = withTestServer(testDatabase, { parts: { provider, providerRetry: HASTE } })
withWorker(server)

const zpidsOf = (rows: readonly { zpid: string }[]) => rows.map(({ zpid }) => zpid)

describe("a building's own record costs 1 if it has no units of the requested kind (getPropertyByUrl, getBuildingUnits)", () => {
  it('in a batch', async () => {
    const { key } = await server.openAccount()
    const job = await runBatch(server, key, { urls: EMPTY, extractBuildingUnits: 'for_sale' })
    expect(job).toMatchObject({ status: 'succeeded', result_count: 3, credits_charged: 3 })
  })

  it('in a batch, and only if the credits are sufficient', async () => {
    const { key } = await server.openAccount({ credits: 3 })
    const job = await runBatch(server, key, { urls: EMPTY, extractBuildingUnits: 'for_sale' })
    expect(job).toMatchObject({ result_count: 2, credits_charged: 2, truncated_by: 'credits' })
    expect(job.skipped).toEqual([{ position: 2, input: EMPTY[2], reason: 'credits', returned: 0 }])
  })

  it('in the detail stage of a search with details', async () => {
    const { key } = await server.openAccount()
    const body = { filters: { status: 'for_rent', bbox: BOX }, extractBuildingUnits: 'for_sale' }
    const { id } = await startJob(server, '/v1/search/with-details', body, { key })
    const job = await untilEnded(server, key, id)
    const rows = await readRows(server, key, id)
    expect(rows.length).toBeGreaterThan(0)
    // A row of the search and a record for each home, the building's own among them.
    expect(zpidsOf(rows)).toContain('100')
    expect(job.credits_charged).toBe(2 * rows.length)
  })

  it.each(['/v1/properties/by-url?extract_units=for_sale', '/v1/buildings/by-url?include_units=for_sale'])(
    'synchronously, by %s',
    async (path) => {
      const { key } = await server.openAccount({ credits: 5 })
      const answer = await server.get(`${path}&url=${encodeURIComponent(EMPTY[0]!)}`, { key })
      expect([answer.status, answer.charged, answer.json.meta.count]).toEqual([200, 1, 0])
      expect(await usageOf(testDatabase.database, answer)).toMatchObject([{ units: 1, credits_charged: 1 }])
    },
  )
})

describe('a building without its own record is free, and the response says how to get its units', () => {
  it('by-url: with extract_units=all, which then returns them', async () => {
    const { key } = await server.openAccount({ credits: 5 })
    const path = `/v1/properties/by-url?url=${encodeURIComponent(PLAIN)}`
    const answer = await server.get(path, { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([404, 'not_found', 0])
    expect(answer.json.error.message).toContain('extract_units=all')
    expect(answer.json.error.message).toContain('GET /v1/buildings/by-url')
    const units = await server.get(`${path}&extract_units=all`, { key })
    expect([units.status, zpidsOf(units.json.data)]).toEqual([200, ['300']])
  })

  it('a batch: with extractBuildingUnits, which then works', async () => {
    const { key } = await server.openAccount()
    const job = await runBatch(server, key, { urls: [PLAIN] })
    expect(job).toMatchObject({ result_count: 0, credits_charged: 0 })
    expect(job.failures).toMatchObject([{ position: 0, input: PLAIN, code: 'not_found' }])
    expect(job.failures[0]!.message).toContain('set extractBuildingUnits to all')
    expect(job.failures[0]!.message).toContain('GET /v1/buildings/by-url')
    const units = await runBatch(server, key, { urls: [PLAIN], extractBuildingUnits: 'all' })
    expect(zpidsOf(await readRows(server, key, units.id))).toEqual(['300'])
  })
})

describe('maxItems of a batch', () => {
  const body = { urls: [homeUrl(1), TOWER, homeUrl(2), homeUrl(3)], extractBuildingUnits: 'all' }

  it("counts a building's own record, and lists the entries beyond the limit", async () => {
    const { key } = await server.openAccount()
    const job = await runBatch(server, key, { ...body, maxItems: 4 })
    expect(job).toMatchObject({
      status: 'succeeded',
      result_count: 4,
      credits_charged: 3,
      truncated_by: 'max_items',
      skipped_count: 3,
    })
    expect(job.skipped).toEqual([
      { position: 1, input: TOWER, reason: 'max_items', returned: 3 },
      { position: 2, input: homeUrl(2), reason: 'max_items', returned: 0 },
      { position: 3, input: homeUrl(3), reason: 'max_items', returned: 0 },
    ])
    expect(zpidsOf(await readRows(server, key, job.id))).toEqual(['1', '100', '101', '102'])
    const page = await server.get(`/v1/jobs/${job.id}/results`, { key })
    expect(page.json.meta).toMatchObject({ truncated: true, truncated_by: 'max_items' })
    const text = await server.get(`/v1/jobs/${job.id}/results?format=csv`, { key })
    expect(text.headers.get('x-truncated-by')).toBe('max_items')
  })

  it('with room for one more record takes a unit, and no free building record', async () => {
    const { key } = await server.openAccount()
    const job = await runBatch(server, key, { ...body, maxItems: 2 })
    expect(job).toMatchObject({ result_count: 2, credits_charged: 2, truncated_by: 'max_items' })
    expect(zpidsOf(await readRows(server, key, job.id))).toEqual(['1', '101'])
    expect(job.skipped[0]).toEqual({ position: 1, input: TOWER, reason: 'max_items', returned: 1 })
  })

  it('skips nothing if the last entry reaches it', async () => {
    const { key } = await server.openAccount()
    const job = await runBatch(server, key, { ...body, maxItems: 9 })
    expect(job).toMatchObject({
      result_count: 9,
      credits_charged: 8,
      truncated_by: null,
      skipped_count: 0,
      skipped: [],
    })
  })

  it('lists every skipped entry with its first 200 characters; a list of jobs has the first 20', async () => {
    const { key } = await server.openAccount()
    const urls = [
      homeUrl(1),
      ...Array.from({ length: 40 }, (_, at) => `${homeUrl(500 + at)}?${'x'.repeat(300)}`),
    ]
    const job = await runBatch(server, key, { urls, maxItems: 1 })
    expect(job).toMatchObject({ truncated_by: 'max_items', skipped_count: 40 })
    expect(job.skipped).toHaveLength(20)
    expect([...job.skipped, ...job.more_skipped!]).toEqual(
      urls.slice(1).map((url, at) => ({
        position: at + 1,
        input: url.slice(0, 200),
        reason: 'max_items',
        returned: 0,
      })),
    )
    const { rows } = await testDatabase.database.query<{ stored: number }>(
      'select stored_bytes as stored from jobs where id = $1',
      [job.id],
    )
    expect(Number(rows[0]!.stored)).toBeGreaterThan(20 * 200)
    const list = await server.get('/v1/jobs', { key })
    expect(list.json.data[0]).toMatchObject({ skipped_count: 40, skipped: job.skipped })
    expect(list.json.data[0]).not.toHaveProperty('more_skipped')
  })
})

it('of 1 looks up at most one home that the batch does not return', async () => {
  const { key } = await server.openAccount()
  const before = provider.asked.length
  const job = await runBatch(server, key, {
    urls: Array.from({ length: 30 }, (_, at) => homeUrl(700 + at)),
    maxItems: 1,
  })
  expect(job).toMatchObject({ result_count: 1, credits_charged: 1, skipped_count: 29 })
  expect(provider.asked.length - before).toBeLessThanOrEqual(2)
})

it('a batch lists entries that the credits cannot pay for, with that reason', async () => {
  const { key } = await server.openAccount({ credits: 5 })
  const job = await runBatch(server, key, {
    urls: [homeUrl(1), TOWER, homeUrl(2)],
    extractBuildingUnits: 'all',
  })
  expect(job).toMatchObject({
    result_count: 5,
    credits_charged: 4,
    truncated_by: 'credits',
    skipped_count: 2,
  })
  expect(job.skipped).toEqual([
    { position: 1, input: TOWER, reason: 'credits', returned: 4 },
    { position: 2, input: homeUrl(2), reason: 'credits', returned: 0 },
  ])
})

it('a batch with buildings initially holds the price of its entries, whatever its maxItems', async () => {
  const { key } = await server.openAccount({ credits: 1000 })
  const urls = [homeUrl(1), homeUrl(2), homeUrl(3)]
  const body = { urls, maxItems: 500, extractBuildingUnits: 'all' }
  const { answer } = await startJob(server, '/v1/properties/batch', body, { key })
  expect(answer.remaining).toBe(997)
})
