// Where requests go: what is not an operation of the contract is refused in the envelope, with the right code, and as an
// admitted call under /v1. Nothing here is answered by the framework, and nothing with 500.

import { operationIds, operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { minimalCall, pathOf } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { exchangeOne, head } from '../setup/raw-http.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { type Received, withTestServer } from '../setup/test-server.ts'
import { usageOf } from '../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })

let key = ''
beforeAll(async () => {
  key = (await server.openAccount()).key
})

async function expectFreeAndKept(answer: Received): Promise<void> {
  expect([answer.charged, answer.remaining]).toEqual([0, 10_000])
  expect(await usageOf(testDatabase.database, answer)).toMatchObject([
    { status_code: answer.status, units: 0, credits_charged: 0 },
  ])
}

describe('an unknown path', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/nope',
    '/v1/properties',
    '/v1/properties/48749425/',
    '/v1/properties/48749425/nope',
    '/v1/me/',
    '/v1//me',
    '/v1/ME',
    '/v1/me;x=1',
    '/v1/__proto__',
    '/v1/constructor',
    '/v1/%zz',
    '/v1/..%2fme',
  ])('%s is 404 not_found, free, with a usage row', async (path) => {
    const answer = await server.get(path, { key })
    expect([answer.status, answer.code], answer.text).toEqual([404, 'not_found'])
    await expectFreeAndKept(answer)
  })

  it('is asked for a key first', async () => {
    const answer = await server.get('/v1/nope')
    expect([answer.status, answer.code]).toEqual([401, 'missing_api_key'])
  })

  it('is reported before a body is read', async () => {
    for (const contentType of ['application/json', 'text/plain', 'no type at all']) {
      const answer = await server.send('POST', '/v1/nope', {
        key,
        body: '{',
        headers: { 'content-type': contentType },
      })
      expect([answer.status, answer.code], contentType).toEqual([404, 'not_found'])
      await expectFreeAndKept(answer)
    }
  })

  it.each(['/', '/nope', '/V1/me', '/v1me', '/v2/me', '/openapi', '/docs/nope', '/healthz/x'])(
    '%s beside /v1 is 404 in the envelope, and needs no key',
    async (path) => {
      const answer = await server.get(path)
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
      expect(answer.json.error.request_id).toBe(answer.headers.get('x-request-id'))
    },
  )
})

describe('a wrong method', () => {
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']
  const wrong = operationIds.flatMap((id) => {
    const path = pathOf(minimalCall(id)).split('?')[0]!
    const others = operationIds.filter((other) => operations[other].path === operations[id].path)
    const right = others.map((other) => operations[other].method as string)
    return methods.filter((method) => !right.includes(method)).map((method) => ({ method, path, right }))
  })

  it.each(wrong)('$method $path is refused, free, with a usage row', async ({ method, path, right }) => {
    const answer = await server.send(method, path, { key })
    // The path also fits GET /v1/properties/{zpid}, whose zpid it is not.
    const expected = path === '/v1/properties/batch' && method === 'GET'
    expect([answer.status, answer.code], answer.text).toEqual(
      expected ? [400, 'invalid_zpid'] : [405, 'method_not_allowed'],
    )
    if (!expected) for (const one of right) expect(answer.headers.get('allow')).toContain(one)
    await expectFreeAndKept(answer)
  })

  it('with a body that is not JSON gets 405 for the method', async () => {
    const answer = await server.send('PUT', '/v1/search', {
      key,
      body: '{',
      headers: { 'content-type': 'text/plain' },
    })
    expect([answer.status, answer.code]).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.get('allow')).toBe('POST')
  })

  it.each(['TRACE', 'PROPFIND', 'QUERY', 'LINK'])('%s, which few know, is 405 as well', async (method) => {
    const request = [head(method, '/v1/me', { Authorization: `Bearer ${key}`, Connection: 'close' })]
    const answer = await exchangeOne(server.port, request, { method, url: '/v1/me' })
    expect([answer.status, answer.code]).toEqual([405, 'method_not_allowed'])
  })
})

describe('HEAD', () => {
  it.each(['/v1/me', '/v1/properties/48749425', '/v1/nope'])(
    '%s asks no provider and costs nothing',
    async (path) => {
      const askedBefore = provider.asked
      const answer = await server.send('HEAD', path, { key })
      expect(answer.status).toBe(path === '/v1/nope' ? 404 : 405)
      expect(answer.text).toBe('')
      expect(provider.asked).toBe(askedBefore)
      await expectFreeAndKept(answer)
    },
  )
})

describe('a zpid', () => {
  const nines = '9'.repeat(300)
  it.each([
    'abc',
    '12a',
    '-1',
    '1.5',
    '%20',
    '1%202',
    '%00',
    '%zz',
    '%',
    '%ff',
    '%e0%a4',
    '１２３',
    nines,
    '9'.repeat(21),
    '__proto__',
    'by-url-',
    '1%2f2',
    '1%3f',
  ])('%s is 400 invalid_zpid wherever one is taken', async (zpid) => {
    for (const id of operationIds.filter((one) => operations[one].path.includes('{zpid}'))) {
      const path = operations[id].path.replace('{zpid}', zpid)
      const answer = await server.get(path, { key })
      expect([answer.status, answer.code], path).toEqual([400, 'invalid_zpid'])
      expect(await usageOf(testDatabase.database, answer)).toEqual([
        { operation: id, status_code: 400, units: 0, credits_charged: 0 },
      ])
    }
  })

  it('that is empty is none', async () => {
    const answer = await server.get('/v1/properties/', { key })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_zpid'])
  })

  it('that cannot be decoded is asked for a key first', async () => {
    const answer = await server.get('/v1/properties/%zz')
    expect([answer.status, answer.code]).toEqual([401, 'missing_api_key'])
  })

  it('of 20 digits with zeros in front is a zpid', async () => {
    const answer = await server.get(`/v1/properties/${'0'.repeat(12)}48749425`, { key })
    expect([answer.status, answer.code]).toEqual([404, 'not_found'])
  })
})

describe('a request target in another form', () => {
  const headers = () => ({ Authorization: `Bearer ${key}`, Connection: 'close' })

  it.each(['http://127.0.0.1/v1/me', 'HTTPS://api.example.com/v1/me?', '/%761/me', '/v1/%6de'])(
    '%s reaches its operation through the same door',
    async (target) => {
      const asked = { method: 'GET', url: '/v1/me' }
      const without = await exchangeOne(server.port, [head('GET', target, { Connection: 'close' })], asked)
      expect([without.status, without.code]).toEqual([401, 'missing_api_key'])
      const answer = await exchangeOne(server.port, [head('GET', target, headers())], asked)
      expect(answer.status).toBe(200)
      expect(await usageOf(testDatabase.database, answer)).toMatchObject([{ operation: 'getAccount' }])
    },
  )

  it.each(['*', 'http://127.0.0.1', '/v1/properties/%zz/../x', '/?/v1/me'])(
    '%s is no path of ours',
    async (target) => {
      const answer = await exchangeOne(server.port, [head('GET', target, headers())], {
        method: 'GET',
        url: '/nope',
      })
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    },
  )
})
