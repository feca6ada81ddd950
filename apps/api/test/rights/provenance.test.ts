// meta.source names the source of the data: of a record, of the rows of a search, and of each row if they differ.

import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import {
  homeUrl,
  readRows,
  startBuildingJob,
  startJob,
  untilEnded,
  withWorker,
} from '../work/jobs/job-calls.ts'

const HOME = {
  homeStatus: 'FOR_SALE',
  price: 500_000,
  latitude: 47.5,
  longitude: -122.5,
  address: { streetAddress: '1 Oak St', city: 'Tacoma', state: 'WA', zipcode: '98406' },
}
const NORTH = {
  brokerName: 'Harbor Realty',
  mlsName: 'North MLS',
  mlsDisclaimer: '© North MLS.',
  lastUpdated: '2026-11-20T18:30:05Z',
}
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, {
  env: { SOURCE_ALIASES: 'north=North MLS by Harbor,twin=North MLS by Harbor' },
})
withWorker(server)
let key: string

const BUILDING = 'https://www.zillow.com/b/oak-tower-tacoma-wa-5XyZ12/'
const unitAt = (zpid: string, unitNumber: string) => ({
  zpid,
  unitNumber,
  homeStatus: 'FOR_RENT',
  price: 2_000,
  bdpUrl: '/b/oak-tower-tacoma-wa-5XyZ12/',
  attributionInfo: NORTH,
})

beforeAll(async () => {
  const { database } = testDatabase
  const north = ['1', '2'].map((zpid, at) => ({
    ...HOME,
    zpid,
    longitude: -122.5 + at / 100,
    attributionInfo: { ...NORTH, ...(zpid === '2' && { brokerName: 'Pier Realty' }) },
  }))
  await importListings(database, rowsOf(north as unknown as Property[]), { source: 'north' })
  const south = [{ ...HOME, zpid: '3', latitude: 46.5 }]
  await importListings(database, rowsOf(south as Property[]), { source: 'south' })
  // Two sources under one public name, and two homes of a source without an authority.
  const TWIN = { mlsName: 'Twin MLS', mlsDisclaimer: '© Twin MLS.' }
  const others = [
    { zpid: '8', source: 'north', latitude: 45.008, attributionInfo: NORTH },
    { zpid: '9', source: 'twin', latitude: 45.009, attributionInfo: TWIN },
    { zpid: '10', source: 'east', latitude: 45.01 },
    { zpid: '11', source: 'east', latitude: 45.011 },
  ]
  for (const { source, ...fields } of others) {
    const home = { ...HOME, ...fields }
    await importListings(database, rowsOf([home as unknown as Property]), { source })
  }
  const units = (zpid: string) => rowsOf([unitAt(zpid, zpid.slice(1))] as unknown as Property[])
  await importListings(database, units('71'), { source: 'north' })
  await importListings(database, units('72'), { source: 'south' })
  key = (await server.openAccount()).key
})

function search(south: number, north: number, path = '/v1/search') {
  const bbox = { west: -123, south, east: -122, north }
  return server.post(path, { filters: { status: 'for_sale', bbox }, maxItems: 10 }, { key })
}

describe('meta.source', () => {
  it('names the source of a record by its public name, with its authority, times, and attribution', async () => {
    const fresh = await server.get('/v1/properties/1', { key })
    const source = {
      name: 'North MLS by Harbor',
      authority: 'North MLS',
      fetched_at: fresh.json.fetched_at,
      source_updated_at: '2026-11-20T18:30:05.000Z',
      attribution: 'Listed by Harbor Realty. © North MLS.',
    }
    expect(fresh.json.meta.source).toEqual(source)
    const cached = await server.get('/v1/properties/1', { key })
    expect(cached.json).toMatchObject({ cached: true, meta: { source } })
    const part = await server.get('/v1/properties/1/facts', { key })
    expect(part.json.meta.source).toEqual(source)
    const south = await server.get('/v1/properties/3', { key })
    expect(south.json.meta.source).toMatchObject({
      name: 'south',
      authority: null,
      source_updated_at: null,
      attribution: null,
    })
  })

  it('is the same if another process reads the record from the shared cache', async () => {
    const { json } = await server.get('/v1/properties/1', { key })
    server.app.records.forget({ source: 'dataset', zpid: '1' })
    const again = await server.get('/v1/properties/1', { key })
    expect(again.json.meta).toEqual(json.meta)
  })

  it('names the source of all rows once, with the latest time of a change', async () => {
    const { json } = await search(47, 48)
    expect(json.meta.source).toMatchObject({
      name: 'North MLS by Harbor',
      authority: 'North MLS',
      source_updated_at: '2026-11-20T18:30:05.000Z',
      attribution: '© North MLS.',
    })
    expect(json.data.every((row: object) => !('source' in row))).toBe(true)
    const csv = await search(47, 48, '/v1/search?format=csv')
    expect(csv.headers.get('x-data-source')).toBe('North MLS by Harbor')
  })

  it('is in each row if the rows have several sources', async () => {
    const { json } = await search(46, 48)
    expect(json.meta.source).toBeUndefined()
    const names = json.data.map((row: { zpid: string; source: { name: string } }) => [
      row.zpid,
      row.source.name,
    ])
    expect(Object.fromEntries(names)).toEqual({
      1: 'North MLS by Harbor',
      2: 'North MLS by Harbor',
      3: 'south',
    })
    const csv = await search(46, 48, '/v1/search?format=csv')
    expect(csv.headers.get('x-data-source')).toBeNull()
    expect(csv.text).toContain('source.name')
  })

  it('is absent from a search that finds nothing', async () => {
    const { json } = await search(10, 11)
    expect(json.meta.source).toBeUndefined()
  })

  it('changes with the next import of the source', async () => {
    const home = { ...HOME, zpid: '3', latitude: 46.5, attributionInfo: { mlsDisclaimer: '© South.' } }
    await importListings(testDatabase.database, rowsOf([home as Property]), { source: 'south' })
    const { json } = await server.get('/v1/properties/3', { key })
    expect(json.meta.source).toMatchObject({ name: 'south', attribution: '© South.' })
  })
})

interface Row {
  readonly zpid: string
  readonly source?: { readonly name: string; readonly attribution: string | null }
}

/** The names of the sources of rows by zpid. null: the row has none. */
const namesOf = (rows: readonly Row[]) =>
  Object.fromEntries(rows.map(({ zpid, source }) => [zpid, source?.name ?? null]))

describe('The source of the rows of a job', () => {
  const search = (south: number) => ({
    filters: { status: 'for_sale', bbox: { west: -123, south, east: -122, north: 48 } },
    async: true,
  })
  const results = (id: string, query = '') => server.get(`/v1/jobs/${id}/results${query}`, { key })

  it('is in meta.source once, with the latest time of a change, and in a header of CSV and NDJSON', async () => {
    const { id } = await startJob(server, '/v1/search', search(47), { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ credits_charged: 2 })
    const { json } = await results(id)
    expect(json.meta.source).toMatchObject({
      name: 'North MLS by Harbor',
      authority: 'North MLS',
      source_updated_at: '2026-11-20T18:30:05.000Z',
      attribution: '© North MLS.',
    })
    expect(namesOf(json.data)).toEqual({ 1: null, 2: null })
    for (const format of ['csv', 'ndjson']) {
      const { headers } = await results(id, `?format=${format}`)
      expect(headers.get('x-data-source')).toBe('North MLS by Harbor')
    }
  })

  it('is in each row with another source than the first, in every format', async () => {
    const { id } = await startJob(server, '/v1/search', search(46), { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ credits_charged: 3 })
    const { json } = await results(id)
    const own = json.meta.source.name
    const names = { 1: 'North MLS by Harbor', 2: 'North MLS by Harbor', 3: 'south' }
    const shown = Object.fromEntries(
      Object.entries(namesOf(json.data)).map(([zpid, name]) => [zpid, name ?? own]),
    )
    expect(shown).toEqual(names)
    expect(Object.values(namesOf(json.data))).not.toContain(own)
    const ndjson = (await results(id, '?format=ndjson')).text.trim().split('\n')
    const { source } = json.meta
    const withOwn = (row: Row) => (row.source || source.attribution === null ? row : { ...row, source })
    expect(ndjson.map((line) => JSON.parse(line))).toEqual(json.data.map(withOwn))
    expect((await results(id, '?format=csv')).text).toContain('source.name')
  })

  it('is in each row with another source of the same public name', async () => {
    const bbox = { west: -123, south: 45.0075, east: -122, north: 45.0095 }
    const body = { filters: { status: 'for_sale', bbox }, async: true }
    const { id } = await startJob(server, '/v1/search', body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ credits_charged: 2 })
    const { json } = await results(id)
    const shown = json.data.map(({ zpid, source = json.meta.source }: Row) => [zpid, source!.attribution])
    expect(Object.fromEntries(shown)).toEqual({ 8: '© North MLS.', 9: '© Twin MLS.' })
  })

  it('is in each record of a batch and of a search with details, with its own attribution', async () => {
    const urls = ['1', '3'].map(homeUrl)
    const jobs = [
      await startJob(server, '/v1/properties/batch', { urls }, { key }),
      await startJob(server, '/v1/search/with-details', { filters: search(46).filters }, { key }),
    ]
    for (const { id } of jobs) {
      await untilEnded(server, key, id)
      const rows = await readRows(server, key, id)
      expect(namesOf(rows)).toMatchObject({ 1: 'North MLS by Harbor', 3: 'south' })
      const first = rows.find(({ zpid }) => zpid === '1')
      expect(first.source).toMatchObject({
        authority: 'North MLS',
        attribution: 'Listed by Harbor Realty. © North MLS.',
      })
      expect((await results(id)).json.meta.source).toBeUndefined()
      const { headers, text } = await results(id, '?format=csv')
      expect(headers.get('x-data-source')).toBeNull()
      expect(text.split('\r\n')[0]).toContain('source.attribution')
    }
  })

  it('replaces a field of that name in a record', async () => {
    const record = { ...HOME, zpid: '4', source: 'pipeline "7"', notes: [{ source: 'a', input: 'b' }] }
    await importListings(testDatabase.database, rowsOf([record as unknown as Property]), { source: 'south' })
    const { id } = await startJob(server, '/v1/properties/batch', { urls: [homeUrl('4')] }, { key })
    await untilEnded(server, key, id)
    const [row] = await readRows(server, key, id)
    expect(row).toMatchObject({ zpid: '4', source: { name: 'south' }, notes: record.notes })
    const { text } = await results(id, '?format=ndjson')
    expect(text.match(/"source":/g)).toHaveLength(2)
  })
})

describe('The sources of the homes near another one', () => {
  it('are in each home with another attribution than the home of the request', async () => {
    const near = { ...HOME, zpid: '5', latitude: 47.501 }
    await importListings(testDatabase.database, rowsOf([near as Property]), { source: 'south' })
    const path = '/v1/properties/1/nearby'
    const { json, headers } = await server.get(path, { key })
    expect(json.meta.source.name).toBe('North MLS by Harbor')
    expect(json.meta.source.attribution).toBe('Listed by Harbor Realty. © North MLS.')
    expect(namesOf(json.data)).toMatchObject({ 2: 'North MLS by Harbor', 5: 'south' })
    // Another home is not shown as a listing of this one’s office.
    const [home] = json.data.filter(({ zpid }: Row) => zpid === '2')
    expect(home.source).toMatchObject({
      authority: 'North MLS',
      attribution: 'Listed by Pier Realty. © North MLS.',
      source_updated_at: '2026-11-20T18:30:05.000Z',
    })
    const again = await server.get(path, { key, headers: { 'if-none-match': headers.get('etag')! } })
    expect([again.status, again.charged]).toEqual([304, 0])
  })

  it('are distinguished by their attribution if two have one public name, and left out if nothing differs', async () => {
    const { json } = await server.get('/v1/properties/8/nearby', { key })
    const [twin] = json.data.filter(({ zpid }: Row) => zpid === '9')
    expect(twin.source).toMatchObject({ name: 'North MLS by Harbor', authority: 'Twin MLS' })
    const east = await server.get('/v1/properties/10/nearby', { key })
    expect(namesOf(east.json.data)).toMatchObject({ 11: null, 9: 'North MLS by Harbor' })
  })

  it('change the tag of the response', async () => {
    const path = '/v1/properties/10/nearby'
    const { headers } = await server.get(path, { key })
    // The other home comes from another source now, and its row stays the same.
    await testDatabase.database.query("update listings set source = 'west' where zpid = '11'")
    const again = await server.get(path, { key, headers: { 'if-none-match': headers.get('etag')! } })
    expect(again.status).toBe(200)
    expect(namesOf(again.json.data)).toMatchObject({ 11: 'west' })
  })
})

describe('The sources of the units of a building', () => {
  const url = encodeURIComponent(BUILDING)

  it('are in each unit if they differ, in a direct response and in a job, at the same price', async () => {
    const { json, charged } = await server.get(`/v1/buildings/by-url?url=${url}`, { key })
    expect(charged).toBe(2)
    expect(json.meta.source).toBeUndefined()
    expect(namesOf(json.data.units)).toEqual({ 71: 'North MLS by Harbor', 72: 'south' })
    const { id } = await startBuildingJob(server, BUILDING, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ credits_charged: 2 })
    const page = await server.get(`/v1/jobs/${id}/results`, { key })
    expect(page.json.meta.source.name).toBe('North MLS by Harbor')
    // A unit has no other field for its office.
    expect(namesOf(page.json.data)).toEqual({ 71: 'North MLS by Harbor', 72: 'south' })
  })

  it('are in each record of a lookup by URL, also under standard names', async () => {
    const path = `/v1/properties/by-url?extract_units=all&url=${url}`
    const { json } = await server.get(path, { key })
    expect(namesOf(json.data)).toEqual({ 71: 'North MLS by Harbor', 72: 'south' })
    const reso = await server.get(`${path}&shape=reso`, { key })
    const sources = reso.json.value.map(({ X_Source }: { X_Source: { name: string } }) => X_Source.name)
    expect(sources).toEqual(['North MLS by Harbor', 'south'])
  })

  it('are in meta.source once if they are equal', async () => {
    await importListings(testDatabase.database, rowsOf([unitAt('72', '2')] as unknown as Property[]), {
      source: 'north',
    })
    const { json } = await server.get(`/v1/buildings/by-url?url=${url}`, { key })
    expect(json.meta.source.name).toBe('North MLS by Harbor')
    for (const { source } of json.data.units)
      expect(source.attribution).toBe('Listed by Harbor Realty. © North MLS.')
    const records = await server.get(`/v1/properties/by-url?extract_units=all&url=${url}`, { key })
    expect(records.json.meta.source.name).toBe('North MLS by Harbor')
  })
})
