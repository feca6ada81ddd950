// The Accept header selects the format of rows and records under standard names; 406 if no response matches.

import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const LISTINGS = '/v1/listings?bbox=-122.4,47.5,-122.2,47.7'
const RESO = 'application/vnd.reso+json'

let key = ''
beforeAll(async () => {
  const record = { zpid: '1001', homeStatus: 'FOR_SALE', price: 1, latitude: 47.6, longitude: -122.3 }
  await importListings(testDatabase.database, [{ line: 1, record }])
  key = (await server.openAccount()).key
})

const typeOf = async (path: string, accept: string) => {
  const answer = await server.get(path, { key, headers: { accept } })
  return [answer.status, answer.headers.get('content-type')?.split(';')[0]]
}

describe("a response has the client's preferred media type", () => {
  it.each([
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;odata.metadata=minimal', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['image/png, application/json;q=0.1', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['application/x-ndjson, application/json;q=0.5', 'application/x-ndjson'],
    [RESO, RESO],
    [`${RESO}, application/json;q=0.9`, RESO],
    [`${RESO}, */*`, RESO],
    [`application/json, ${RESO}`, 'application/json'],
    [`${RESO};q=0, */*`, 'application/json'],
    [`${RESO};q=0.2, text/csv`, 'text/csv'],
  ])('%s', async (accept, type) => {
    expect(await typeOf(LISTINGS, accept)).toEqual([200, type])
  })

  it('the format parameter takes precedence over it', async () => {
    expect(await typeOf(`${LISTINGS}&format=csv`, 'application/json')).toEqual([200, 'text/csv'])
    expect(await typeOf(`${LISTINGS}&format=json`, RESO)).toEqual([200, 'application/json'])
  })

  it('a lookup in RESO Common Format equals shape=reso', async () => {
    const accepted = await server.get('/v1/properties/1001', { key, headers: { accept: RESO } })
    const shaped = await server.get('/v1/properties/1001?shape=reso', { key })
    expect(accepted.json.value).toEqual(shaped.json.value)
    expect([accepted.charged, accepted.headers.get('etag')]).toEqual([1, shaped.headers.get('etag')])
  })
})

describe('an unsupported media type', () => {
  it.each([
    ['/v1/me', 'image/png'],
    ['/v1/me', 'text/csv'],
    ['/v1/me', RESO],
    ['/v1/me', '*/*;q=0'],
    ['/v1/properties/1001', 'text/html'],
    ['/v1/properties/1001/photos', RESO],
    [LISTINGS, 'application/vnd.lotline.estimate+json'],
  ])('%s with %s is 406, free, and the error lists the available types', async (path, accept) => {
    const answer = await server.get(path, { key, headers: { accept } })
    expect([answer.status, answer.code, answer.charged]).toEqual([406, 'not_acceptable', 0])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.json.error.message).toContain('application/json')
  })

  it('does not affect errors, which are JSON', async () => {
    for (const accept of ['text/csv', RESO]) {
      const answer = await server.get('/v1/listings', { key, headers: { accept } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json'])
    }
  })

  it('is accepted if a dry run supports it', async () => {
    const headers = { accept: 'application/vnd.lotline.estimate+json', prefer: 'dry-run' }
    expect((await server.get(LISTINGS, { key, headers })).status).toBe(200)
  })
})
