// Conditional reads over real HTTP: a client that has the current version of the data pays nothing for asking again, and no
// tag is worth anything to another account.

import { randomBytes } from 'node:crypto'
import { type OperationId, operationIds, operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { type ExampleCall, minimalCall, sendCall } from '../../setup/example-calls.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'
import { startJob, untilEnded, withWorker } from '../../work/jobs/job-calls.ts'

const FORGED = process.env.LOTLINE_FULL ? 10_000 : 200

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createMemoryProvider() } })

const TAGGED = operationIds.filter((id) => 304 in operations[id].statuses && id !== 'getJobResults')
const HOME = minimalCall('getProperty')
const ifNoneMatch = (...tags: readonly string[]) => ({ headers: { 'if-none-match': tags.join(', ') } })

let key = ''
let other = ''
beforeAll(async () => {
  key = (await server.openAccount({ credits: 100_000 })).key
  other = (await server.openAccount({ credits: 100_000 })).key
})

async function tagOf(call: ExampleCall, sent: object = {}): Promise<string> {
  const answer = await sendCall(server, call, { key, ...sent })
  expect(answer.status, answer.text).toBe(200)
  const tag = answer.headers.get('etag')
  expect(tag).toMatch(/^W\/"[\w-]{32}"$/)
  return tag!
}

describe.each(TAGGED)('%s', (id: OperationId) => {
  const call = minimalCall(id)

  it('returns 304 for its ETag, free, without a body, and with a usage row', async () => {
    const tag = await tagOf(call)
    const answer = await sendCall(server, call, { key, ...ifNoneMatch(tag) })
    expect([answer.status, answer.text, answer.charged]).toEqual([304, '', 0])
    expect(answer.headers.get('etag')).toBe(tag)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.get('vary')).toBe('Authorization, Accept, Accept-Encoding')
    expect(await usageOf(testDatabase.database, answer)).toEqual([
      { operation: id, status_code: 304, units: 0, credits_charged: 0 },
    ])
  })

  it('returns 200 for the ETag of another account, charged', async () => {
    const tag = await tagOf(call)
    const answer = await sendCall(server, call, { key: other, ...ifNoneMatch(tag) })
    expect(answer.status).toBe(200)
    expect(answer.charged).toBeGreaterThan(0)
    expect(answer.headers.get('etag')).not.toBe(tag)
  })
})

describe('an ETag', () => {
  it('is the same in every content encoding', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br', 'zstd'].map((encoding) =>
        tagOf(HOME, { headers: { 'accept-encoding': encoding } }),
      ),
    )
    expect(new Set(tags).size).toBe(1)
  })

  it('differs for other fields, and does not depend on the credit limit', async () => {
    const tag = await tagOf(HOME)
    expect(await tagOf({ ...HOME, query: { fields: 'price' } })).not.toBe(tag)
    expect(await tagOf(HOME, { headers: { 'x-max-credits': '9' } })).toBe(tag)
  })

  it('matches in a list, with W/ and without it', async () => {
    const tag = await tagOf(HOME)
    for (const sent of [`"a", ${tag}, W/"b"`, tag.slice(2)])
      expect((await sendCall(server, HOME, { key, ...ifNoneMatch(sent) })).status).toBe(304)
  })

  it.each(['*', '', 'W/', '"', 'W/""', '"*"'])('does not match %s', async (sent) => {
    const answer = await sendCall(server, HOME, { key, ...ifNoneMatch(sent) })
    expect([answer.status, answer.charged]).toEqual([200, 1])
  })

  it(`never matches if it is forged: ${FORGED} attempts`, async () => {
    const tag = await tagOf(HOME)
    const opaque = tag.slice(3, -1)
    const forged = Array.from({ length: FORGED }, (_, at) => {
      const flipped =
        opaque.slice(0, at % 32) + (opaque[at % 32] === 'A' ? 'B' : 'A') + opaque.slice((at % 32) + 1)
      return at % 2 === 0 ? `W/"${randomBytes(24).toString('base64url')}"` : `W/"${flipped}"`
    })
    // A header holds many at a time.
    for (let at = 0; at < forged.length; at += 100) {
      const answer = await sendCall(server, HOME, { key, ...ifNoneMatch(...forged.slice(at, at + 100)) })
      expect(answer.status).toBe(200)
    }
  })

  it('does not help an account without credits', async () => {
    const { key: poor } = await server.openAccount({ credits: 1 })
    const first = await sendCall(server, HOME, { key: poor })
    expect([first.status, first.remaining]).toEqual([200, 0])
    const answer = await sendCall(server, HOME, { key: poor, ...ifNoneMatch(first.headers.get('etag')!) })
    expect([answer.status, answer.code]).toEqual([402, 'out_of_credits'])
  })

  it('does not exempt a call from the rate limit', async () => {
    const { key: slow } = await server.openAccount({ ratePerMinute: 3 })
    const tag = (await sendCall(server, HOME, { key: slow })).headers.get('etag')!
    const statuses: number[] = []
    for (let at = 0; at < 3; at++)
      statuses.push((await sendCall(server, HOME, { key: slow, ...ifNoneMatch(tag) })).status)
    expect(statuses).toEqual([304, 304, 429])
  })
})

describe('a page of a finished result', () => {
  withWorker(server)

  it('returns 304 for its ETag, and 200 for that of another page or format', async () => {
    const urls = [1, 2, 3].map((zpid) => `https://www.zillow.com/homedetails/${zpid}_zpid/`)
    const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key })
    await untilEnded(server, key, id)
    const read = (query: string, tag?: string) =>
      server.get(`/v1/jobs/${id}/results${query}`, { key, ...(tag && ifNoneMatch(tag)) })
    const tag = (await read('')).headers.get('etag')!
    expect((await read('', tag)).status).toBe(304)
    expect((await read('?limit=1', tag)).status).toBe(200)
    expect((await read('?format=csv', tag)).status).toBe(200)
    const csv = (await read('?format=csv')).headers.get('etag')!
    expect((await read('?format=csv', csv)).status).toBe(304)
  })
})

describe('over the data set', () => {
  const dataset = withTestDatabase()
  const own = withTestServer(dataset)

  async function importHome(price: number, more: object = {}): Promise<void> {
    const home = { zpid: '77', homeStatus: 'FOR_SALE', price, latitude: 47, longitude: -122, ...more }
    await importListings(dataset.database, [{ line: 1, record: home }])
  }

  const ROWS = '/v1/listings?bbox=-122.5,46.5,-121.5,47.5&max_items=10'
  const PARTS = [
    '/v1/properties/77?fields=price',
    '/v1/properties/77?fields=price&shape=reso',
    ...['photos', 'price-history', 'tax-history', 'schools', 'zestimate', 'open-houses'].map(
      (part) => `/v1/properties/77/${part}`,
    ),
    ...['', '&format=csv', '&format=ndjson'].map((format) => `${ROWS}${format}`),
  ]

  it.each(PARTS)('%s returns a free 304 while only unused fields of the home change', async (path) => {
    const { key: reader } = await own.openAccount()
    await importHome(500_000, {
      description: 'A home.',
      attributionInfo: { lastUpdated: '2026-11-01T00:00:00Z' },
    })
    const first = await own.get(path, { key: reader })
    expect([first.status, first.charged]).toEqual([200, 1])
    await importHome(500_000, {
      description: 'Home!',
      attributionInfo: { lastUpdated: '2026-11-02T00:00:00Z' },
    })
    const again = await own.get(path, { key: reader, ...ifNoneMatch(first.headers.get('etag')!) })
    expect([again.status, again.charged]).toEqual([304, 0])
    // The whole record has the description.
    expect(first.text).not.toContain('A home.')
  })

  it('a change of the served data makes the next call a 200: of the record, a part, a row, or the source', async () => {
    const { key: reader } = await own.openAccount()
    const change = async (path: string, before: object, after: object) => {
      await importHome(500_000, before)
      const tag = (await own.get(path, { key: reader })).headers.get('etag')!
      await importHome(500_000, after)
      const changed = await own.get(path, { key: reader, ...ifNoneMatch(tag) })
      expect([path, changed.status, changed.charged]).toEqual([path, 200, 1])
    }
    await change('/v1/properties/77', { description: 'A home.' }, { description: 'Home!' })
    await change('/v1/properties/77?fields=bedrooms', { bedrooms: 2 }, { bedrooms: 3 })
    await change(
      '/v1/properties/77/price-history',
      {},
      { priceHistory: [{ date: '2026-01-02', event: 'Listed for sale', price: 1 }] },
    )
    for (const format of ['', '&format=csv', '&format=ndjson'])
      await change(`${ROWS}${format}`, { bedrooms: 2 }, { bedrooms: 3 })
    const office = (brokerName: string) => ({ attributionInfo: { brokerName } })
    for (const path of ['/v1/properties/77/photos', '/v1/properties/77?fields=price', ROWS])
      await change(path, office('Harbor Realty'), office('Bay Realty'))
  })

  it('cut rows have no ETag, and the ETag of all rows does not match fewer', async () => {
    await importHome(500_000)
    await importListings(dataset.database, [
      { line: 1, record: { zpid: '78', homeStatus: 'FOR_SALE', price: 1, latitude: 47, longitude: -122 } },
    ])
    const { key: reader } = await own.openAccount()
    const whole = await own.get(ROWS, { key: reader })
    expect([whole.json.data.length, whole.charged]).toEqual([2, 2])
    const cut = await own.get(`${ROWS}&max_credits=1`, { key: reader })
    expect([cut.json.meta.truncated_by, cut.headers.get('etag')]).toEqual(['max_credits', null])
    const tag = whole.headers.get('etag')!
    const fewer = await own.get(`${ROWS.replace('10', '1')}`, { key: reader, ...ifNoneMatch(tag) })
    expect([fewer.status, fewer.charged]).toEqual([200, 1])
    expect((await own.get(`${ROWS}&format=csv`, { key: reader, ...ifNoneMatch(tag) })).status).toBe(200)
    expect((await own.get(ROWS, { key: reader, ...ifNoneMatch(tag) })).status).toBe(304)
    const { limits } = (await own.get('/v1/me', { key: reader })).json.data
    expect(limits.failed_lookups_per_day.used).toBe(1)
    await importListings(dataset.database, [
      { line: 1, record: { zpid: '78', homeStatus: 'OFF_MARKET', price: 1, latitude: 47, longitude: -122 } },
    ])
    const changed = await own.get(ROWS, { key: reader, ...ifNoneMatch(tag) })
    expect([changed.status, changed.json.data.length]).toEqual([200, 1])
  })

  it('a search by POST has no ETag and ignores If-None-Match', async () => {
    await importHome(500_000)
    const { key: reader } = await own.openAccount()
    const tag = (await own.get(ROWS, { key: reader })).headers.get('etag')!
    const body = { filters: { bbox: { west: -122.5, south: 46.5, east: -121.5, north: 47.5 } }, maxItems: 10 }
    const answer = await own.post('/v1/search', body, { key: reader, ...ifNoneMatch(tag) })
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, null])
  })

  it('an import with another price makes the next call a 200, and repeating the import does not', async () => {
    await importHome(500_000)
    const { key: reader } = await own.openAccount()
    const read = (tag?: string) => own.get('/v1/properties/77', { key: reader, ...(tag && ifNoneMatch(tag)) })
    const tag = (await read()).headers.get('etag')!
    await importHome(500_000)
    expect((await read(tag)).status).toBe(304)
    await importHome(510_000)
    const changed = await read(tag)
    expect([changed.status, changed.charged, changed.json.data.price]).toEqual([200, 1, 510_000])
    await importHome(510_000)
    expect((await read(changed.headers.get('etag')!)).status).toBe(304)
  })
})
