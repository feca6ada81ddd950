// The scenario with openapi-typescript and openapi-fetch.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

const { LOTLINE_BASE_URL, LOTLINE_API_KEY, LOTLINE_EMPTY_KEY, LOTLINE_LIMITED_KEY, LOTLINE_RECEIVER_URL } =
  process.env as Record<string, string>

function connect(key: string) {
  const headers = { Authorization: `Bearer ${key}` }
  return createClient<paths>({ baseUrl: LOTLINE_BASE_URL!, headers })
}

const lotline = connect(LOTLINE_API_KEY!)

const got = await lotline.GET('/v1/properties/{zpid}', { params: { path: { zpid: '48749425' } } })
assert.ok(got.data)
assert.equal(got.data.data.zpid, '48749425')
assert.equal(got.data.data.address?.city, 'Seattle')
console.log('ok get')

const found = await lotline.GET('/v1/properties/by-address', {
  params: { query: { address: '2114 Bigelow Ave N, Seattle, WA 98109' } },
})
assert.equal(found.data?.data.zpid, '48749425')
console.log('ok by-address')

const searched = await lotline.POST('/v1/search', {
  body: {
    filters: {
      status: 'for_sale',
      homeTypes: ['house'],
      beds: { min: 2 },
      price: { max: 2_000_000 },
      bbox: { west: -122.36, south: 47.6, east: -122.3, north: 47.65 },
    },
    maxItems: 5,
  },
})
assert.ok(typeof searched.data === 'object')
const listings = searched.data.data
assert.ok(Array.isArray(listings))
assert.ok(listings.length > 0)
for (const row of listings) assert.ok((row.beds ?? 0) >= 2 && (row.unformattedPrice ?? 0) <= 2_000_000)
console.log('ok search')

const filters = { bbox: { west: -122.36, south: 47.6, east: -122.3, north: 47.65 } }
for (const path of [
  '/v1/search',
  '/v1/listings/for-sale',
  '/v1/listings/for-rent',
  '/v1/listings/sold',
] as const) {
  const rows = await lotline.POST(path, { body: { filters, maxItems: 1 } })
  assert.ok(typeof rows.data === 'object' && Array.isArray(rows.data.data), path)
  const job = await lotline.POST(path, { body: { filters, maxItems: 1, async: true } })
  assert.ok(typeof job.data === 'object' && !Array.isArray(job.data.data) && job.data.data.job_id, path)
}
const url = 'https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/'
const units = await lotline.GET('/v1/buildings/by-url', { params: { query: { url } } })
assert.ok(units.data && 'units' in units.data.data && units.data.data.units.length > 0)
const extraction = await lotline.GET('/v1/buildings/by-url', { params: { query: { url, sync: false } } })
assert.ok(extraction.data && 'job_id' in extraction.data.data)
console.log('ok rows-or-job')

const watch = await lotline.POST('/v1/watches', { body: { name: 'Scenario', zpids: ['48749425'] } })
assert.ok(watch.data)
const removed = await lotline.DELETE('/v1/watches/{id}', { params: { path: { id: watch.data.data.id } } })
assert.equal(removed.response.status, 204)
console.log('ok watch')

const registered = await lotline.POST('/v1/webhooks', {
  body: { url: LOTLINE_RECEIVER_URL!, events: ['job.succeeded'] },
})
assert.ok(registered.data?.data.secret.startsWith('whsec_'))

const started = await lotline.POST('/v1/properties/batch', {
  body: { urls: ['https://www.zillow.com/homedetails/48749425_zpid/'] },
})
assert.ok(started.data)
const id = started.data.data.job_id
for (let waited = 0; ; waited++) {
  const job = await lotline.GET('/v1/jobs/{id}', { params: { path: { id } } })
  if (job.data?.data.status === 'succeeded') break
  assert.ok(waited < 120, `the job is ${job.data?.data.status}`)
  await sleep(250)
}
const results = await lotline.GET('/v1/jobs/{id}/results', { params: { path: { id } } })
assert.ok(typeof results.data === 'object')
assert.equal(results.data.data.length, 1)
assert.equal(results.data.data[0]?.zpid, '48749425')
console.log('ok batch')

for (let waited = 0; ; waited++) {
  const response = await fetch(LOTLINE_RECEIVER_URL!)
  if (response.status === 200) {
    const event = (await response.json()) as components['schemas']['JobEvent']
    assert.equal(event.type, 'job.succeeded')
    assert.equal(event.data.job.id, id)
    break
  }
  assert.ok(waited < 120, 'no event came')
  await sleep(250)
}
console.log('ok webhook')

const refused = await connect(LOTLINE_EMPTY_KEY!).GET('/v1/me')
assert.equal(refused.response.status, 402)
assert.equal(refused.error?.error.code, 'out_of_credits')
assert.equal(refused.error?.error.details?.balance, 0)
console.log('ok out-of-credits')

const absent = await lotline.GET('/v1/properties/{zpid}', { params: { path: { zpid: '99999999999' } } })
assert.equal(absent.response.status, 404)
assert.equal(absent.error?.error.code, 'not_found')
console.log('ok not-found')

const limited = connect(LOTLINE_LIMITED_KEY!)
let last = await limited.GET('/v1/me')
for (let calls = 1; calls < 3; calls++) last = await limited.GET('/v1/me')
assert.equal(last.response.status, 429)
assert.equal(last.error?.error.code, 'rate_limited')
assert.ok(Number(last.response.headers.get('retry-after')) > 0)
console.log('ok rate-limited')
