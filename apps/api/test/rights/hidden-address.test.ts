// A listing of a feed whose address must not be displayed, asked for through every endpoint that returns homes. It is stored
// beside a listing that may be displayed, so that a test that finds neither proves nothing.

import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/ingest/import-listings.ts'
import { toListing } from '../../src/ingest/reso/to-listing.ts'
import { PROPERTY } from '../ingest/reso/a-property.ts'
import { startJob, untilEnded, withWorker } from '../jobs/job-calls.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const OPTIONS = {
  profile: { mediaLinks: true },
  source: { name: 'northwest', notice: '© 2026 Northwest Test MLS.' },
}
const SHOWN = { ...PROPERTY, ListingKey: 'shown', StreetNumber: '1418' }
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

beforeAll(async () => {
  const records = [SHOWN, HIDDEN].map((property) => {
    const listing = toListing(property, OPTIONS)
    if (listing.kind !== 'listing') throw new Error(listing.kind)
    return { ...listing.record, sourceKey: listing.sourceKey }
  })
  await importListings(testDatabase.database, rowsOf(records as never), { source: 'northwest' })
  const { rows } = await testDatabase.database.query<{ source_key: string; zpid: string }>(
    "select source_key, zpid from record_identities where source = 'northwest'",
  )
  const zpidOf = (name: string) => rows.find(({ source_key }) => source_key === name)!.zpid
  hidden = zpidOf('hidden')
  shown = zpidOf('shown')
  key = (await server.openAccount()).key
})

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

  it('shows no secret in any of its parts', async () => {
    const parts = 'photos price-history tax-history schools agent zestimate open-houses facts'.split(' ')
    for (const part of parts) {
      const { status, text } = await server.get(`/v1/properties/${hidden}/${part}`, { key })
      expect(status).toBe(200)
      expectNoSecret(text)
    }
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

  it('gives the same record for every address in a listing URL, so a URL confirms no address', async () => {
    const bodies = []
    for (const slug of ['1420-N-Juniper-Street-Tacoma-WA-98406', '9-Other-Rd-Tacoma-WA-98406']) {
      const url = encodeURIComponent(`https://www.zillow.com/homedetails/${slug}/${hidden}_zpid/`)
      const { json, text } = await server.get(`/v1/properties/by-url?url=${url}`, { key })
      expectNoSecret(text)
      bodies.push(json.data)
    }
    expect(bodies[0]).toEqual(bodies[1])
  })

  it('is in no search by box, circle, polygon, ZIP code, or city, and in none of the presets', async () => {
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
      { zips: ['98406'] },
      { cities: ['Tacoma, WA'] },
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

  it('shows no secret in the change log, which watches read', async () => {
    const { rows } = await testDatabase.database.query<{ after: string }>(
      'select to_json(after)::text as after from listing_changes where zpid = $1',
      [hidden],
    )
    expect(rows).toHaveLength(1)
    expectNoSecret(rows[0]!.after)
    const { rows: stored } = await testDatabase.database.query<{ row: string }>(
      'select to_json(l)::text as row from listings l where zpid = $1',
      [hidden],
    )
    expectNoSecret(stored[0]!.row)
  })
})
