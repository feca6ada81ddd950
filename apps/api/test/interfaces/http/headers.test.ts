// Headers of every response: request id, no sniffing, no caching, and CORS for browsers.

import { openapi } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type RequestOptions, withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createMemoryProvider() } })

let key = ''
beforeAll(async () => {
  key = (await server.openAccount()).key
})

interface HeaderRequest {
  readonly method: string
  readonly path: string
  readonly sent?: RequestOptions
}

const asked: readonly (readonly [what: string, status: number, ask: () => HeaderRequest])[] = [
  ['a success', 200, () => ({ method: 'GET', path: '/v1/me', sent: { key } })],
  [
    'rows of CSV',
    200,
    () => ({ method: 'GET', path: '/v1/listings?bbox=-123,47,-122,48&format=csv', sent: { key } }),
  ],
  ['wrong input', 400, () => ({ method: 'GET', path: '/v1/properties/abc', sent: { key } })],
  [
    'a path that cannot be decoded',
    400,
    () => ({ method: 'GET', path: '/v1/properties/%zz', sent: { key } }),
  ],
  ['a missing key', 401, () => ({ method: 'GET', path: '/v1/me' })],
  ['an unknown path', 404, () => ({ method: 'GET', path: '/v1/nope', sent: { key } })],
  ['a path beside /v1', 404, () => ({ method: 'GET', path: '/nope' })],
  ['a wrong method', 405, () => ({ method: 'PUT', path: '/v1/me', sent: { key } })],
  [
    'a body that is too large',
    413,
    () => ({ method: 'POST', path: '/v1/search', sent: { key, body: 'x'.repeat(1_100_000) } }),
  ],
  ['a URL that is too long', 414, () => ({ method: 'GET', path: `/v1/me?x=${'x'.repeat(13_000)}` })],
  ['a list of jobs', 200, () => ({ method: 'GET', path: '/v1/jobs', sent: { key } })],
  ['health', 200, () => ({ method: 'GET', path: '/healthz' })],
  ['the contract', 200, () => ({ method: 'GET', path: '/openapi.json' })],
]

describe.each(asked)('%s (%i)', (_what, status, ask) => {
  it('has a request id, forbids MIME sniffing, and is readable by any web page', async () => {
    const { method, path, sent } = ask()
    const answer = await server.send(method, path, {
      ...sent,
      headers: { origin: 'https://app.example.com' },
    })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9A-Z]{26}$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    // Responses are private to the client. A response with an ETag may be stored, and is revalidated each time.
    const kept = path === '/openapi.json' ? 'no-cache' : 'private, no-cache'
    expect(answer.headers.get('cache-control')).toBe(answer.headers.has('etag') ? kept : 'no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    // No header reveals the software.
    expect(answer.headers.get('x-powered-by')).toBeNull()
    expect(answer.headers.get('server')).toBeNull()
    if (answer.json?.error) expect(answer.json.error.request_id).toBe(answer.headers.get('x-request-id'))
  })
})

describe('CORS', () => {
  /** The preflight requests of browsers. */
  const ASKED = [
    'authorization',
    'content-type',
    'idempotency-key',
    'x-max-credits',
    'if-none-match',
    'prefer',
  ]
  const exposed = (headers: Headers) =>
    headers.get('access-control-expose-headers')?.toLowerCase().split(/, */) ?? []

  it('exposes every header of the contract', async () => {
    const answer = await server.get('/v1/me', { key, headers: { origin: 'https://app.example.com' } })
    const known = Object.keys(openapi.components.headers!)
    expect(known.length).toBeGreaterThan(8)
    expect(known).toEqual(expect.arrayContaining(['ETag', 'X-Key-Credits-Remaining', 'Preference-Applied']))
    for (const name of [...known, 'Allow']) expect(exposed(answer.headers)).toContain(name.toLowerCase())
  })

  it.each(['/v1/me', '/v1/properties/48749425', '/v1/webhooks/7', '/v1/nope', '/openapi.json', '/'])(
    'answers a preflight for %s with 204, without a key and without counting it',
    async (path) => {
      const answer = await server.send('OPTIONS', path, {
        headers: {
          origin: 'https://app.example.com',
          'access-control-request-method': 'DELETE',
          'access-control-request-headers': ASKED.join(', '),
        },
      })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
        expect(answer.headers.get('access-control-allow-methods')).toContain(method)
      for (const name of ASKED) expect(answer.headers.get('access-control-allow-headers')).toContain(name)
      expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
      const { rows } = await testDatabase.database.query('select 1 from usage_rows where request_id = $1', [
        answer.headers.get('x-request-id'),
      ])
      expect(rows).toEqual([])
    },
  )

  it('also answers an OPTIONS request without preflight headers', async () => {
    expect((await server.send('OPTIONS', '/v1/me')).status).toBe(204)
  })
})

describe('CORS_ORIGINS', () => {
  const choosy = withTestServer(testDatabase, { env: { CORS_ORIGINS: 'https://app.example.com' } })

  it('allows only the listed origins', async () => {
    const allowed = await choosy.get('/healthz', { headers: { origin: 'https://app.example.com' } })
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(allowed.headers.get('vary')).toContain('Origin')
    const other = await choosy.get('/healthz', { headers: { origin: 'https://evil.example.com' } })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })
})
