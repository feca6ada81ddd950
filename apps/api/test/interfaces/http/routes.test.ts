// Routing: requests for unknown operations are refused in the envelope, with the right code, and as admitted calls under /v1. The framework
// answers none of them, and none returns 500.

import { isCharged, type OperationId, operationIds, operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleCallPath, minimalCall } from '../../setup/example-calls.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { exchangeOne, head } from '../../setup/raw-http.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })

let key = ''
beforeAll(async () => {
  key = (await server.openAccount()).key
})

async function expectFreeAndKept(answer: TestResponse): Promise<void> {
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

  it('requires a key first', async () => {
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
    '%s outside /v1 is 404 in the envelope, and needs no key',
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
    const path = exampleCallPath(minimalCall(id)).split('?')[0]!
    const others = operationIds.filter((other) => operations[other].path === operations[id].path)
    const right = others.map((other) => operations[other].method as string)
    return methods.filter((method) => !right.includes(method)).map((method) => ({ method, path, right }))
  })

  it.each(wrong)('$method $path is refused, free, with a usage row', async ({ method, path, right }) => {
    const answer = await server.send(method, path, { key })
    // Also where the path fits another one: /v1/properties/batch fits /v1/properties/{zpid}, which has GET.
    expect([answer.status, answer.code], answer.text).toEqual([405, 'method_not_allowed'])
    const allowed = answer.headers.get('allow')!.split(', ')
    expect(allowed.filter((one) => one !== 'HEAD').sort()).toEqual([...new Set(right)].sort())
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

  it.each(['TRACE', 'PROPFIND', 'QUERY', 'LINK'])('%s, a rare method, is also 405', async (method) => {
    const request = [head(method, '/v1/me', { Authorization: `Bearer ${key}`, Connection: 'close' })]
    const answer = await exchangeOne(server.port, request, { method, url: '/v1/me' })
    expect([answer.status, answer.code]).toEqual([405, 'method_not_allowed'])
  })
})

describe('HEAD', () => {
  const reads = operationIds.filter((id) => operations[id].method === 'GET')
  const isPriced = (id: OperationId) => isCharged(operations[id])
  const pathTo = (id: OperationId) => exampleCallPath(minimalCall(id))

  it.each(reads.filter(isPriced))('of %s, which is not free, is 405 and free', async (id) => {
    const askedBefore = provider.asked
    const answer = await server.send('HEAD', pathTo(id), { key })
    expect([answer.status, answer.text, answer.headers.get('allow')]).toEqual([405, '', 'GET'])
    expect(provider.asked).toBe(askedBefore)
    await expectFreeAndKept(answer)
  })

  it.each(reads.filter((id) => !isPriced(id)))(
    'of %s, which is free, is like GET without a body',
    async (id) => {
      const read = await server.get(pathTo(id), { key })
      const answer = await server.send('HEAD', pathTo(id), { key })
      expect([answer.status, answer.text]).toEqual([read.status, ''])
      for (const name of ['content-type', 'ratelimit-policy', 'x-credits-charged', 'etag', 'allow'])
        expect([name, answer.headers.get(name)]).toEqual([name, read.headers.get(name)])
      const [usage] = await usageOf(testDatabase.database, answer)
      expect(usage).toMatchObject({ operation: id, status_code: read.status, credits_charged: 0 })
      const left = (received: TestResponse) => Number(/r=(\d+)/.exec(received.headers.get('ratelimit')!)![1])
      expect(left(answer)).toBeLessThan(left(read))
    },
  )

  it('of an unknown path is 404', async () => {
    const answer = await server.send('HEAD', '/v1/nope', { key })
    expect([answer.status, answer.text]).toEqual([404, ''])
    await expectFreeAndKept(answer)
  })

  it.each(['/healthz', '/docs', '/docs/errors', '/openapi.json', '/portal'])(
    'of the page %s is like GET without a body',
    async (path) => {
      const read = await server.get(path)
      const answer = await server.send('HEAD', path)
      expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
        read.status,
        '',
        read.headers.get('content-type'),
      ])
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
  ])('%s is 400 invalid_zpid wherever a zpid is expected', async (zpid) => {
    for (const id of operationIds.filter((one) => operations[one].path.includes('{zpid}'))) {
      const path = operations[id].path.replace('{zpid}', zpid)
      const answer = await server.get(path, { key })
      expect([answer.status, answer.code], path).toEqual([400, 'invalid_zpid'])
      expect(await usageOf(testDatabase.database, answer)).toEqual([
        { operation: id, status_code: 400, units: 0, credits_charged: 0 },
      ])
    }
  })

  it('must not be empty', async () => {
    const answer = await server.get('/v1/properties/', { key })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_zpid'])
  })

  it('that cannot be decoded first requires a key', async () => {
    const answer = await server.get('/v1/properties/%zz')
    expect([answer.status, answer.code]).toEqual([401, 'missing_api_key'])
  })

  it('of 20 digits with leading zeros is valid', async () => {
    const answer = await server.get(`/v1/properties/${'0'.repeat(12)}48749425`, { key })
    expect([answer.status, answer.code]).toEqual([404, 'not_found'])
  })
})

describe('an unusual form of the request target', () => {
  const headers = () => ({ Authorization: `Bearer ${key}`, Connection: 'close' })

  it.each(['http://127.0.0.1/v1/me', 'HTTPS://api.example.com/v1/me?', '/%761/me', '/v1/%6de'])(
    '%s reaches its operation through the normal checks',
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
    '%s is not found',
    async (target) => {
      const answer = await exchangeOne(server.port, [head('GET', target, headers())], {
        method: 'GET',
        url: '/nope',
      })
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    },
  )
})
