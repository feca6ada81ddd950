// Calls beside those of an address that guesses keys.

import { type Logger, pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import type { FailedKeys } from '../../../src/money/accounts/failed-keys.ts'
import { createApiKey } from '../../../src/money/accounts/keys.ts'
import { exchange, head } from '../../setup/raw-http.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Every address guesses. */
async function startServer(log?: Logger) {
  const failedKeys: FailedKeys = { isGuessing: () => true, count: () => 1_000 }
  const server = await startTestServer(testDatabase, { parts: { failedKeys }, ...(log && { log }) })
  cleanUps.push(() => server.close())
  return server
}

describe('during key guesses', () => {
  it('valid keys, public paths, and preflights are served', async () => {
    const server = await startServer()
    const { key } = await server.openAccount()
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    expect((await server.get('/v1/me', { key: createApiKey() })).status).toBe(429)
    expect((await server.get('/healthz')).status).toBe(200)
    expect((await server.get('/v12')).status).toBe(404)
    const preflight = { headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' } }
    expect((await server.send('OPTIONS', '/v1/me', preflight)).status).toBe(204)
  })

  it('an unavailable database is reported as such, and not as a wrong key', async () => {
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
    '%s counts as a guess',
    async (path) => {
      const server = await startServer()
      const [answer] = await exchange(server.port, [head('GET', path, { Connection: 'close' })])
      expect([answer?.status, answer?.code]).toEqual([429, 'rate_limited'])
    },
  )

  it('a connection stays usable, even after an unread body', async () => {
    const server = await startServer()
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

  it('the log has a line for the first of them and one summary a minute for the others', async () => {
    const lines: unknown[] = []
    const server = await startServer(pino({}, { write: (line) => void lines.push(JSON.parse(line)) }))
    lines.length = 0
    for (let at = 0; at < 50; at++) await server.get('/v1/me')
    expect(lines).toMatchObject([{ calls: 1, msg: expect.stringContaining('without a valid key') }])
  })
})
