// Each of the four types from its call to its rows, over both providers: what is found, in which order, what is charged,
// and what stands in the usage rows.

import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { toSearchStatus } from '../../../src/domain/record/status-of.ts'
import { settingsFor, withReferenceProvider } from '../../setup/reference-provider/start.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import {
  BOX,
  expectWholeRows,
  getJob,
  homeUrl,
  readRows,
  runBatch,
  startBuildingJob,
  startJob,
  untilEnded,
  usageOfJob,
  withWorker,
} from './job-calls.ts'
import { withoutClaims } from './made-jobs.ts'
import { BUILDINGS, HOMES, SAMPLE } from './sample-homes.ts'

const withoutSources = (rows: readonly object[]) => rows.map((row) => ({ ...row, source: undefined }))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const FREE = { status_code: 202, units: 0, credits_charged: 0 }

const forSale = SAMPLE.filter(
  (record) =>
    toSearchStatus(record.homeStatus) === 'for_sale' && !(record as { isBuilding?: boolean }).isBuilding,
)
const addressOf = (record: Property) => {
  const { streetAddress, city, state, zipcode } = record.address!
  return `${streetAddress}, ${city}, ${state} ${zipcode}`
}

describe.each(['dataset', 'http'])('over %s', (kind) => {
  const testDatabase = withTestDatabase()
  const provider = kind === 'http' ? withReferenceProvider({ records: SAMPLE }) : undefined
  const server = withTestServer(testDatabase, {
    env: provider ? settingsFor(provider) : {},
  })
  withWorker(server)

  let key = ''
  beforeAll(async () => {
    let line = 0
    if (kind === 'dataset') {
      await importListings(
        testDatabase.database,
        SAMPLE.map((record) => ({ line: ++line, record })),
      )
    }
    key = (await server.openAccount({ credits: 100_000 })).key
  })

  it('batch_detail returns records in entry order, each with its entry, and lists the failures', async () => {
    const [one, other, third] = HOMES as [Property, Property, Property]
    const [building] = BUILDINGS
    const urls = [homeUrl(one.zpid), homeUrl(1), building!.url]
    const addresses = [addressOf(other), '1 Nowhere Ln, Seattle, WA 98109', addressOf(third)]
    const { id, answer } = await startJob(server, '/v1/properties/batch', { urls, addresses }, { key })
    expect(answer.json.data).toEqual({ job_id: expect.stringMatching(UUID), status: 'queued' })

    const job = await untilEnded(server, key, id)
    expect(job).toMatchObject({
      type: 'batch_detail',
      status: 'succeeded',
      chain_stage: null,
      error: null,
      coverage: null,
      progress: { done: 6, total: 6 },
      result_count: 4,
      credits_held: 0,
      credits_charged: 4,
      truncated_by: null,
      failures: [
        { input: urls[1], code: 'not_found' },
        { input: addresses[1], code: 'not_found' },
      ],
    })
    const rows = await readRows(server, key, id)
    expect(rows.map(({ input, zpid }) => [input, zpid])).toEqual([
      [urls[0], one.zpid],
      [urls[2], building!.parent.zpid],
      [addresses[0], other.zpid],
      [addresses[2], third.zpid],
    ])
    const { input: _input, source, ...record } = rows[0]
    const { data, meta } = (await server.get(`/v1/properties/${one.zpid}`, { key })).json
    expect(record).toEqual(data)
    expect(source).toEqual(meta.source)
    expect(await usageOfJob(testDatabase.database, id)).toEqual([
      { stage: null, actor: 'detail', status_code: 202, units: 4, credits_charged: 4 },
    ])
  })

  it('batch_detail with extractBuildingUnits returns every unit as a record, with the building itself for free', async () => {
    const [first, second] = BUILDINGS
    const home = HOMES[3]!
    const urls = [first!.url, homeUrl(home.zpid), second!.url]
    const job = await runBatch(server, key, { urls, extractBuildingUnits: 'all' })
    const units = first!.units.length + second!.units.length
    expect(job).toMatchObject({ status: 'succeeded', result_count: units + 3, credits_charged: units + 1 })
    const rows = await readRows(server, key, job.id)
    expect(rows[0]).toMatchObject({ input: urls[0], zpid: first!.parent.zpid })
    expect(
      rows
        .slice(1, first!.units.length + 1)
        .map(({ zpid }) => zpid)
        .sort(),
    ).toEqual(first!.units.map(({ zpid }) => zpid).sort())
    expect(rows[first!.units.length + 1]).toMatchObject({ input: urls[1], zpid: home.zpid })
    await expectWholeRows(testDatabase.database, job.id, units + 3)
  })

  it('batch_detail with maxItems returns and charges only the first records in entry order', async () => {
    const urls = [homeUrl(1), ...HOMES.slice(0, 40).map(({ zpid }) => homeUrl(zpid))]
    const job = await runBatch(server, key, { urls, maxItems: 7 })
    expect(job).toMatchObject({
      status: 'succeeded',
      result_count: 7,
      credits_charged: 7,
      truncated_by: 'max_items',
      // The first entry is unknown and the next seven are returned: from the ninth on they are left out.
      failure_count: 1,
      skipped_count: 33,
    })
    expect(job.skipped).toHaveLength(20)
    expect(job.skipped[0]).toEqual({ position: 8, input: urls[8], reason: 'max_items', returned: 0 })
    expect(job.skipped.at(-1)).toEqual({ position: 27, input: urls[27], reason: 'max_items', returned: 0 })
    const rows = await readRows(server, key, job.id)
    expect(rows.map(({ zpid }) => zpid)).toEqual(HOMES.slice(0, 7).map(({ zpid }) => zpid))
  })

  const FULL_ROW = ['address', 'hdpData', 'statusText']
  it.each([
    ['PAGINATION', { maxItems: 60 }, 60, FULL_ROW],
    ['MAP_MARKERS', { maxItems: 55 }, 55, []],
    ['PAGINATION', { async: true }, 50, FULL_ROW],
    ['PAGINATION_WITH_ZOOM_IN', {}, forSale.length, FULL_ROW],
    ['PAGINATION_WITH_ZOOM_IN', { maxItems: 30 }, 30, FULL_ROW],
  ] as const)('search by %s with %o', async (extractionMethod, options, count, fields) => {
    const body = { filters: { status: 'for_sale', bbox: BOX }, extractionMethod, ...options }
    const { id, answer } = await startJob(server, '/v1/search', body, { key })
    expect(answer.json.data).toEqual({ job_id: expect.stringMatching(UUID), status: 'queued' })
    const job = await untilEnded(server, key, id)
    const isExhaustive = extractionMethod === 'PAGINATION_WITH_ZOOM_IN'
    expect(job).toMatchObject({
      type: 'search',
      status: 'succeeded',
      result_count: count,
      credits_charged: count,
      truncated_by: null,
      progress: { done: count, total: count },
      coverage: isExhaustive
        ? { tiles: expect.any(Number), capped_tiles: 0, total: forSale.length, rows: count }
        : null,
    })
    await expectWholeRows(testDatabase.database, id, count)
    const rows = await readRows(server, key, id)
    const known = new Set(forSale.map(({ zpid }) => zpid))
    expect(rows.every(({ zpid }) => known.has(zpid))).toBe(true)
    for (const field of FULL_ROW) expect(field in rows[0]).toBe((fields as readonly string[]).includes(field))
    expect(await usageOfJob(testDatabase.database, id)).toEqual([
      { stage: null, actor: 'search', status_code: 202, units: count, credits_charged: count },
    ])
  })

  it('search returns the same rows as the synchronous search', async () => {
    const body = { filters: { status: 'for_rent', bbox: BOX }, maxItems: 40 }
    const now = await server.post('/v1/search', body, { key })
    const { id } = await startJob(server, '/v1/search', { ...body, async: true }, { key })
    await untilEnded(server, key, id)
    // Their sources are compared in rights/provenance.test.ts: a job names the first one once.
    expect(withoutSources(await readRows(server, key, id))).toEqual(withoutSources(now.json.data))
  })

  it.each(['for-sale', 'for-rent', 'sold'])(
    'POST /v1/listings/%s starts the same job with its status',
    async (preset) => {
      const status = preset.replace('-', '_')
      const body = { filters: { bbox: BOX }, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
      const { id } = await startJob(server, `/v1/listings/${preset}`, body, { key })
      const found = (await untilEnded(server, key, id)).result_count
      const wanted = SAMPLE.filter(
        (record) =>
          toSearchStatus(record.homeStatus) === status && !(record as { isBuilding?: boolean }).isBuilding,
      )
      expect(found).toBe(wanted.length)
      const { rows } = await testDatabase.database.query(
        'select operation from usage_rows where job_id = $1',
        [id],
      )
      const operations: Record<string, string> = {
        'for-sale': 'searchForSale',
        'for-rent': 'searchForRent',
        sold: 'searchSold',
      }
      expect(rows).toEqual([{ operation: operations[preset] }])
    },
  )

  it('search of several URLs returns and charges each home once', async () => {
    const seattle = { west: -122.5, south: 47.4, east: -122.2, north: 47.8 }
    const url = (mapBounds: object) => ({
      url: `https://www.zillow.com/seattle-wa/?searchQueryState=${encodeURIComponent(JSON.stringify({ mapBounds }))}`,
    })
    const searchUrls = [url(seattle), url({ ...seattle, south: 47.6 }), url({ ...seattle, west: -123 })]
    const { id } = await startJob(server, '/v1/search', { searchUrls, maxItems: 820 }, { key })
    const job = await untilEnded(server, key, id)
    expect(job.result_count).toBeGreaterThan(20)
    expect(job.credits_charged).toBe(job.result_count)
    await expectWholeRows(testDatabase.database, id, job.result_count!)
  })

  it('search that finds nothing costs its minimum of 1', async () => {
    const filters = { status: 'for_sale', bbox: { west: 1, south: 1, east: 2, north: 2 } }
    const { id } = await startJob(server, '/v1/search', { filters, async: true }, { key })
    const job = await untilEnded(server, key, id)
    expect(job).toMatchObject({ status: 'succeeded', result_count: 0, credits_charged: 1 })
    expect(await readRows(server, key, id)).toEqual([])
  })

  it('chained_search_detail returns a record for each home found, and bills two stages', async () => {
    const body = { filters: { status: 'for_sale', bbox: BOX }, maxItems: 35 }
    const { id, answer } = await startJob(server, '/v1/search/with-details', body, { key })
    expect(answer.json.data).toEqual({
      job_id: expect.stringMatching(UUID),
      status: 'queued',
      stage: 'search',
    })
    expect(await usageOfJob(testDatabase.database, id)).toMatchObject([
      { stage: 'search', actor: 'search', status_code: 202 },
      { stage: 'detail', actor: 'detail', status_code: 202 },
    ])
    const job = await untilEnded(server, key, id)
    expect(job).toMatchObject({
      type: 'chained_search_detail',
      status: 'succeeded',
      chain_stage: 'detail',
      result_count: 35,
      credits_charged: 70,
      progress: { done: 35, total: 35 },
      truncated_by: null,
      failures: [],
    })
    const rows = await readRows(server, key, id)
    expect(rows.every((row) => row.input === row.zpid && row.schools !== undefined)).toBe(true)
    await expectWholeRows(testDatabase.database, id, 35)
    expect(await usageOfJob(testDatabase.database, id)).toEqual([
      { stage: 'search', actor: 'search', status_code: 202, units: 35, credits_charged: 35 },
      { stage: 'detail', actor: 'detail', status_code: 202, units: 35, credits_charged: 35 },
    ])
  })

  it('chained_search_detail that finds nothing is free', async () => {
    const filters = { status: 'for_sale', bbox: { west: 1, south: 1, east: 2, north: 2 } }
    const { id } = await startJob(server, '/v1/search/with-details', { filters }, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'succeeded',
      result_count: 0,
      credits_charged: 0,
    })
    expect(await usageOfJob(testDatabase.database, id)).toMatchObject([FREE, FREE])
  })

  it('building_units returns the building itself first and free, then each unit, as the synchronous call does', async () => {
    const [building] = BUILDINGS
    const { id } = await startBuildingJob(server, building!.url, { key })
    const job = await untilEnded(server, key, id)
    const count = building!.units.length
    expect(job).toMatchObject({
      type: 'building_units',
      status: 'succeeded',
      result_count: count + 1,
      credits_charged: count,
      progress: { done: count + 1, total: count + 1 },
    })
    const now = await server.get(`/v1/buildings/by-url?url=${encodeURIComponent(building!.url)}`, { key })
    expect(withoutSources(await readRows(server, key, id))).toEqual(withoutSources(now.json.data.units))
    expect(await usageOfJob(testDatabase.database, id)).toEqual([
      { stage: null, actor: 'detail', status_code: 202, units: count, credits_charged: count },
    ])
  })

  it('building_units costs the minimum of 1 if the building has no units of the requested kind', async () => {
    const building = BUILDINGS.find(({ units }) =>
      units.every(({ homeStatus }) => homeStatus !== 'FOR_RENT'),
    )!
    const { id } = await startBuildingJob(server, building.url, { key }, 'for_rent')
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'succeeded',
      result_count: 1,
      credits_charged: 1,
    })
  })

  it('building_units of an unknown building fails with not_found, for free', async () => {
    const { id } = await startBuildingJob(server, 'https://www.zillow.com/b/nowhere-seattle-wa-9ZzZzZ/', {
      key,
    })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'failed',
      error: { code: 'not_found' },
      result_count: null,
      credits_charged: 0,
      credits_held: 0,
    })
    expect(await usageOfJob(testDatabase.database, id)).toMatchObject([FREE])
  })

  it('a waiting job shows its hold, and no values that are still unknown', async () => {
    const paused = await server.openAccount({ credits: 1000 })
    const id = await withoutClaims(testDatabase.database, async () => {
      const started = await startJob(
        server,
        '/v1/properties/batch',
        { urls: [homeUrl(1), homeUrl(2)] },
        paused,
      )
      const job = await getJob(server, paused.key, started.id)
      expect(job).toMatchObject({
        status: 'queued',
        progress: { done: 0, total: 2 },
        credits_held: 2,
        credits_charged: 0,
        result_count: null,
        started_at: null,
        completed_at: null,
        error: null,
        failures: [],
      })
      expect(started.answer.remaining).toBe(998)
      return started.id
    })
    expect(await untilEnded(server, paused.key, id)).toMatchObject({
      status: 'succeeded',
      credits_charged: 0,
    })
  })
})
