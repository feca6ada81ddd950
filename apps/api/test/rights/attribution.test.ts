// The attribution that a source requires is shown with each listing, in every form: the office, the name of the source, and its notice,
// which may differ from record to record.

import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { startJob, untilEnded, withWorker } from '../work/jobs/job-calls.ts'

const HOME = {
  homeStatus: 'FOR_SALE',
  price: 500_000,
  address: { streetAddress: '1 Oak St', city: 'Tacoma', state: 'WA', zipcode: '98406' },
}
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
withWorker(server)
let key: string

interface Row {
  readonly zpid: string
  readonly source?: { readonly name: string; readonly attribution: string | null }
}

beforeAll(async () => {
  key = (await server.openAccount()).key
})

describe('Attribution', () => {
  const BOX = { west: -110, south: 40, east: -109, north: 41 }
  const filters = { status: 'for_sale', bbox: BOX }
  const at = (zpid: string, attributionInfo?: object, more: object = {}) =>
    ({
      ...HOME,
      zpid,
      latitude: 40.5,
      longitude: -109.5,
      ...(attributionInfo && { attributionInfo }),
      ...more,
    }) as unknown as Property
  const put = (source: string, ...records: Property[]) =>
    importListings(testDatabase.database, rowsOf(records), { source })
  const attributionsOf = (rows: readonly Row[]) =>
    Object.fromEntries(rows.map(({ zpid, source }) => [zpid, source?.attribution ?? null]))
  const A = { brokerName: 'A Realty', mlsName: 'Lake MLS', mlsDisclaimer: '© Lake MLS 2026.' }
  const B = { brokerName: 'B Realty', mlsName: 'Lake MLS', mlsDisclaimer: 'Courtesy of Lake MLS.' }
  const ALL = {
    31: 'Listed by A Realty. © Lake MLS 2026.',
    32: 'Listed by B Realty. Courtesy of Lake MLS.',
    33: null,
  }

  it('is that of each record if one source has several notices, in all forms of a search', async () => {
    await put('lake', at('31', A), at('32', B), at('33'))
    const { json } = await server.post('/v1/search', { filters }, { key })
    expect(json.meta.source).toBeUndefined()
    expect(attributionsOf(json.data)).toEqual(ALL)
    const markers = await server.post('/v1/search', { filters, extractionMethod: 'MAP_MARKERS' }, { key })
    expect(attributionsOf(markers.json.data)).toEqual(ALL)
    const ndjson = await server.post('/v1/search?format=ndjson', { filters }, { key })
    expect(
      attributionsOf(
        ndjson.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    ).toEqual(ALL)
    const csv = await server.get(`/v1/listings?status=for_sale&bbox=-110,40,-109,41&format=csv`, { key })
    for (const text of Object.values(ALL)) if (text) expect(csv.text).toContain(text)
    const reso = await server.post('/v1/search?shape=reso&format=csv', { filters }, { key })
    expect(reso.text.split('\r\n')[0]).toContain('X_Source.attribution')
    for (const text of Object.values(ALL)) if (text) expect(reso.text).toContain(text)
    const { id } = await startJob(server, '/v1/search', { filters, async: true }, { key })
    await untilEnded(server, key, id)
    for (const format of ['csv', 'ndjson']) {
      const { text } = await server.get(`/v1/jobs/${id}/results?format=${format}`, { key })
      // The office of a row of the same kind as the first is its brokerName.
      for (const part of ['© Lake MLS 2026.', 'Courtesy of Lake MLS.', 'A Realty', 'B Realty'])
        expect(text).toContain(part)
    }
  })

  it('is in every row of CSV and NDJSON, which have no common part', async () => {
    await put('lake', at('32', { ...A, brokerName: 'B Realty' }), at('33', { ...A, brokerName: 'C Realty' }))
    const json = await server.post('/v1/search', { filters }, { key })
    expect(json.json.meta.source).toMatchObject({ authority: 'Lake MLS', attribution: '© Lake MLS 2026.' })
    const full = { 31: 'A', 32: 'B', 33: 'C' }
    const expected = Object.fromEntries(
      Object.entries(full).map(([zpid, name]) => [zpid, `Listed by ${name} Realty. © Lake MLS 2026.`]),
    )
    const ndjson = await server.post('/v1/search?format=ndjson', { filters }, { key })
    expect(
      attributionsOf(
        ndjson.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    ).toEqual(expected)
    for (const shape of ['', '&shape=reso']) {
      const csv = await server.post(`/v1/search?format=csv${shape}`, { filters }, { key })
      for (const text of Object.values(expected)) expect(csv.text).toContain(text)
    }
    const { id } = await startJob(server, '/v1/search', { filters, async: true }, { key })
    await untilEnded(server, key, id)
    const result = (format: string) => server.get(`/v1/jobs/${id}/results?format=${format}`, { key })
    const rows = (await result('ndjson')).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).toMatchObject({ brokerName: `${full[row.zpid as 31]} Realty` })
      expect(row.source).toMatchObject({ name: 'lake', attribution: '© Lake MLS 2026.' })
    }
    const [header, ...lines] = (await result('csv')).text.trim().split('\r\n')
    expect(header).toContain('source.attribution')
    for (const line of lines) expect(line).toContain('© Lake MLS 2026.')
    expect((await result('json')).text.match(/© Lake MLS/g)).toHaveLength(1)
  })

  it('is left out if a source requires none', async () => {
    await put('plain', at('34', undefined, { latitude: 41.5 }))
    const body = { filters: { status: 'for_sale', bbox: { ...BOX, south: 41, north: 42 } } }
    for (const format of ['csv', 'ndjson']) {
      const { text } = await server.post(`/v1/search?format=${format}`, body, { key })
      expect(text).toContain('34')
      expect(text).not.toContain('source')
    }
  })

  it('is in each event of a watch, as it was when the home changed', async () => {
    const made = await server.post('/v1/watches', { name: 'Lake', zpids: ['31'] }, { key })
    await put('lake', at('31', A, { price: 450_000 }))
    const running = server.app.watches.start()
    const events = () => server.get(`/v1/watches/${made.json.data.id}/events`, { key })
    await expect.poll(async () => (await events()).json.data.length, { timeout: 30_000 }).toBe(1)
    await running.stop()
    await put('lake', at('31', { ...A, mlsDisclaimer: 'Another notice.' }, { price: 450_000 }))
    const [event] = (await events()).json.data
    expect(event.source).toMatchObject({
      name: 'lake',
      authority: 'Lake MLS',
      fetched_at: event.observed_at,
      attribution: 'Listed by A Realty. © Lake MLS 2026.',
    })
  })
})
