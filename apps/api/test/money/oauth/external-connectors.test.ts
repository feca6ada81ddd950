// The keys of an external issuer's clients (OAUTH_ISSUER): their limits, lifetimes, and number.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { forgetConnector } from '../../../src/money/accounts/keys.ts'
import { createExternalIssuer } from '../../../src/money/oauth/external-issuer.ts'
import { expectBooksToBalance } from '../../crash/books.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer, withTestServer } from '../../setup/test-server.ts'
import { callTool, freePort } from './oauth-client.ts'

const [port, issuerPort] = [await freePort(), await freePort()]
const origin = `http://127.0.0.1:${port}`
const issuer = `http://127.0.0.1:${issuerPort}`
const env = { PUBLIC_URL: origin, OAUTH_ISSUER: issuer, OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: 'on' }
/** The clock of the first process for the keys of the issuer. */
const clock = { now: 0 }
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, {
  port,
  env,
  parts: { provider: createMemoryProvider(), issuerNow: () => clock.now },
})
/** Another process of the same service. */
let other: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  other = await startTestServer(testDatabase, { env, parts: { provider: createMemoryProvider() } })
})
afterAll(() => other?.close())
const signing = await generateKeyPair('ES256')

beforeAll(async () => {
  const keys = [{ ...(await exportJWK(signing.publicKey)), kid: 'first', alg: 'ES256' }]
  const httpServer = createServer((request, response) => {
    if (front.hangs) return void front.taken++
    if (front.isDown) return void response.writeHead(503).end()
    const body = request.url === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` }
    response.end(JSON.stringify(body))
  }).listen(issuerPort, '127.0.0.1')
  await once(httpServer, 'listening')
  return () => {
    httpServer.close()
    httpServer.closeAllConnections()
  }
})

function mint(account: string, client = 'agent-1', scope = 'read jobs watches') {
  return new SignJWT({ client_id: client, scope, lotline_account: account })
    .setProtectedHeader({ alg: 'ES256', kid: 'first', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(`${origin}/mcp`)
    .setExpirationTime('10m')
    .sign(signing.privateKey)
}
/** Whether the issuer takes requests and never answers them, and how many it took; whether it answers 503. */
const front = { hangs: false, taken: 0, isDown: false }
const connectorsOf = async (key: string) =>
  (await server.get('/v1/keys', { key })).json.data.filter(
    ({ oauth_client }: { oauth_client?: string }) => oauth_client !== undefined,
  )

describe('an issuer that does not answer', () => {
  it('does not delay calls whose signing keys are cached', async () => {
    const clock = { now: 0 }
    const verifier = createExternalIssuer({
      issuer,
      audience: `${origin}/mcp`,
      onProblem: () => {},
      network: { allowPrivateNetworks: true },
      now: () => clock.now,
      // The request that hangs ends with the test server.
      fetchTimeoutMs: 600_000,
    })
    const token = await mint(randomUUID())
    expect(await verifier.verify(token)).toBeDefined()
    front.hangs = true
    try {
      clock.now += 6 * 60_000
      const answers = await Promise.all(Array.from({ length: 5 }, () => verifier.verify(token)))
      answers.push(await verifier.verify(token))
      for (const answer of answers) expect(answer).toMatchObject({ clientId: 'agent-1' })
      // The request for the metadata is still under way: it would fail, and the next place be asked.
      expect(front.taken).toBe(1)
    } finally {
      front.hangs = false
    }
  })
})

describe('all clients of the issuer in an account', () => {
  const get = (at: TestServer, key: string) => at.get('/v1/properties/48749425?fields=zpid', { key })
  const keyLeft = async (key: string) => (await server.get('/v1/me', { key })).json.data.key.remaining

  it('share one limit of 500 credits a month, which the operator changes for all of them', async () => {
    const { key, keyId, accountId } = await server.openAccount({ credits: 1_000 })
    const [first, second, third] = await Promise.all(
      ['agent-1', 'agent-2', 'agent-3'].map((client) => mint(accountId, client)),
    )
    expect((await get(server, first!)).charged).toBe(1)
    expect((await get(other, second!)).charged).toBe(1)
    const { key: own } = (await server.get('/v1/me', { key: second! })).json.data
    expect(own).toMatchObject({ limit: { credits: 500, per: 'month' }, used: 2 })
    const [{ id }] = await connectorsOf(key)
    await setKeyLimit(testDatabase.database, id, { credits: 4, per: 'month' })
    expect(await keyLeft(first!)).toBe(2)
    // Three clients in two processes at once, one of them new.
    const answers = await Promise.all(
      [first!, second!, third!, first!, second!, third!].map((token, at) =>
        get(at % 2 ? server : other, token),
      ),
    )
    expect(answers.map(({ code = 'served' }) => code).sort()).toEqual([
      ...Array(4).fill('key_limit_reached'),
      ...Array(2).fill('served'),
    ])
    // One that was revoked and admitted again, and one that comes later, have no budget of their own either.
    expect((await server.send('DELETE', `/v1/keys/${id}`, { key })).status).toBe(204)
    expect(await forgetConnector(testDatabase.database, id)).toBe(true)
    for (const token of [first!, await mint(accountId, 'agent-4')]) {
      const refused = await get(server, token)
      expect([refused.status, refused.code]).toEqual([402, 'key_limit_reached'])
    }
    // The other keys of the account spend as ever.
    expect((await get(server, key)).charged).toBe(1)
    const { rows } = await testDatabase.database.query(
      'select key_id = $2 as own, sum(credits_charged)::integer as charged from usage_rows where account_id = $1 group by 1',
      [accountId, keyId],
    )
    expect(rows).toEqual(
      expect.arrayContaining([
        { own: true, charged: 1 },
        { own: false, charged: 4 },
      ]),
    )
    await expectBooksToBalance(testDatabase.database)
  })

  it('get the default limit again if the operator has removed it', async () => {
    const { key, accountId } = await server.openAccount({ credits: 1_000 })
    const first = await mint(accountId, 'agent-1')
    expect((await get(server, first)).charged).toBe(1)
    const [{ id }] = await connectorsOf(key)
    await setKeyLimit(testDatabase.database, id, null)
    const { key: without } = (await server.get('/v1/me', { key: first })).json.data
    expect(without.limit).toBeNull()
    const second = await server.get('/v1/me', { key: await mint(accountId, 'agent-2') })
    expect(second.json.data.key).toMatchObject({ limit: { credits: 500, per: 'month' }, used: 0 })
  })

  it('are limited to the number of keys of the account: one more gets 403 until a key is revoked', async () => {
    const { key, accountId } = await server.openAccount({ credits: 1_000 })
    const known = await mint(accountId, 'agent-1')
    expect((await callTool(origin, known)).status).toBe(200)
    let last = ''
    for (let keys = 2; keys < 20; keys++)
      last = (await server.post('/v1/keys', { name: `${keys}` }, { key })).json.data.id
    const further = await mint(accountId, 'agent-2')
    for (const at of [server, other]) {
      const refused = await at.get('/v1/me', { key: further })
      expect([refused.status, refused.code]).toEqual([403, 'key_not_allowed'])
      expect(refused.json.error.message).toContain('has 20 live keys')
      expect(refused.json.error.details).toEqual({ live_keys: 20 })
      expect([refused.charged, refused.remaining]).toEqual([0, 1_000])
      expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=0$/)
    }
    const { status, headers, json } = await callTool(origin, further)
    expect([status, json.error.data.code]).toEqual([403, 'key_not_allowed'])
    // Another token would not help.
    expect(headers.get('www-authenticate')).toBeNull()
    expect((await callTool(origin, known)).status).toBe(200)
    expect((await server.send('DELETE', `/v1/keys/${last}`, { key })).status).toBe(204)
    expect((await callTool(origin, further)).status).toBe(200)
    expect(await connectorsOf(key)).toHaveLength(2)
  })
})

describe('the metrics', () => {
  it('count a connector once with its first token, and each token that is refused or cannot be verified', async () => {
    const countsOf = async () => {
      const { text } = await server.get('/metrics')
      const lines = [...text.matchAll(/^lotline_oauth_events_total\{event="(\w+)"\} (\d+)$/gm)]
      return Object.fromEntries(lines.map(([, event, count]) => [event, Number(count)]))
    }
    const added = async (calls: () => Promise<unknown>) => {
      const before = await countsOf()
      await calls()
      const after = await countsOf()
      const events = ['approved', 'refused', 'issuer_away']
      return events.map((event) => (after[event] ?? 0) - (before[event] ?? 0))
    }
    const { key, accountId } = await server.openAccount({ credits: 1_000 })
    const token = await mint(accountId)
    const me = (sent: string) => server.get('/v1/me', { key: sent })
    expect(await added(() => me(token))).toEqual([1, 0, 0])
    expect(await added(() => me(token))).toEqual([0, 0, 0])
    expect(await added(() => me(`${token}x`))).toEqual([0, 1, 0])
    const [{ id }] = await connectorsOf(key)
    await server.send('DELETE', `/v1/keys/${id}`, { key })
    expect(await added(() => me(token))).toEqual([0, 1, 0])
    // The keys of the issuer are too old, and it is down.
    front.isDown = true
    clock.now += 25 * 60 * 60_000
    try {
      expect(await added(async () => expect((await me(token)).status).toBe(503))).toEqual([0, 0, 1])
    } finally {
      front.isDown = false
      clock.now += 60_000
    }
  })
})

describe('a client of the issuer', () => {
  it('ends after 30 days without use, and continues with the same key at its next token', async () => {
    const { key, accountId } = await server.openAccount({ credits: 1_000 })
    const token = await mint(accountId)
    const { database } = testDatabase
    const daysLeft = async () => {
      const [{ expires_at: end }] = await connectorsOf(key)
      return Math.round((Date.parse(end) - Date.now()) / 86_400_000)
    }
    const pass = (interval: string) =>
      database.query(
        `update api_keys set expires_at = expires_at - $2::interval where account_id = $1 and expires_at is not null`,
        [accountId, interval],
      )
    expect((await callTool(origin, token)).status).toBe(200)
    expect(await daysLeft()).toBe(30)
    await pass('10 days')
    expect(await daysLeft()).toBe(20)
    expect((await callTool(origin, token)).status).toBe(200)
    expect(await daysLeft()).toBe(30)
    const [{ id }] = await connectorsOf(key)
    await pass('31 days')
    expect(await connectorsOf(key)).toMatchObject([{ id, active: false }])
    expect((await callTool(origin, token)).status).toBe(200)
    expect(await connectorsOf(key)).toMatchObject([{ id, active: true }])
    // A connector that its user revoked stays revoked.
    expect((await server.send('DELETE', `/v1/keys/${id}`, { key })).status).toBe(204)
    await pass('31 days')
    expect((await callTool(origin, token)).status).toBe(401)
  })

  it('costs nothing after its key is revoked: its watches are paused until another key resumes them', async () => {
    const { key, keyId, accountId } = await server.openAccount({ credits: 1_000 })
    const token = await mint(accountId)
    const watch = { name: 'mine', zpids: ['1'] }
    const { id } = (await server.post('/v1/watches', watch, { key: token })).json.data
    const { id: connector } = (await connectorsOf(key))[0]
    const evaluating = server.app.watches.start()
    const read = async () => (await server.get(`/v1/watches/${id}`, { key })).json.data
    const until = (expected: object) =>
      expect.poll(read, { timeout: 20_000, interval: 20 }).toMatchObject(expected)
    try {
      await until({ status: 'active' })
      expect((await server.send('DELETE', `/v1/keys/${connector}`, { key })).status).toBe(204)
      // A client that is admitted again starts with a new key: what the old one did stays paused.
      expect(await forgetConnector(testDatabase.database, connector)).toBe(true)
      expect((await callTool(origin, token)).status).toBe(200)
      await until({ status: 'paused', paused_reason: 'requested' })
      const resumed = await server.send('PATCH', `/v1/watches/${id}`, { key, body: { paused: false } })
      expect(resumed.json.data).toMatchObject({ status: 'active', paused_reason: null })
    } finally {
      await evaluating.stop()
    }
    const { rows } = await testDatabase.database.query('select key_id from watches where id = $1', [id])
    expect(rows).toEqual([{ key_id: keyId }])
  })
})
