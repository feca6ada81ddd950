// A service that accepts access tokens of an authorization server of the operator (OAUTH_ISSUER).

import { randomUUID } from 'node:crypto'
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Network } from '../../../src/infrastructure/net/dial.ts'
import { forgetConnector } from '../../../src/money/accounts/keys.ts'
import { suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { createExternalIssuer } from '../../../src/money/oauth/external-issuer.ts'
import { expectBooksToBalance } from '../../crash/books.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer, withTestServer } from '../../setup/test-server.ts'
import { callTool, freePort } from './oauth-client.ts'
import { withTestIssuer } from './test-issuer.ts'

const [port, issuerPort] = [await freePort(), await freePort()]
const origin = `http://127.0.0.1:${port}`
const issuer = `http://127.0.0.1:${issuerPort}`
const resource = `${origin}/mcp`
const METADATA = `${origin}/.well-known/oauth-protected-resource/mcp`
const env = { PUBLIC_URL: origin, OAUTH_ISSUER: issuer, OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: 'on' }

/** The clock of the service for the keys of the issuer. */
const clock = { now: 0 }
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { port, env, parts: { issuerNow: () => clock.now } })
/** Another process of the same service. */
let other: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  other = await startTestServer(testDatabase, { env })
})
afterAll(() => other?.close())

const { front, ownKeys, next, jwkOf, resetFront, issueToken, mint, accountOf } = await withTestIssuer(
  issuerPort,
  resource,
)
beforeEach(() => {
  resetFront()
  // The cached keys are too old by then, and are fetched again.
  clock.now += 60 * 60_000
})

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const open = (account = {}) => server.openAccount({ credits: 1_000, ...account })
const connectorOf = async (key: string, name = 'agent-1') =>
  (await server.get('/v1/keys', { key })).json.data.find(
    ({ oauth_client }: { oauth_client?: string }) => oauth_client === name,
  )

describe('an agent with a token of the external issuer', () => {
  it('discovers the issuer from the URL of the service, and gets a key with the default limit', async () => {
    const { key, accountId } = await open({ email: 'someone@example.com' })
    accountOf['agent-1'] = accountId
    const client = new Client({ name: 'test', version: '1' })
    const authProvider = new ClientCredentialsProvider({
      clientId: 'agent-1',
      clientSecret: 'secret',
      expectedIssuer: issuer,
      scope: 'read jobs watches',
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(resource), { authProvider }))
    const { structuredContent } = (await client.callTool({
      name: 'get_account',
      arguments: {},
    })) as never as {
      structuredContent: { account: object }
    }
    await client.close()
    expect(structuredContent.account).toMatchObject({
      key: { limit: { credits: 500, per: 'month' } },
    })
    expect(structuredContent.account).not.toHaveProperty('email')
    const connector = await connectorOf(key)
    expect(connector).toMatchObject({ name: 'agent-1', active: true })
    const { rows } = await testDatabase.database.query(
      'select operation from usage_rows where account_id = $1 and key_id = $2',
      [accountId, connector.id],
    )
    expect(rows).toEqual([{ operation: 'getAccount' }])
    await expectBooksToBalance(testDatabase.database)
  })

  it('gets one key for concurrent first calls in two processes, and for all its tokens', async () => {
    const { key, accountId } = await open()
    const token = await issueToken('agent-2', accountId)
    const calls = Array.from({ length: 6 }, (_, at) => callTool(at % 2 ? origin : other.url, token))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await callTool(origin, await issueToken('agent-2', accountId))).status).toBe(200)
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(2)
    expect((await server.get('/v1/me', { key: token })).status).toBe(200)
  })

  it('is limited to the scopes of each token', async () => {
    const { key, accountId } = await open()
    const reading = await issueToken('agent-1', accountId, 'read')
    const watch = { name: 'mine', zpids: ['1'] }
    expect((await callTool(origin, reading)).result).toHaveProperty('account')
    expect((await callTool(origin, reading, 'create_watch', watch)).result.code).toBe('key_not_allowed')
    const watching = await issueToken('agent-1', accountId, 'read watches')
    expect((await callTool(origin, watching, 'create_watch', watch)).result).toHaveProperty('watch')
    expect((await callTool(origin, reading, 'create_watch', watch)).result.code).toBe('key_not_allowed')
    const nothing = await mint({ exp: inSeconds(60), lotline_account: accountId, scope: 'openid' })
    expect((await callTool(origin, nothing)).result.code).toBe('key_not_allowed')
    // The list shows all that the client may do with any of its tokens, and never the operations on keys.
    const { allowed_operations: allowed } = await connectorOf(key)
    expect(allowed).toContain('createWatch')
    expect(allowed).not.toContain('createKey')
    expect((await server.post('/v1/keys', { name: 'x' }, { key: watching })).code).toBe('key_not_allowed')
  })

  it('gets 401 in each process after its key is revoked, although its token is still valid', async () => {
    const { key, accountId } = await open()
    const token = await issueToken('agent-1', accountId)
    expect((await callTool(other.url, token)).status).toBe(200)
    const { id } = await connectorOf(key)
    expect((await server.send('DELETE', `/v1/keys/${id}`, { key })).status).toBe(204)
    for (const at of [origin, other.url]) {
      for (const refused of [token, await issueToken('agent-1', accountId)]) {
        const { status, headers } = await callTool(at, refused)
        expect([status, headers.get('www-authenticate')]).toEqual([
          401,
          expect.stringContaining('error="invalid_token"'),
        ])
      }
    }
    // Until the operator admits it again, as a new key.
    expect(await forgetConnector(testDatabase.database, id)).toBe(true)
    expect((await callTool(origin, token)).status).toBe(200)
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(3)
  })

  it('is refused when its account is suspended', async () => {
    const suspended = await open()
    await suspendAccount(testDatabase.database, suspended.accountId)
    const token = await issueToken('agent-1', suspended.accountId)
    expect((await callTool(origin, token)).result.code).toBe('account_suspended')
  })
})

describe('a token', () => {
  it('that is valid for another audience gets 401 with the link to the metadata', async () => {
    const { accountId } = await open()
    const token = await issueToken('agent-1', accountId, 'read', 'https://other.example/mcp')
    const { status, headers, json } = await callTool(origin, token)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}"`)
    expect(json).toMatchObject({ id: null, error: { code: -32000, data: { code: 'invalid_api_key' } } })
    expect(await (await fetch(METADATA)).json()).toMatchObject({ resource, authorization_servers: [issuer] })
  })

  it('is refused unless signature, issuer, audience, and times are valid', async () => {
    const { accountId, key } = await open()
    const right = { exp: inSeconds(60), lotline_account: accountId }
    expect((await callTool(origin, await mint(right))).status).toBe(200)
    // Clocks differ a little.
    expect(
      (await callTool(origin, await mint({ ...right, exp: inSeconds(-10), nbf: inSeconds(10) }))).status,
    ).toBe(200)
    const stranger = await generateKeyPair('ES256')
    const publicText = new TextEncoder().encode(JSON.stringify(ownKeys[0]))
    const [head, body] = (await mint(right)).split('.')
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    const wrong: Record<string, string> = {
      expired: await mint({ ...right, exp: inSeconds(-60) }),
      'not yet valid': await mint({ ...right, nbf: inSeconds(90) }),
      'without an end': await mint({ lotline_account: accountId }),
      'of another issuer': await mint({ ...right, iss: 'https://other.example' }),
      'without an audience': await mint({ ...right, aud: undefined }),
      'without an account': await mint({ exp: inSeconds(60) }),
      'of an account that does not exist': await mint({ ...right, lotline_account: randomUUID() }),
      'of an account that is no id': await mint({ ...right, lotline_account: "' or 1=1" }),
      'without a client': await mint({ ...right, client_id: undefined }),
      'of another kind': await mint(right, { header: { typ: 'logout+jwt' } }),
      'with the key of someone else': await mint(right, { key: stranger.privateKey }),
      'with a key that is not published': await mint(right, {
        key: stranger.privateKey,
        header: { kid: 'x' },
      }),
      'signed with the public key as a secret': await mint(right, {
        key: publicText,
        header: { alg: 'HS256' },
      }),
      'without a signature': `${unsigned}.${body}.`,
      'with another body': `${head}.${Buffer.from('{}').toString('base64url')}.${'A'.repeat(86)}`,
      'cut off': (await mint(right)).slice(0, -4),
    }
    for (const [name, token] of Object.entries(wrong)) {
      const { status, headers } = await callTool(origin, token)
      expect([name, status, headers.get('www-authenticate')]).toEqual([
        name,
        401,
        expect.stringContaining(METADATA),
      ])
      expect([name, (await server.get('/v1/me', { key: token })).status]).toEqual([name, 401])
    }
    // API keys work as ever.
    expect((await callTool(origin, key)).status).toBe(200)
  })
})

describe('the signing keys of the issuer', () => {
  it('are fetched again for a token with an unknown key, and a removed key is refused after five minutes', async () => {
    const { accountId } = await open()
    const right = { exp: inSeconds(60), lotline_account: accountId }
    const old = await mint(right)
    expect((await callTool(origin, old)).status).toBe(200)
    front.keys = [await jwkOf(next.publicKey, 'second')]
    clock.now += 60_000
    expect((await callTool(origin, old)).status).toBe(200)
    const asked = front.asked
    const rotated = await mint(right, { key: next.privateKey, header: { kid: 'second' } })
    expect((await callTool(origin, rotated)).status).toBe(200)
    expect(front.asked).toBe(asked + 1)
    expect((await callTool(origin, old)).status).toBe(401)
  })

  it('are fetched once for many tokens with unknown keys', async () => {
    const { accountId } = await open()
    expect(
      (await callTool(origin, await mint({ exp: inSeconds(60), lotline_account: accountId }))).status,
    ).toBe(200)
    const asked = front.asked
    clock.now += 60_000
    const guess = async (kid: string) =>
      callTool(origin, await mint({ exp: inSeconds(60) }, { key: next.privateKey, header: { kid } }))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => guess(`guess-${at}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(front.asked).toBe(asked + 1)
  })

  it('are used from the cache for a day while the issuer is down; without a cache, calls get 503 with Retry-After', async () => {
    const { accountId, key } = await open()
    const right = { exp: inSeconds(60), lotline_account: accountId }
    expect((await callTool(origin, await mint(right))).status).toBe(200)
    front.isDown = true
    clock.now += 60 * 60_000
    expect((await callTool(origin, await mint(right))).status).toBe(200)
    clock.now += 24 * 60 * 60_000
    const refused = await callTool(origin, await mint(right))
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    const asRest = await server.get('/v1/me', { key: await mint(right) })
    expect([asRest.status, asRest.code]).toEqual([503, 'service_unavailable'])
    expect((await callTool(origin, key)).status).toBe(200)
    front.isDown = false
    clock.now += 60_000
    expect((await callTool(origin, await mint(right))).status).toBe(200)
  })
})

describe('the metadata documents of the issuer', () => {
  const open = (at: string, network: Network) =>
    createExternalIssuer({
      issuer: at,
      audience: resource,
      network,
      onProblem: () => {},
    })
  const right = () => mint({ exp: inSeconds(60), lotline_account: randomUUID() })

  it('are not fetched from a private address or over plain HTTP, unless the operator allows it', async () => {
    const dialed: string[] = []
    const network: Network = {
      allowPrivateNetworks: false,
      resolve: async () => ['10.0.0.5'],
      connect(address) {
        dialed.push(address)
        throw new Error('It must not be dialed.')
      },
    }
    for (const at of ['https://id.example.com', 'https://127.0.0.1', issuer])
      await expect(open(at, network).verify(await right())).rejects.toThrow('cannot be fetched')
    expect(dialed).toEqual([])
    expect(await open(issuer, { allowPrivateNetworks: true }).verify(await right())).toMatchObject({
      clientId: 'agent-1',
      scopes: ['read'],
    })
  })

  it.each<[string, () => void]>([
    ['name another issuer', () => Object.assign(front, { metadata: { issuer: 'https://evil.example' } })],
    ['name no keys', () => Object.assign(front, { metadata: { issuer } })],
    ['are redirects', () => Object.assign(front, { status: 302 })],
    ['are larger than 64 kB', () => Object.assign(front, { keys: Array(400).fill(ownKeys[0]) })],
  ])('are not used if they %s', async (_, change) => {
    change()
    const refusing = open(issuer, { allowPrivateNetworks: true })
    await expect(refusing.verify(await right())).rejects.toThrow('cannot be fetched')
  })
})

describe('with an external issuer', () => {
  it('the service has no authorization server of its own', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/oauth/authorize',
      '/oauth/token',
      '/oauth/register',
    ])
      expect((await fetch(origin + path)).status).toBe(404)
  })
})
