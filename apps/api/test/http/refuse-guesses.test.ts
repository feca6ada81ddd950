// Guesses are answered before Fastify sees them. What a client receives must not tell which way it was answered.

import { apiKeyOf } from '@lotline/contract/checks'
import { afterEach, describe, expect, it } from 'vitest'
import type { FailedKeys } from '../../src/accounts/failed-keys.ts'
import { createApiKey } from '../../src/accounts/keys.ts'
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts'
import { guessRefuser } from '../../src/http/refuse-guesses.ts'
import { exchange, head } from '../setup/raw-http.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { type Received, startTestServer } from '../setup/test-server.ts'

const testDatabase = withTestDatabase()
const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Without a guessing address nothing is refused early, so both kinds of server count alike and answer in different ways. */
async function startServer(waitMs: number | undefined, guessing: boolean, env: Record<string, string> = {}) {
  const failedKeys: FailedKeys = { isGuessing: () => guessing, count: () => waitMs }
  const server = await startTestServer(testDatabase, { parts: { failedKeys }, env })
  cleanUps.push(() => server.close())
  return server
}

type Server = Awaited<ReturnType<typeof startServer>>

/** All of an answer but what is its own. */
function shownOf({ status, headers, text }: Received) {
  const id = headers.get('x-request-id')
  expect(id).toMatch(/^req_[0-9A-Z]{26}$/)
  const fields = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id').sort()
  return { status, fields, text: text.replace(id!, 'ID') }
}

/** How many answers were given before the router knew the route. */
async function early({ app }: Server): Promise<number> {
  const { text } = await app.metrics.read()
  return Number(
    /^lotline_http_request_duration_seconds_count\{method="GET",route="none".*\} (\d+)$/m.exec(text)?.[1] ??
      0,
  )
}

const keys = [
  ['no key', () => ({})],
  ['a malformed key', () => ({ key: 'lot_nonsense' })],
  ['an unknown key', () => ({ key: createApiKey() })],
  ['an unknown test key of a cell', () => ({ key: apiKeyOf('A'.repeat(32), 'lot_test_c7_') })],
] as const
const answers = [
  [401, undefined],
  [429, 1],
  [429, 9_500],
] as const
const origins = [
  ['*', undefined],
  ['*', 'https://app.example.com'],
  ['https://app.example.com', undefined],
  ['https://app.example.com', 'https://app.example.com'],
  ['https://app.example.com', 'https://evil.example.com'],
] as const

describe.each(answers)('a guess that is answered %i (to wait: %s ms)', (status, waitMs) => {
  it.each(keys)('has the same answer early as late, with %s', async (_what, sent) => {
    const [quick, usual] = [await startServer(waitMs, true), await startServer(waitMs, false)]
    const before = await early(quick)
    const [first, second] = [await quick.get('/v1/me', sent()), await usual.get('/v1/me', sent())]
    expect(first.status).toBe(status)
    expect(shownOf(first)).toEqual(shownOf(second))
    expect(await early(quick)).toBe(before + 1)
  })

  it.each(origins)('has the same CORS fields with CORS_ORIGINS=%s and Origin %s', async (allowed, origin) => {
    const env = { CORS_ORIGINS: allowed }
    const [quick, usual] = [await startServer(waitMs, true, env), await startServer(waitMs, false, env)]
    const sent = { key: createApiKey(), headers: origin === undefined ? {} : { origin } }
    expect(shownOf(await quick.get('/v1/me', sent))).toEqual(shownOf(await usual.get('/v1/me', sent)))
  })
})

describe('beside guesses', () => {
  it('valid keys are served, and so are paths without a key and preflights', async () => {
    const server = await startServer(1_000, true)
    const { key } = await server.openAccount()
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    expect((await server.get('/v1/me', { key: createApiKey() })).status).toBe(429)
    expect((await server.get('/healthz')).status).toBe(200)
    expect((await server.get('/v12')).status).toBe(404)
    const preflight = { headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' } }
    expect((await server.send('OPTIONS', '/v1/me', preflight)).status).toBe(204)
  })

  it('a database that cannot be reached is reported as such, and not as a wrong key', async () => {
    const failedKeys: FailedKeys = { isGuessing: () => true, count: () => 1_000 }
    const { database } = testDatabase
    const query = (...args: Parameters<Database['query']>) =>
      args[2]?.name === 'find_principals'
        ? Promise.reject(new DatabaseUnavailable('gone'))
        : database.query(...args)
    const broken = { ...database, query: query as Database['query'] }
    const server = await startTestServer({ database: broken }, { parts: { failedKeys } })
    cleanUps.push(() => server.close())
    expect((await server.get('/v1/me', { key: createApiKey() })).status).toBe(503)
    expect((await server.get('/v1/me')).status).toBe(429)
  })

  it.each(['/v1', '/v1/nothing', '/%761/me', '/v%31/me', 'http://other.example/v1/me'])(
    '%s is refused early',
    async (path) => {
      const server = await startServer(1_000, true)
      const before = await early(server)
      const [answer] = await exchange(server.port, [head('GET', path, { Connection: 'close' })])
      expect([answer?.status, answer?.code]).toEqual([429, 'rate_limited'])
      expect(await early(server)).toBe(before + 1)
    },
  )

  it('a connection stays usable, also behind a body that is not read', async () => {
    const server = await startServer(1_000, true)
    const { key } = await server.openAccount()
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    const body = 'x'.repeat(1_000)
    const got = await exchange(server.port, [
      head('POST', '/v1/search', { 'Content-Length': String(body.length) }) + body,
      head('GET', '/v1/me', { Authorization: `Bearer ${createApiKey()}` }),
      head('GET', '/v1/me', { Authorization: `Bearer ${key}`, Connection: 'close' }),
    ])
    expect(got.map(({ status }) => status)).toEqual([429, 429, 200])
    expect(await (await fetch(`${server.url}/v1/me`, { method: 'HEAD' })).text()).toBe('')
  })

  it('the log has a line with the first of them, and no more within a minute', async () => {
    const { app } = await startServer(1_000, true)
    const lines: unknown[] = []
    const log = { ...app.log, warn: (...line: unknown[]) => lines.push(line) } as unknown as typeof app.log
    const refuses = guessRefuser({ ...app, log })
    const request = { url: '/v1/me', method: 'GET', headers: {}, rawHeaders: ['Host', 'x'], socket: {} }
    const response = { writeHead: () => response, end: () => response }
    for (let at = 0; at < 50; at++) expect(refuses(request as never, response as never)).toBe(true)
    expect(lines).toEqual([[{ calls: 1 }, expect.stringContaining('without a valid key')]])
  })
})
