// OAuth over real HTTP: from the address of the service to a connector that works, and everything that must not work.

import { operationIds } from '@lotline/contract'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { issueKey } from '../../src/accounts/keys.ts'
import { expectBooksToBalance } from '../crash/books.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import {
  approve,
  authorizationUrl,
  connect,
  createPkce,
  freePort,
  REDIRECT,
  registerClient,
  tokenRequest,
  Visitor,
} from './oauth-client.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { port, env: { PUBLIC_URL: origin } })

const METADATA = `${origin}/.well-known/oauth-protected-resource/mcp`

/** A call of a tool with a token, as a client sends it. */
async function callTool(token: string | undefined, name = 'get_account', args: object = {}) {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await response.text()
  const json = JSON.parse(text.startsWith('{') ? text : /^data: (.+)$/m.exec(text)![1]!)
  return { status: response.status, headers: response.headers, json, result: json.result?.structuredContent }
}

/** Until the token no longer works. It has a second. */
const untilRefused = (token: string) =>
  expect.poll(async () => (await callTool(token)).status, { timeout: 20_000, interval: 20 }).toBe(401)

describe('a user who adds a connector by the address of the service', () => {
  it('approves it, and the SDK of MCP calls tools with its token and refreshes it', async () => {
    const { key, accountId } = await server.openAccount({ credits: 1_000, email: 'someone@example.com' })
    const kept: Record<string, unknown> = {}
    let sentTo: URL | undefined
    const authProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'Desktop agent', redirect_uris: [REDIRECT] },
      state: () => 'state-1',
      clientInformation: () => kept.client as never,
      saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
      tokens: () => kept.tokens as never,
      saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
      redirectToAuthorization(url: URL) {
        sentTo = url
      },
      saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
      codeVerifier: () => kept.verifier as string,
      saveDiscoveryState: (discovery: unknown) => void Object.assign(kept, { discovery }),
      discoveryState: () => kept.discovery as never,
    }
    const connectClient = async () => {
      const client = new Client({ name: 'test', version: '1' })
      const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider })
      await client.connect(transport)
      return { client, transport }
    }
    const first = await connectClient()
    await expect(first.client.callTool({ name: 'get_account', arguments: {} })).rejects.toThrow(
      UnauthorizedError,
    )
    const back = await approve(sentTo!, key, { credits: '300' })
    expect(back.searchParams.get('iss')).toBe(origin)
    await first.transport.finishAuth(back.searchParams)
    await first.client.close()

    const { client } = await connectClient()
    const tool = async () =>
      (await client.callTool({ name: 'get_account', arguments: {} })) as unknown as {
        structuredContent: { account: Record<string, unknown> }
      }
    const { account } = (await tool()).structuredContent
    expect(account).toMatchObject({ key: { limit: { credits: 300, per: 'month' } } })
    expect(account).not.toHaveProperty('email')
    // The access token has ended: the client gets another one by itself.
    const before = kept.tokens
    await testDatabase.database.query(
      'update api_keys set token_expires_at = now() where account_id = $1 and oauth_grant is not null',
      [accountId],
    )
    await untilRefused((before as { access_token: string }).access_token)
    expect((await tool()).structuredContent).toHaveProperty('account')
    expect(kept.tokens).not.toEqual(before)
    await client.close()

    // It is a key of the account, and its calls are named after it.
    const { json } = await server.get('/v1/keys', { key })
    const connector = json.data.find(({ name }: { name: string }) => name === 'Desktop agent')
    expect(connector).toMatchObject({ active: true, credit_limit: { credits: 300, per: 'month' } })
    expect(connector.oauth_client).toBe((kept.client as { client_id: string }).client_id)
    expect(json.data.find(({ id }: { id: string }) => id !== connector.id)).not.toHaveProperty('oauth_client')
    const { rows } = await testDatabase.database.query(
      'select distinct key_id, operation from usage_rows where account_id = $1 and key_id = $2',
      [accountId, connector.id],
    )
    expect(rows).toEqual([{ key_id: connector.id, operation: 'getAccount' }])
    await expectBooksToBalance(testDatabase.database)
  })

  it('gives it only what the form says: read only, and no more credits than the limit', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const { tokens } = await connect(origin, key, { access: 'read', credits: '0' })
    expect(tokens.scope).toBe('read')
    expect((await callTool(tokens.access_token)).result).toHaveProperty('account')
    const lookups = { type: 'lookups', addresses: ['1 Main St, Seattle, WA 98109'] }
    expect((await callTool(tokens.access_token, 'start_job', lookups)).result.code).toBe('key_not_allowed')
    const watch = { name: 'mine', zpids: ['1'] }
    expect((await callTool(tokens.access_token, 'create_watch', watch)).result.code).toBe('key_not_allowed')
    expect((await callTool(tokens.access_token, 'get_property', { zpid: '48749425' })).result.code).toBe(
      'key_limit_reached',
    )
    // It cannot give itself more.
    const made = await server.post('/v1/keys', { name: 'more' }, { key: tokens.access_token })
    expect([made.status, made.code]).toEqual([403, 'key_not_allowed'])
  })

  it('may deny it', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const visitor = new Visitor()
    const page = await visitor.go(authorizationUrl(origin, clientId, createPkce()))
    const { url } = await visitor.submit(page.url, { key, decision: 'deny' })
    expect(url.href.startsWith(REDIRECT)).toBe(true)
    expect(url.searchParams.get('error')).toBe('access_denied')
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(1)
  })
})

describe('the documents', () => {
  it('lead from a 401 to the authorization server', async () => {
    for (const token of [undefined, `lot_${'0'.repeat(38)}`]) {
      const { status, headers, json } = await callTool(token)
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}"`)
      expect(json).toMatchObject({ id: 1, error: { code: -32000 } })
    }
    const resource = await (await fetch(METADATA)).json()
    expect(resource).toMatchObject({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    // Whatever host a client or a proxy names.
    const found = await fetch(`${origin}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(await found.json()).toMatchObject({
      ...{ issuer: origin, authorization_endpoint: `${origin}/oauth/authorize` },
      ...{ token_endpoint: `${origin}/oauth/token`, registration_endpoint: `${origin}/oauth/register` },
      ...{ revocation_endpoint: `${origin}/oauth/revoke`, code_challenge_methods_supported: ['S256'] },
      ...{ response_types_supported: ['code'], authorization_response_iss_parameter_supported: true },
      client_id_metadata_document_supported: true,
    })
  })
})

describe('the authorization server refuses', () => {
  it('a request without PKCE, or for a token of another audience', async () => {
    const clientId = await registerClient(origin)
    const errorOf = async (changes: object) => {
      const { url } = await new Visitor().go(authorizationUrl(origin, clientId, createPkce(), changes))
      const answer = url.hash ? new URLSearchParams(url.hash.slice(1)) : url.searchParams
      return [url.href.startsWith(REDIRECT), answer.get('error')]
    }
    expect(await errorOf({ code_challenge: null, code_challenge_method: null })).toEqual([
      true,
      'invalid_request',
    ])
    expect(await errorOf({ code_challenge_method: 'plain' })).toEqual([true, 'invalid_request'])
    expect(await errorOf({ resource: 'https://other.example/mcp' })).toEqual([true, 'invalid_target'])
    expect(await errorOf({ response_type: 'token' })).toEqual([true, 'unsupported_response_type'])
  })

  it('to send a browser to an address that the client did not name', async () => {
    const clientId = await registerClient(origin)
    for (const changes of [{ redirect_uri: 'https://evil.example/' }, { client_id: 'unknown' }]) {
      const { response } = await new Visitor().go(authorizationUrl(origin, clientId, createPkce(), changes))
      expect(response?.status).toBe(400)
      expect(response?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await response?.text()).toContain('Connection failed')
    }
  })

  it('a code with another verifier, and a code that is used again, which ends the connector', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const back = await approve(authorizationUrl(origin, clientId, createPkce()), key)
    const exchange = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT }
    const code = back.searchParams.get('code')!
    const wrong = await tokenRequest(origin, { ...exchange, code, code_verifier: createPkce().verifier })
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant'])

    const connected = await connect(origin, key)
    const again = await tokenRequest(origin, connected.exchange)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    await untilRefused(connected.tokens.access_token)
  })

  it('a refresh token that is used again, which ends every token of the connector', async () => {
    const { key } = await server.openAccount()
    const { clientId, tokens } = await connect(origin, key)
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token }
    const next = await tokenRequest(origin, refresh)
    expect(next.status).toBe(200)
    expect((await callTool(next.body.access_token)).status).toBe(200)
    // The text of the key is the new one.
    await untilRefused(tokens.access_token)
    expect((await tokenRequest(origin, refresh)).body.error).toBe('invalid_grant')
    await untilRefused(next.body.access_token)
    const last = await tokenRequest(origin, { ...refresh, refresh_token: next.body.refresh_token })
    expect(last.body.error).toBe('invalid_grant')
  })

  it('of two uses of one refresh token at once, at least one', async () => {
    const { key } = await server.openAccount()
    const { clientId, tokens } = await connect(origin, key)
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token }
    const both = await Promise.all([tokenRequest(origin, refresh), tokenRequest(origin, refresh)])
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('clients with secrets, and clients with addresses that anyone could read', async () => {
    await expect(
      registerClient(origin, { token_endpoint_auth_method: 'client_secret_post' }),
    ).rejects.toThrow('400')
    await expect(registerClient(origin, { redirect_uris: ['http://evil.example/'] })).rejects.toThrow('400')
  })
})

describe('a connector ends at once', () => {
  it('when its key is revoked, and its refresh token with it', async () => {
    const { key } = await server.openAccount()
    const { clientId, tokens } = await connect(origin, key)
    const { json } = await server.get('/v1/keys', { key })
    const connector = json.data.find(({ name }: { name: string }) => name === 'Test agent')
    expect((await server.send('DELETE', `/v1/keys/${connector.id}`, { key })).status).toBe(204)
    await untilRefused(tokens.access_token)
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token }
    expect((await tokenRequest(origin, refresh)).body.error).toBe('invalid_grant')
  })

  it.each(['access_token', 'refresh_token'] as const)('when its client gives back its %s', async (kind) => {
    const { key } = await server.openAccount()
    const { clientId, tokens } = await connect(origin, key)
    expect((await callTool(tokens.access_token)).status).toBe(200)
    const response = await fetch(`${origin}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, token: tokens[kind] }).toString(),
    })
    expect(response.status).toBe(200)
    await untilRefused(tokens.access_token)
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token }
    expect((await tokenRequest(origin, refresh)).body.error).toBe('invalid_grant')
  })
})

describe('the page', () => {
  it('is not framed or stored, shows the client as text, and takes a form only from itself', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin, { client_name: '<img src=x onerror=alert(1)>' })
    const visitor = new Visitor()
    const { url, response } = await visitor.go(authorizationUrl(origin, clientId, createPkce()))
    const html = await response!.text()
    expect(html).toContain('Connect &lt;img src=x onerror=alert(1)&gt;')
    expect(response!.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response!.headers.get('cache-control')).toBe('no-store')
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      const sent = await visitor.submit(url, { key, decision: 'allow' }, headers)
      expect(sent.response?.status).toBe(403)
    }
    // The form of a browser that did not begin this request.
    const stranger = await new Visitor().submit(url, { key, decision: 'allow' })
    expect(stranger.response?.status).toBe(400)
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(1)
  })

  it('says what is wrong with a key, and takes none that has less than the connector would get', async () => {
    const { key, accountId } = await server.openAccount()
    const limited = await server.post(
      '/v1/keys',
      { name: 'limited', credit_limit: { credits: 5, per: 'day' } },
      { key },
    )
    const ends = await server.post('/v1/keys', { name: 'ends', expires_at: '2099-01-01T00:00:00Z' }, { key })
    // They may do all that the connector would get, and create no keys.
    const noKeys = await issueKey(testDatabase.database, accountId, {
      allowedOperations: operationIds.filter((id) => id !== 'createKey'),
    })
    const denied = await server.openAccount({ deniedOperations: ['createKey'] })
    const clientId = await registerClient(origin)
    const visitor = new Visitor()
    const { url } = await visitor.go(authorizationUrl(origin, clientId, createPkce()))
    const keys = [limited.json.data.key, ends.json.data.key, noKeys.key, denied.key]
    for (const wrong of ['', 'lot_x', `lot_${'0'.repeat(38)}`, ...keys]) {
      const sent = await visitor.submit(url, { key: wrong, access: 'all', decision: 'allow' })
      expect(sent.response?.status, wrong).toBe(400)
      expect(await sent.response?.text()).toContain('role="alert"')
    }
    // The request is still open.
    const done = await visitor.submit(url, { key, access: 'all', decision: 'allow' })
    expect(done.url.searchParams.get('code')).toBeTruthy()
  })
})
