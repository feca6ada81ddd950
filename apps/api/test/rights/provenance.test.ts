// meta.source names the source that answered: of a record, of the rows of a search, and of each row where they differ.

import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/ingest/import-listings.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

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
const server = withTestServer(testDatabase, { env: { SOURCE_ALIASES: 'north=North MLS by Harbor' } })
let key: string

beforeAll(async () => {
  const { database } = testDatabase
  const north = ['1', '2'].map((zpid, at) => ({
    ...HOME,
    zpid,
    longitude: -122.5 + at / 100,
    attributionInfo: NORTH,
  }))
  await importListings(database, rowsOf(north as unknown as Property[]), { source: 'north' })
  const south = [{ ...HOME, zpid: '3', latitude: 46.5 }]
  await importListings(database, rowsOf(south as Property[]), { source: 'south' })
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

  it('is the same where another process reads the record from the shared cache', async () => {
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

  it('is in each row where the rows have several sources', async () => {
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

  it('follows the next import of the source', async () => {
    const home = { ...HOME, zpid: '3', latitude: 46.5, attributionInfo: { mlsDisclaimer: '© South.' } }
    await importListings(testDatabase.database, rowsOf([home as Property]), { source: 'south' })
    const { json } = await server.get('/v1/properties/3', { key })
    expect(json.meta.source).toMatchObject({ name: 'south', attribution: '© South.' })
  })
})
