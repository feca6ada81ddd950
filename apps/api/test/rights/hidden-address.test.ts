// A listing of a feed whose address must not be displayed: no query finds it by its address or its position, and searches by ZIP code and
// city return it without both. It is stored beside a listing that may be displayed, so that a test that finds neither proves nothing.
// every-operation.test.ts tests every operation.

import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { toListing } from '../../src/data/ingest/reso/to-listing.ts'
import { PROPERTY } from '../data/ingest/reso/a-property.ts'
import { rowsOf } from '../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { startJob, untilEnded, withWorker } from '../work/jobs/job-calls.ts'

const OPTIONS = {
  profile: { mediaLinks: true },
  source: { name: 'northwest', notice: '© 2026 Northwest Test MLS.' },
}
const SHOWN = {
  ...PROPERTY,
  ListingKey: 'shown',
  StreetNumber: '1418',
  // Its own position, so that the two homes can be distinguished in one response.
  Latitude: 47.2622,
  Longitude: -122.4811,
  ParcelNumber: '0320364008',
}
const HIDDEN = {
  ...PROPERTY,
  ListingKey: 'hidden',
  InternetAddressDisplayYN: false,
  PublicRemarks: 'Come and see 1420 N Juniper Street.',
}
/** Parts of the address, the position, and the parcel of the hidden home. */
const SECRETS = ['1420', '47.2612', '-122.4801', '0320364007']
const BOX = { west: -122.5, south: 47.2, east: -122.4, north: 47.3 }
const SEARCH = { filters: { status: 'for_sale', bbox: BOX }, maxItems: 50 }

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
withWorker(server)
let key: string
let hidden: string
let shown: string

async function importProperties(properties: readonly object[]): Promise<void> {
  const records = properties.map((property) => {
    const listing = toListing(property, OPTIONS)
    if (listing.kind !== 'listing') throw new Error(listing.kind)
    return { ...listing.record, sourceKey: listing.sourceKey }
  })
  await importListings(testDatabase.database, rowsOf(records as never), { source: 'northwest' })
}

beforeAll(async () => {
  await importProperties([SHOWN, HIDDEN])
  const { rows } = await testDatabase.database.query<{ source_key: string; zpid: string }>(
    "select source_key, zpid from record_identities where source = 'northwest'",
  )
  const zpidOf = (name: string) => rows.find(({ source_key }) => source_key === name)!.zpid
  hidden = zpidOf('hidden')
  shown = zpidOf('shown')
  key = (await server.openAccount()).key
})

function zpidsOf(rows: readonly { readonly zpid: string }[]): string[] {
  return rows.map(({ zpid }) => zpid)
}

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret)
}

describe('A listing whose address must not be displayed', () => {
  it('is found by its zpid, without street, position, and parcel, and with its attribution', async () => {
    const { json, text } = await server.get(`/v1/properties/${hidden}`, { key })
    expectNoSecret(text)
    expect(json.data).toMatchObject({ isUndisclosedAddress: true, price: 725000, city: 'Tacoma' })
    expect(json.meta.source).toMatchObject({
      name: 'northwest',
      authority: 'Northwest Test MLS',
      source_updated_at: '2026-11-20T18:30:05.123Z',
      attribution: 'Listed by Harbor Realty. © 2026 Northwest Test MLS.',
    })
  })

  it('shows no secret under standard names', async () => {
    const { status, text } = await server.get(`/v1/properties/${hidden}?shape=reso`, { key })
    expect(status).toBe(200)
    expectNoSecret(text)
    expect(JSON.parse(text).value[0]).toMatchObject({
      InternetAddressDisplayYN: false,
      ListOfficeName: 'Harbor Realty',
    })
  })

  it('is not found by its address, in any spelling, while the home beside it is', async () => {
    for (const street of ['1420 N Juniper Street', '1420 North Juniper St', '1420 Juniper']) {
      const address = encodeURIComponent(`${street}, Tacoma, WA 98406`)
      const { status, text } = await server.get(`/v1/properties/by-address?address=${address}`, { key })
      expect(status).toBe(404)
      expect(text).not.toContain(hidden)
    }
    const address = encodeURIComponent('1418 N Juniper Street, Tacoma, WA 98406')
    const { json } = await server.get(`/v1/properties/by-address?address=${address}`, { key })
    expect(json.data.zpid).toBe(shown)
  })

  it('has the same record for every address in a listing URL, so a URL confirms no address', async () => {
    const bodies = []
    for (const slug of ['1420-N-Juniper-Street-Tacoma-WA-98406', '9-Other-Rd-Tacoma-WA-98406']) {
      const url = encodeURIComponent(`https://www.zillow.com/homedetails/${slug}/${hidden}_zpid/`)
      const { json, text } = await server.get(`/v1/properties/by-url?url=${url}`, { key })
      expectNoSecret(text)
      bodies.push(json.data)
    }
    expect(bodies[0]).toEqual(bodies[1])
  })

  it('is in no search by box, circle, or polygon, even with its ZIP code or city, and in none of the presets', async () => {
    const polygon = [
      [-122.5, 47.2],
      [-122.4, 47.2],
      [-122.4, 47.3],
      [-122.5, 47.3],
      [-122.5, 47.2],
    ]
    const filters = [
      { bbox: BOX },
      { area: [{ type: 'circle', center: [-122.4801, 47.2612], radius_m: 5000 }] },
      { area: [{ type: 'Polygon', coordinates: [polygon] }] },
      { bbox: BOX, zips: ['98406'] },
      { area: [{ type: 'Polygon', coordinates: [polygon] }], cities: ['Tacoma, WA'] },
    ]
    const calls = [
      ...filters.flatMap((where) =>
        ['json', 'csv', 'ndjson'].map((format) => ({
          path: `/v1/search?format=${format}`,
          body: { filters: { status: 'for_sale', ...where }, maxItems: 50 },
        })),
      ),
      { path: '/v1/listings/for-sale', body: { filters: { bbox: BOX }, maxItems: 50 } },
      {
        path: '/v1/search',
        body: { filters: { status: 'for_sale', ...filters[1] }, sort: 'distance', maxItems: 50 },
      },
    ]
    for (const { path, body } of calls) {
      const { status, text } = await server.post(path, body, { key })
      expect([path, status]).toEqual([path, 200])
      expect(text).toContain(shown)
      expect(text).not.toContain(hidden)
      expect(text).not.toContain('1420')
    }
    const { text } = await server.get('/v1/listings?status=for_sale&bbox=-122.5,47.2,-122.4,47.3', { key })
    expect(text).toContain(shown)
    expect(text).not.toContain(hidden)
  })

  it('is found by its ZIP code and its city, in every format and operation, without street and position', async () => {
    for (const where of [{ zips: ['98406'] }, { cities: ['Tacoma, WA'] }]) {
      for (const sort of ['newest', 'price', '-sqft']) {
        const body = { filters: { status: 'for_sale', ...where }, sort, maxItems: 50 }
        const { status, json, text } = await server.post('/v1/search', body, { key })
        expect([status, json.meta.total]).toEqual([200, 2])
        expect(zpidsOf(json.data).sort()).toEqual([hidden, shown].sort())
        expectNoSecret(text)
        const row = json.data.find(({ zpid }: { zpid: string }) => zpid === hidden)
        expect(row).toMatchObject({
          latLong: null,
          addressStreet: null,
          isUndisclosedAddress: true,
          unformattedPrice: 725_000,
          addressCity: 'Tacoma',
          addressState: 'WA',
          addressZipcode: '98406',
        })
      }
      const body = { filters: { status: 'for_sale', ...where }, maxItems: 50 }
      for (const path of ['/v1/search?format=csv', '/v1/search?format=ndjson', '/v1/search?shape=reso']) {
        const { status, text } = await server.post(path, body, { key })
        expect([path, status]).toEqual([path, 200])
        expect(text).toContain(hidden)
        expectNoSecret(text)
      }
      const markers = await server.post('/v1/search', { ...body, extractionMethod: 'MAP_MARKERS' }, { key })
      expect(zpidsOf(markers.json.data).sort()).toEqual([hidden, shown].sort())
      expectNoSecret(markers.text)
      const pages = []
      for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
        const { json } = await server.post(
          '/v1/search',
          { ...body, maxItems: 1, sort: 'newest', ...(cursor && { cursor }) },
          { key },
        )
        pages.push(...zpidsOf(json.data))
        cursor = json.meta.next_cursor
      }
      expect(pages.sort()).toEqual([hidden, shown].sort())
    }
    const listed = await server.get('/v1/listings?status=for_sale&zip=98406', { key })
    expect(zpidsOf(listed.json.data).sort()).toEqual([hidden, shown].sort())
    expectNoSecret(listed.text)
  })

  it('is in the results of jobs by its ZIP code, without street and position', async () => {
    const filters = { status: 'for_sale', zips: ['98406'] }
    const jobs = [
      await startJob(server, '/v1/search', { filters, maxItems: 50, async: true }, { key }),
      await startJob(
        server,
        '/v1/search',
        { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN', async: true },
        { key },
      ),
      await startJob(server, '/v1/search/with-details', { filters }, { key }),
    ]
    for (const { id } of jobs) {
      await untilEnded(server, key, id)
      for (const format of ['json', 'csv', 'ndjson']) {
        const { status, text } = await server.get(`/v1/jobs/${id}/results?format=${format}`, { key })
        expect(status).toBe(200)
        expect(text).toContain(shown)
        expect(text).toContain(hidden)
        expectNoSecret(text)
      }
    }
  })

  it('is not among the homes near another one', async () => {
    const { status, text } = await server.get(`/v1/properties/${shown}/nearby`, { key })
    expect(status).toBe(200)
    expect(text).not.toContain(hidden)
  })

  it('shows no secret in the results of jobs', async () => {
    const addresses = ['1420', '1418'].map((number) => `${number} N Juniper Street, Tacoma, WA 98406`)
    const jobs = [
      await startJob(server, '/v1/properties/batch', { addresses }, { key }),
      await startJob(server, '/v1/search', { ...SEARCH, async: true }, { key }),
      await startJob(server, '/v1/search/with-details', { filters: SEARCH.filters }, { key }),
    ]
    for (const { id } of jobs) {
      await untilEnded(server, key, id)
      for (const format of ['json', 'csv', 'ndjson']) {
        const { status, text } = await server.get(`/v1/jobs/${id}/results?format=${format}`, { key })
        expect(status).toBe(200)
        expect(text).toContain(shown)
        expect(text).not.toContain(hidden)
      }
    }
  })

  it('is not in a county, an imported place, or a page behind a cursor', async () => {
    const areas = [
      { type: 'place', kind: 'county', name: 'Pierce County, Washington' },
      { type: 'place', kind: 'state', name: 'Washington' },
    ]
    for (const area of areas) {
      const { status, json, text } = await server.post('/v1/search', { filters: { area } }, { key })
      expect([status, json.meta.total]).toEqual([200, 1])
      expect(text).toContain(shown)
      expect(text).not.toContain(hidden)
    }
    const seen: string[] = []
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      const body = { ...SEARCH, maxItems: 1, sort: 'newest', ...(cursor && { cursor }) }
      const { json } = await server.post('/v1/search', body, { key })
      seen.push(...json.data.map(({ zpid }: { zpid: string }) => zpid))
      cursor = json.meta.next_cursor
    }
    expect(seen).toEqual([shown])
  })

  it('is counted in no estimate of an area, and an estimate confirms no address', async () => {
    const estimate = async (operation: string, input: object) => {
      const { status, json } = await server.post('/v1/estimate', { operation, input }, { key })
      expect(status).toBe(200)
      return json.data
    }
    expect(await estimate('searchListings', { body: SEARCH })).toMatchObject({ min: 1, max: 1, exact: true })
    const byZip = { filters: { status: 'for_sale', zips: ['98406'] }, maxItems: 50 }
    expect(await estimate('searchListings', { body: byZip })).toMatchObject({ min: 2, max: 2, exact: true })
    const byAddress = (street: string) =>
      estimate('getPropertyByAddress', { query: { address: `${street}, Tacoma, WA 98406` } })
    expect(await byAddress('1420 N Juniper Street')).toEqual(await byAddress('77 Nowhere Street'))
    const batch = (street: string) =>
      estimate('createPropertyBatch', { body: { addresses: [`${street}, Tacoma, WA 98406`] } })
    expect(await batch('1420 N Juniper Street')).toEqual(await batch('77 Nowhere Street'))
  })

  it('is reported by no watch of an area, and without its address to watches of its zpid, ZIP code, and city', async () => {
    const watch = async (body: object) => {
      const { status, json } = await server.post('/v1/watches', { name: 'Tacoma', ...body }, { key })
      expect(status).toBe(201)
      return json.data as { id: string; count: number }
    }
    const ofArea = await watch({ filters: SEARCH.filters })
    const ofAddresses = await Promise.all(
      [{ zips: ['98406'] }, { cities: ['Tacoma, WA'] }].map((where) =>
        watch({ filters: { status: 'for_sale', ...where } }),
      ),
    )
    expect([ofArea, ...ofAddresses].map(({ count }) => count)).toEqual([1, 2, 2])
    const ofHome = await watch({ zpids: [hidden, shown] })
    const changed = { ModificationTimestamp: '2026-11-21T10:00:00Z', ListPrice: 699_000 }
    await importProperties([
      { ...SHOWN, ...changed },
      { ...HIDDEN, ...changed },
    ])
    const running = server.app.watches.start()
    const eventsOf = async ({ id }: { id: string }) => server.get(`/v1/watches/${id}/events`, { key })
    await expect.poll(async () => (await eventsOf(ofHome)).json.data.length, { timeout: 30_000 }).toBe(2)
    await running.stop()
    const inArea = await eventsOf(ofArea)
    expect(zpidsOf(inArea.json.data)).toEqual([shown])
    expect(inArea.text).not.toContain(hidden)
    for (const one of ofAddresses) {
      const { json, text } = await eventsOf(one)
      expect(zpidsOf(json.data).sort()).toEqual([hidden, shown].sort())
      expectNoSecret(text)
      const event = json.data.find(({ zpid }: { zpid: string }) => zpid === hidden)
      expect(event).toMatchObject({ type: 'listing.price_changed', listing: { zpid: hidden, latLong: null } })
    }
    const { json } = await eventsOf(ofHome)
    const event = json.data.find(({ zpid }: { zpid: string }) => zpid === hidden)
    expect(event).toMatchObject({ type: 'listing.price_changed', current: { price: 699_000 } })
    expectNoSecret(JSON.stringify(event))
  })

  it('shows no secret in the change log, which watches read', async () => {
    const { rows } = await testDatabase.database.query<{ after: string }>(
      'select to_json(after)::text as after from listing_changes where zpid = $1',
      [hidden],
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { after } of rows) expectNoSecret(after)
    const { rows: stored } = await testDatabase.database.query<{ row: string }>(
      'select to_json(l)::text as row from listings l where zpid = $1',
      [hidden],
    )
    expectNoSecret(stored[0]!.row)
  })
})
