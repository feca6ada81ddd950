// Limits of the OAuth endpoints per IP address and in total, maximum request sizes, and the error pages.

import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createFailedKeys, createVisitorLimits } from '../../../src/money/accounts/failed-keys.ts'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { startSession } from '../../../src/money/accounts/portal-sessions.ts'
import { suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { NEW_CLIENTS, tokenDigest } from '../../../src/money/oauth/records.ts'
import { removeExpired } from '../../../src/work/retention/remove-expired.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import {
  authorizationUrl,
  createPkce,
  freePort,
  OauthBrowser,
  REDIRECT,
  registerClient,
  tokenRequest,
} from './oauth-client.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { port, env: { PUBLIC_URL: origin } })
const db = () => testDatabase.database

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const register = (at: string, changes: object = {}, headers: Record<string, string> = {}) =>
  fetch(`${at}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [REDIRECT], ...changes }),
  })

const countOf = async (model: string) => {
  const { rows } = await db().query<{ count: number }>(
    'select count(*)::integer as count from oauth_records where model = $1',
    [model],
  )
  return rows[0]!.count
}

describe('one IP address', () => {
  const clock = { now: 0 }
  let limited: Awaited<ReturnType<typeof startTestServer>>
  let at = ''
  beforeAll(async () => {
    const ownPort = await freePort()
    at = `http://127.0.0.1:${ownPort}`
    const now = () => clock.now
    limited = await startTestServer(testDatabase, {
      port: ownPort,
      env: { PUBLIC_URL: at, TRUSTED_PROXIES: '127.0.0.1', PORTAL: 'off' },
      parts: { visitorLimits: createVisitorLimits(now), failedKeys: createFailedKeys(now) },
    })
  })
  afterAll(() => limited?.close())
  const from = (address: string) => ({ 'x-forwarded-for': address })

  it('can request authorization 30 times per minute; refused requests store nothing and do not affect others', async () => {
    const clientId = await registerClient(origin)
    const ask = async (address: string) => {
      const url = authorizationUrl(at, clientId, createPkce())
      return fetch(url, { redirect: 'manual', headers: from(address) })
    }
    const before = await countOf('Interaction')
    for (let times = 0; times < 30; times++) expect((await ask('203.0.113.1')).status).toBe(303)
    expect(await countOf('Interaction')).toBe(before + 30)
    const refused = await ask('203.0.113.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(await refused.text()).toContain('Connection failed')
    expect(await countOf('Interaction')).toBe(before + 30)
    expect((await ask('203.0.113.2')).status).toBe(303)
    clock.now += 2_000
    expect([(await ask('203.0.113.1')).status, (await ask('203.0.113.1')).status]).toEqual([303, 429])
  })

  it('can open 120 request pages per minute, whether or not the request exists', async () => {
    const open = async (path: string) =>
      (await fetch(`${at}${path}`, { redirect: 'manual', headers: from('203.0.113.9') })).status
    for (let times = 0; times < 60; times++) {
      expect(await open('/oauth/consent/x')).not.toBe(429)
      expect(await open('/oauth/authorize/x')).not.toBe(429)
    }
    for (const path of ['/oauth/consent/x', '/oauth/authorize/x']) expect(await open(path)).toBe(429)
    const headers = { ...FORM, ...from('203.0.113.9'), origin: at }
    const sent = await fetch(`${at}/oauth/consent/x`, { method: 'POST', headers, body: 'decision=allow' })
    expect([sent.status, await sent.text()]).toEqual([429, expect.stringContaining('Too many requests')])
  })

  it('can register 10 clients per hour, without affecting others', async () => {
    for (let times = 0; times < 10; times++)
      expect((await register(at, {}, from('203.0.113.3'))).status).toBe(201)
    const refused = await register(at, {}, from('203.0.113.3'))
    expect([refused.status, (await refused.json()).error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(300)
    expect((await register(at, {}, from('203.0.113.4'))).status).toBe(201)
  })

  it('can try 60 codes and refresh tokens, also concurrently, and then one per second', async () => {
    const clientId = await registerClient(origin)
    const guess = (address: string) =>
      fetch(`${at}/oauth/token`, {
        method: 'POST',
        headers: { ...FORM, ...from(address) },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: clientId,
          refresh_token: 'x'.repeat(43),
        }).toString(),
      })
    for (let times = 0; times < 60; times++) expect((await guess('203.0.113.5')).status).toBe(400)
    const refused = await guess('203.0.113.5')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect((await guess('203.0.113.6')).status).toBe(400)
    clock.now += 1_000
    expect((await guess('203.0.113.5')).status).toBe(400)
    const atOnce = await Promise.all(Array.from({ length: 80 }, () => guess('203.0.113.8')))
    expect(atOnce.filter(({ status }) => status === 400)).toHaveLength(60)
  })

  it('can revoke 30 tokens per minute', async () => {
    const clientId = await registerClient(origin)
    const revoke = async () => {
      const body = new URLSearchParams({ client_id: clientId, token: 'x'.repeat(43) }).toString()
      const headers = { ...FORM, ...from('203.0.113.7') }
      return (await fetch(`${at}/oauth/revoke`, { method: 'POST', headers, body })).status
    }
    for (let times = 0; times < 30; times++) expect(await revoke()).toBe(200)
    expect(await revoke()).toBe(429)
  })

  it('can cause 20 fetches of client documents per minute, and then gets 429', async () => {
    clock.now += 60_000
    const ask = (n: number, address: string) => {
      // Nothing is fetched from such addresses.
      const url = authorizationUrl(at, `https://10.0.0.${n}/client.json`, createPkce())
      return fetch(url, { redirect: 'manual', headers: from(address) })
    }
    for (let n = 0; n < 20; n++) expect((await ask(n, '203.0.113.10')).status).toBe(400)
    const refused = await ask(20, '203.0.113.10')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.text()).toContain('Connection failed')
    const asToken = await fetch(`${at}/oauth/token`, {
      method: 'POST',
      headers: { ...FORM, ...from('203.0.113.10') },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'https://10.0.0.21/client.json',
        refresh_token: 'x',
      }).toString(),
    })
    expect([asToken.status, asToken.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await asToken.json()).error).toBe('temporarily_unavailable')
    expect((await ask(22, '203.0.113.11')).status).toBe(400)
    clock.now += 3_000
    expect((await ask(23, '203.0.113.10')).status).toBe(400)
  })

  it('can cause 4 fetches from one host per minute, and more only for clients with a connector', async () => {
    clock.now += 60_000
    const client = (n: number) => `https://10.0.0.5/${n}.json`
    const ask = async (n: number, address = '203.0.113.12') => {
      const url = authorizationUrl(at, client(n), createPkce())
      return (await fetch(url, { redirect: 'manual', headers: from(address) })).status
    }
    for (let n = 0; n < 4; n++) expect(await ask(n)).toBe(400)
    expect([await ask(4), await ask(5, '203.0.113.13')]).toEqual([429, 400])
    const { accountId } = await server.openAccount()
    const approved = { oauthClient: client(6), oauthGrant: randomBytes(32) }
    const { keyId } = await issueKey(db(), accountId, approved)
    // Refused as before, but not by the limit.
    expect([await ask(6), await ask(7)]).toEqual([400, 429])
    await db().query('update api_keys set revoked_at = now() where id = $1', [keyId])
    expect(await ask(6)).toBe(429)
  })

  it('is also charged for documents that the page of an open request fetches', async () => {
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const { url } = await visitor.go(authorizationUrl(at, clientId, createPkce()))
    const client = (n: number) => `https://10.0.0.9/${n}.json`
    const named = "jsonb_set(payload::jsonb, '{params,client_id}', to_jsonb($2::text))::json"
    for (let n = 0; n < 4; n++) {
      await db().query(
        `update oauth_records set payload = ${named} where model = 'Interaction' and id = $1`,
        [tokenDigest(url.pathname.split('/').at(-1)!), client(n)],
      )
      expect((await visitor.go(url)).response?.status).toBe(400)
    }
    const { response } = await new OauthBrowser().go(authorizationUrl(at, client(4), createPkce()))
    expect(response?.status).toBe(429)
  })

  it('gets 429 on the page after guessing keys, if the portal is off and the page asks for a key', async () => {
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const { url } = await visitor.go(authorizationUrl(at, clientId, createPkce()))
    for (let times = 0; times < 60; times++) {
      const sent = await visitor.submit(url, { key: 'lot_x', decision: 'allow' })
      expect(sent.response?.status).toBe(400)
    }
    const { response } = await visitor.submit(url, { key: 'lot_x', decision: 'allow' })
    expect(response?.status).toBe(429)
    expect(Number(response?.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(await response?.text()).toContain('role="alert"')
  })
})

describe('all IP addresses together', () => {
  it('can register a limited number of clients, also concurrently; expired clients are removed', async () => {
    onTestFinished(async () => {
      await db().query("delete from budgets where kind = 'oauth_clients'")
    })
    await db().query(
      `insert into budgets values ('oauth_clients', 'all', 3600, now() + interval '1 hour', $1)
       on conflict (kind, subject, seconds) do update set taken = excluded.taken`,
      [NEW_CLIENTS.perHour - 1],
    )
    await db().query(
      `insert into oauth_records (model, id, payload, expires_at)
       select 'Session', sha256(convert_to('old' || n, 'utf8')), '{}', now() - interval '1 minute' from generate_series(1, 501) n`,
    )
    const answers = await Promise.all(Array.from({ length: 5 }, () => register(origin)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429, 429, 429])
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect((await refused.json()).error).toBe('temporarily_unavailable')
    expect(await removeExpired(db(), 'oauth_records')).toBe(true)
    expect(await removeExpired(db(), 'oauth_records')).toBe(false)
    expect((await db().query('select from oauth_records where expires_at < now()')).rows).toEqual([])
  })
})

describe('a client assertion', () => {
  it('that expires later than in 5 minutes is refused, and nothing of it is stored', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const answer = await register(origin, {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'a' }] },
    })
    expect(answer.status).toBe(201)
    const { client_id: id } = await answer.json()
    const ask = async (exp: number) => {
      const assertion = await new SignJWT({ iss: id, sub: id, aud: origin, jti: `${exp}`, exp })
        .setProtectedHeader({ alg: 'ES256', kid: 'a' })
        .sign(privateKey)
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      const form = { grant_type: 'refresh_token', client_id: id, refresh_token: 'x'.repeat(43) }
      return tokenRequest(origin, { ...form, client_assertion_type: type, client_assertion: assertion })
    }
    const now = Math.floor(Date.now() / 1000)
    for (const exp of [now + 3600, 1e300]) {
      const { status, body } = await ask(exp)
      expect([exp, status, body.error]).toEqual([exp, 401, 'invalid_client'])
    }
    expect(await countOf('ReplayDetection')).toBe(0)
    expect((await ask(now + 60)).body.error).toBe('invalid_grant')
    expect((await ask(now + 60)).body.error).toBe('invalid_client')
  })
})

describe('a request that is too large', () => {
  it('is refused: above 4 kB for parameters and metadata, and above 8 kB for other bodies', async () => {
    const clientId = await registerClient(origin)
    const before = await countOf('Interaction')
    const statusOf = async (length: number) => {
      const url = authorizationUrl(origin, clientId, createPkce(), { state: 's'.repeat(length) })
      return (await fetch(url, { redirect: 'manual' })).status
    }
    expect([await statusOf(3_000), await statusOf(5_000)]).toEqual([303, 413])
    expect(await countOf('Interaction')).toBe(before + 1)
    expect((await register(origin, { client_uri: `https://example.com/${'x'.repeat(4_200)}` })).status).toBe(
      413,
    )
    const large = await tokenRequest(origin, {
      grant_type: 'refresh_token',
      refresh_token: 'x'.repeat(9_000),
    })
    expect([large.status, large.body.error]).toEqual([413, 'invalid_request'])
  })

  it('is refused if it does not announce its length', async () => {
    const sent = request(`${origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    })
    const status = new Promise<number | undefined>((done, failed) => {
      sent.on('response', (response) => done(response.resume().statusCode)).on('error', failed)
    })
    const metadata = { redirect_uris: [REDIRECT], client_uri: `https://example.com/${'x'.repeat(9_000)}` }
    sent.end(JSON.stringify(metadata))
    expect(await status).toBe(400)
  })
})

describe('the consent page', () => {
  it('reports that the registration of the client has expired', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const { url } = await visitor.open(authorizationUrl(origin, clientId, createPkce()), key)
    await db().query("delete from oauth_records where model = 'Client'")
    for (const { response } of [await visitor.go(url), await visitor.submit(url, { decision: 'allow' })]) {
      expect(response?.status).toBe(400)
      expect(await response?.text()).toContain('registration of the application has ended')
    }
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(1)
  })

  it('is shown again after an invalid credit limit, and then accepts a valid one', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const { url } = await visitor.open(authorizationUrl(origin, clientId, createPkce()), key)
    for (const credits of ['12.5', '', '1000001', '1234567890', '-1', '1e3', '5 0']) {
      const { response } = await visitor.submit(url, { access: 'read', credits, decision: 'allow' })
      const html = await response!.text()
      expect([credits, response!.status]).toEqual([credits, 400])
      expect(html).toContain(
        'role="alert">Enter the credits for a month as a whole number from 0 to 1,000,000.',
      )
      expect(html).toContain('name="access" value="read" checked')
      expect(html).toContain(`value="${credits}" required`)
    }
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(1)
    await visitor.submit(url, { access: 'read', credits: '1000000', decision: 'allow' })
    const { json } = await server.get('/v1/keys', { key })
    expect(json.data[0].credit_limit).toEqual({ credits: 1_000_000, per: 'month' })
  })

  it('makes one connector for two concurrent approvals, and both responses lead to it', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const pkce = createPkce()
    const page = await visitor.open(authorizationUrl(origin, clientId, pkce), key)
    const csrf = /name="csrf" value="([\w-]+)"/.exec(await page.response!.text())![1]!
    const allow = () =>
      visitor.request(page.url, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ csrf, access: 'all', credits: '500', decision: 'allow' }).toString(),
      })
    const answers = await Promise.all([allow(), allow(), allow()])
    const targets = answers.map(({ status, headers }) => [status, headers.get('location')])
    expect(targets).toEqual(Array(3).fill([303, expect.stringContaining('/oauth/authorize/')]))
    expect(new Set(targets.map(([, target]) => target)).size).toBe(1)
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(2)
    const { url } = await visitor.go(answers[2]!.headers.get('location')!)
    const { status } = await tokenRequest(origin, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code: url.searchParams.get('code')!,
      code_verifier: pkce.verifier,
    })
    expect(status).toBe(200)
  })

  it('accepts the session of the portal, unless its account is suspended', async () => {
    const approveWith = async (suspended: boolean) => {
      const { accountId, keyId } = await server.openAccount()
      const { id } = await startSession(db(), keyId)
      if (suspended) await suspendAccount(db(), accountId)
      const visitor = new OauthBrowser()
      visitor.keep('lotline_session', id)
      const clientId = await registerClient(origin)
      const { url } = await visitor.go(authorizationUrl(origin, clientId, createPkce()))
      const sent = await visitor.submit(url, { decision: 'allow' })
      const { rows } = await db().query(
        'select from api_keys where account_id = $1 and oauth_grant is not null',
        [accountId],
      )
      return {
        status: sent.response?.status,
        code: sent.url.searchParams.get('code'),
        connectors: rows.length,
      }
    }
    expect(await approveWith(false)).toMatchObject({ code: expect.any(String), connectors: 1 })
    expect(await approveWith(true)).toEqual({ status: 400, code: null, connectors: 0 })
  })
})
