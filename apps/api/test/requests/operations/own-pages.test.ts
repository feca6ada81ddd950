// The links of homes that are on no listing site: the operator's own pages, which lookups by URL accept too.

import { expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const test = withTestDatabase()
const plain = withTestServer(test)
const own = withTestServer(test, {
  env: { LISTING_URL_TEMPLATE: 'https://homes.example.com/listing/{zpid}' },
})

const PLACE = { homeStatus: 'FOR_SALE', latitude: 47.63, longitude: -122.35 }
const SEARCH = '/v1/listings?bbox=-122.36,47.62,-122.34,47.64'
const links = (rows: readonly { zpid: string; detailUrl: string }[]) =>
  Object.fromEntries(rows.map(({ zpid, detailUrl }) => [zpid, detailUrl]))

it('a home without a link has none, unless the operator has its own home pages', async () => {
  await importListings(
    test.database,
    rowsOf([
      { zpid: '81', ...PLACE },
      { zpid: '82', ...PLACE, hdpUrl: '/homedetails/x/82_zpid/' },
      { zpid: '83', ...PLACE, hdpUrl: 'https://broker.example/homes/83' },
    ]),
    { source: 'mls' },
  )
  const { key } = await plain.openAccount()
  const carried = {
    82: 'https://www.zillow.com/homedetails/x/82_zpid/',
    83: 'https://broker.example/homes/83',
  }
  expect(links((await plain.get(SEARCH, { key })).json.data)).toEqual({ 81: '', ...carried })
  expect(links((await own.get(SEARCH, { key })).json.data)).toEqual({
    81: 'https://homes.example.com/listing/81',
    ...carried,
  })
  const csv = await plain.get(`${SEARCH}&format=csv`, { key })
  expect(csv.text).toMatch(/\n81,,47.63,/)
})

it('a lookup accepts the URL of the operator’s own page of a home, alone and in a batch', async () => {
  const { key } = await own.openAccount()
  const url = 'https://homes.example.com/listing/81?from=mail'
  const path = `/v1/properties/by-url?url=${encodeURIComponent(url)}`
  expect((await own.get(path, { key })).json.data).toMatchObject({ zpid: '81' })
  expect(await plain.get(path, { key: (await plain.openAccount()).key })).toMatchObject({
    status: 400,
    code: 'invalid_url',
  })
  const accepted = await own.post('/v1/properties/batch', { urls: [url] }, { key })
  expect(accepted.status).toBe(202)
  const worker = own.app.jobs.start({ work: true })
  try {
    const results = `/v1/jobs/${accepted.json.data.job_id}/results`
    await expect.poll(async () => (await own.get(results, { key })).status, { timeout: 20_000 }).toBe(200)
    expect((await own.get(results, { key })).json.data).toMatchObject([{ zpid: '81', input: url }])
  } finally {
    await worker.stop()
  }
})
