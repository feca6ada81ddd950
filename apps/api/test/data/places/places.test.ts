// Searches of places over real HTTP: the same rows and charges from the data set and from a remote provider that searches boxes, jobs and
// watches that keep their boundaries, and names that cannot be used.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Position } from '@lotline/contract/checks'
import { beforeEach, describe, expect, it } from 'vitest'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { builtInPlaces } from '../../../src/data/places/built-in.ts'
import { findPlaces } from '../../../src/data/places/find-places.ts'
import { type ImportedKind, importPlaces, removePlaces } from '../../../src/data/places/import-places.ts'
import { SAMPLE } from '../../domain/record/sample-records.ts'
import { isInEvenOdd } from '../../domain/search/exact-areas.ts'
import { homesForSale as homes, withBothProviders, zpidOf } from '../../setup/over-both-providers.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withoutReadTimes, withTestServer } from '../../setup/test-server.ts'
import { balanceOf } from '../../setup/usage.ts'
import { readRows, startJob, untilEnded } from '../../work/jobs/job-calls.ts'
import { home, watchTools } from '../../work/watches/watch-tools.ts'

const KING = '53033'
const inCounty = homes.filter(({ longitude, latitude }) =>
  isInEvenOdd(builtInPlaces().polygonsOf({ kind: 'county', id: KING }), longitude!, latitude!),
)
const longitudes = inCounty.map(({ longitude }) => longitude!).sort((one, other) => one - other)
const latitudes = inCounty.map(({ latitude }) => latitude!).sort((one, other) => one - other)

/** The south-west part of the box around the county’s homes, with this share of its size. */
function part(share: number): Position[] {
  const [west, south] = [longitudes[0]!, latitudes[0]!]
  const east = west + (longitudes.at(-1)! - west) * share
  const north = south + (latitudes.at(-1)! - south) * share
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

const polygon = (share: number) => ({ type: 'Polygon', coordinates: [part(share)] })
const feature = (id: string, name: string, geometry: object) => ({
  type: 'Feature',
  properties: { code: id, label: name },
  geometry,
})

const { testDatabase, reference, describeEach } = withBothProviders()

const importNeighborhoods = (features: readonly object[]) => importPlacesOf('neighborhood', features)

async function importPlacesOf(kind: ImportedKind, features: readonly object[]) {
  const path = join(await makeTemporaryDirectory(), 'places.geojson')
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }))
  return importPlaces(testDatabase.database, path, {
    kind,
    fields: { id: 'code', name: 'label' },
    source: 'City of Seattle',
    license: 'Public domain',
    vintage: '2026',
  })
}

beforeEach(async () => {
  await removePlaces(testDatabase.database, { kind: 'neighborhood' })
  await importNeighborhoods([
    feature('half', 'Half of it', polygon(0.5)),
    feature('n1', 'North Beach', polygon(0.2)),
    feature('n2', 'North Beach', polygon(0.3)),
  ])
})

describeEach(({ name, server, account }) => {
  const { importRecords } = watchTools(() => testDatabase.database)
  const search = (area: unknown, rest: object = {}) =>
    server.post('/v1/search', { filters: { area }, maxItems: 50, ...rest }, { key: account.key })

  it('a search of a built-in county returns exactly its homes, in a job that names its boundary', async () => {
    expect(inCounty.length).toBeGreaterThan(20)
    expect(inCounty.length).toBeLessThan(homes.length)
    const area = { type: 'place', kind: 'county', name: 'King County, Washington' }
    const body = { filters: { area }, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
    const { id } = await startJob(server, '/v1/search', body, { key: account.key })
    const job = await untilEnded(server, account.key, id)
    const rows = await readRows(server, account.key, id)
    expect(rows.map(zpidOf).sort()).toEqual(inCounty.map(zpidOf).sort())
    expect(job).toMatchObject({
      status: 'succeeded',
      credits_charged: inCounty.length,
      area: [
        {
          kind: 'county',
          id: KING,
          name: 'King',
          vintage: '2017',
          source: expect.stringContaining('simplified'),
        },
      ],
    })
  })

  it('a search of an imported place has the rows, total, and charge of its boundary sent as a polygon', async () => {
    const sent = await search(polygon(0.5))
    const named = await search({ type: 'place', kind: 'neighborhood', id: 'half' })
    expect([named.status, named.charged]).toEqual([200, sent.charged])
    expect(withoutReadTimes(named.json.data)).toEqual(withoutReadTimes(sent.json.data))
    const place = {
      kind: 'neighborhood',
      id: 'half',
      name: 'Half of it',
      source: 'City of Seattle',
      vintage: '2026',
    }
    const { count, total } = sent.json.meta
    expect(named.json.meta).toMatchObject({ count, total, area: [place] })
    expect(sent.json.meta).not.toHaveProperty('area')
    const got = await server.get('/v1/listings?place=neighborhood:half&max_items=50', { key: account.key })
    expect(got.json.data.map(zpidOf)).toEqual(sent.json.data.map(zpidOf))
    expect(got.json.meta.area).toEqual([place])
  })

  it('places and other areas in a list are combined into one union', async () => {
    const union = await search([
      { type: 'place', kind: 'neighborhood', id: 'half' },
      polygon(0.4),
      { type: 'place', kind: 'neighborhood', name: ' HALF, of-it ' },
    ])
    const half = await search(polygon(0.5))
    expect(union.json.data.map(zpidOf)).toEqual(half.json.data.map(zpidOf))
    expect(union.charged).toBe(half.charged)
    expect(union.json.meta.area).toHaveLength(2)
  })

  it('an unknown place and an ambiguous name are refused for free, without a provider query, by all operations with areas', async () => {
    const { id } = (
      await server.post(
        '/v1/watches',
        { name: 'One', filters: { area: polygon(0.1) }, every: '1d' },
        { key: account.key },
      )
    ).json.data
    await reference.takeAsked()
    const before = await balanceOf(testDatabase.database, account.accountId)
    const unknown = { area: { type: 'place', kind: 'zip', id: '00000' } }
    const ambiguous = { area: [polygon(0.1), { type: 'place', kind: 'neighborhood', name: 'north beach' }] }
    const calls = [
      ...['/v1/search', '/v1/listings/for-sale', '/v1/listings/for-rent', '/v1/listings/sold'].map(
        (path) => ['POST', path, {}] as const,
      ),
      ['POST', '/v1/search', { maxItems: 500 }] as const,
      ['POST', '/v1/search/with-details', {}] as const,
      ['POST', '/v1/watches', { name: 'Two', every: '1d' }] as const,
      ['PATCH', `/v1/watches/${id}`, {}] as const,
    ]
    for (const [method, path, rest] of calls) {
      const [first, second] = [
        await server.send(method, path, { key: account.key, body: { filters: unknown, ...rest } }),
        await server.send(method, path, { key: account.key, body: { filters: ambiguous, ...rest } }),
      ]
      expect([path, first.status, first.code, first.charged]).toEqual([path, 400, 'unknown_place', 0])
      expect(first.json.error.details).toEqual({ parameter: 'filters.area' })
      expect([path, second.status, second.code, second.charged]).toEqual([path, 400, 'ambiguous_place', 0])
      const around = { county: 'King', state: 'WA' }
      expect(second.json.error.details).toEqual({
        parameter: 'filters.area.1',
        candidates: ['n1: North Beach, King, WA', 'n2: North Beach, King, WA'],
        places: [
          { id: 'n1', name: 'North Beach', ...around },
          { id: 'n2', name: 'North Beach', ...around },
        ],
      })
    }
    const listed = await server.get('/v1/listings?place=neighborhood:nowhere', { key: account.key })
    expect([listed.status, listed.code, listed.charged]).toEqual([400, 'unknown_place', 0])
    expect(listed.json.error.details).toEqual({ parameter: 'place' })
    const named = await server.get('/v1/listings?place=state:washington', { key: account.key })
    expect([named.status, named.code, named.charged]).toEqual([400, 'unknown_place', 0])
    expect(named.json.error.message).toMatch(/state:53 .+ name.+ filters\.area with POST \/v1\/search/)
    expect(await balanceOf(testDatabase.database, account.accountId)).toBe(before)
    expect(await reference.takeAsked()).toEqual([])
    expect((await server.get('/v1/listings?place=state:53', { key: account.key })).status).toBe(200)
  })

  it('homes of a ZIP code with an imported area are found there, even outside the ZIP code’s state', async () => {
    // In San Diego, with a ZIP code of Washington.
    const at = { longitude: -117.15, latitude: 32.72 }
    const address = { streetAddress: '1 Broadway', city: 'Seattle', state: 'WA', zipcode: '98199' }
    const moved = { ...homes[0]!, zpid: '9100001', address, ...at }
    await importRecords([moved])
    await reference.setRecords([...SAMPLE, moved])
    const byZip = () =>
      server.post('/v1/search', { filters: { zips: ['98199'] }, maxItems: 50 }, { key: account.key })
    const zpids = async () => (await byZip()).json.data.map(zpidOf)
    // A remote provider is queried only within the state.
    if (name === 'a remote provider') expect(await zpids()).not.toContain('9100001')
    const box = [-1, 1, 1, -1, -1].map((sign, at) => [
      moved.longitude + sign / 100,
      moved.latitude + (at === 2 || at === 3 ? 1 : -1) / 100,
    ])
    await importPlacesOf('zip', [feature('98199', '98199', { type: 'Polygon', coordinates: [box] })])
    expect(await zpids()).toContain('9100001')
    await removePlaces(testDatabase.database, { kind: 'zip' })
    await removeListings(testDatabase.database, { zpids: ['9100001'] })
    await reference.setRecords(SAMPLE)
  })

  it('an estimate reports an unknown place, for a search and for a job', async () => {
    const filters = { area: { type: 'place', kind: 'place', name: 'Nowhere' } }
    for (const maxItems of [10, 500]) {
      const body = { operation: 'searchListings', input: { body: { filters, maxItems } } }
      const { json } = await server.post('/v1/estimate', body, { key: account.key })
      expect(json.data, name).toMatchObject({ would_be_refused: true, error_code: 'unknown_place', max: 0 })
    }
  })
})

describe('a boundary that is replaced or removed', () => {
  const server = withTestServer(testDatabase)
  const { evaluate, eventsOf, importRecords } = watchTools(() => testDatabase.database)
  const HALF = { type: 'place', kind: 'neighborhood', id: 'half' }
  const open = () => server.openAccount({ plan: 'custom', credits: 100_000 })

  it('is replaced for the next search, and a cursor of the old boundary is refused', async () => {
    const { key } = await open()
    const body = { filters: { area: HALF }, sort: 'price', maxItems: 2 }
    const first = await server.post('/v1/search', body, { key })
    const cursor = first.json.meta.next_cursor
    expect((await server.post('/v1/search', { ...body, cursor }, { key })).status).toBe(200)
    await importNeighborhoods([feature('half', 'Half of it', polygon(0.45))])
    const refused = await server.post('/v1/search', { ...body, cursor }, { key })
    expect([refused.status, refused.code, refused.charged]).toEqual([400, 'invalid_cursor', 0])
    const smaller = await server.post('/v1/search', { filters: { area: HALF }, maxItems: 50 }, { key })
    const expected = await server.post(
      '/v1/search',
      { filters: { area: polygon(0.45) }, maxItems: 50 },
      { key },
    )
    expect(withoutReadTimes(smaller.json.data)).toEqual(withoutReadTimes(expected.json.data))
  })

  it('stays the same for an accepted job, even if its call is repeated after a removal', async () => {
    const { key } = await open()
    const body = { filters: { area: HALF }, maxItems: 500 }
    const headers = { 'idempotency-key': 'once' }
    const { id } = await startJob(server, '/v1/search', body, { key, headers })
    await removePlaces(testDatabase.database, { kind: 'neighborhood' })
    const again = await server.post('/v1/search', body, { key, headers })
    expect([again.status, again.json.data.job_id]).toEqual([202, id])
    expect((await server.post('/v1/search', body, { key })).code).toBe('unknown_place')
    const worker = server.app.jobs.start({ work: true })
    try {
      expect(await untilEnded(server, key, id)).toMatchObject({ status: 'succeeded', area: [{ id: 'half' }] })
    } finally {
      await worker.stop()
    }
    const rows = await readRows(server, key, id)
    const now = await server.post('/v1/search', { filters: { area: polygon(0.5) }, maxItems: 50 }, { key })
    expect(rows).toHaveLength(now.json.meta.total)
  })

  it('is found in its new form if it is removed between finding the place and keeping the boundary', async () => {
    const { database } = testDatabase
    const boundaryOf = async () =>
      (await database.query<{ boundary: string }>("select boundary from places where id = 'half'")).rows[0]!
        .boundary
    const old = await boundaryOf()
    await database.query(
      `update place_boundaries set kept_at = now() - interval '41 days' where key in ('${old}')`,
    )
    let isReplaced = false
    const query = async (...args: Parameters<typeof database.query>) => {
      if (!isReplaced && String(args[0]).includes('update place_boundaries')) {
        isReplaced = true
        await importNeighborhoods([feature('half', 'Half of it', polygon(0.55))])
      }
      return database.query(...args)
    }
    const search = { areas: [{ type: 'place', kind: 'neighborhood', id: 'half' } as const] }
    const options = { placeOf: () => 'filters.area', keep: true }
    const found = await findPlaces({ query } as typeof database, search, options)
    const { rows } = await database.query('select key from place_boundaries where key = $1', [old])
    expect(rows).toEqual([])
    expect(found).toMatchObject({ areas: [{ boundary: await boundaryOf() }] })
  })

  it('stays the same for a watch until its filters change', async () => {
    const { key, accountId } = await open()
    const filters = { area: HALF }
    const created = await server.post('/v1/watches', { name: 'Half', filters }, { key })
    expect(created.json.data).toMatchObject({ filters, area: [{ id: 'half', vintage: '2026' }] })
    const { id, count } = created.json.data
    const watch = { accountId, id, count: 0 }
    await removePlaces(testDatabase.database, { kind: 'neighborhood' })
    // In the upper right corner of the removed boundary, on it, and outside.
    const [, , [longitude, latitude]] = part(0.5) as [Position, Position, Position]
    await importRecords([
      home(9_000_001, { longitude: longitude - 1e-6, latitude }),
      home(9_000_002, { longitude, latitude }),
      home(9_000_003, { longitude, latitude: latitude + 1e-6 }),
    ])
    await evaluate()
    expect((await eventsOf(watch)).map(({ zpid, type }) => [zpid, type])).toEqual([
      ['9000001', 'listing.new'],
      ['9000002', 'listing.new'],
    ])
    const patch = (changed: object) =>
      server.send('PATCH', `/v1/watches/${id}`, { key, body: { filters: changed } })
    const other = { ...filters, price: { min: 1 } }
    const patched = await patch(other)
    expect([patched.status, patched.code]).toEqual([400, 'unknown_place'])
    await importNeighborhoods([feature('half', 'Half of it', polygon(0.6))])
    expect((await patch(filters)).json.data).toMatchObject({ area: created.json.data.area, count: count + 2 })
    expect((await patch(other)).json.data.count).toBeGreaterThan(count + 2)
  })
})
