// OAuth over HTTP, from the URL of the service to a working connector, and the requests that must fail.

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { expectBooksToBalance } from '../../crash/books.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import {
  approve,
  authorizationUrl,
  callTool as callToolAt,
  connect,
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
const METADATA = `${origin}/.well-known/oauth-protected-resource/mcp`

/** The next call with the token gets 401. */
const expectRefused = async (token: string) => expect((await callTool(token)).status).toBe(401)

const callTool = (token: string | undefined, name?: string, args?: object) =>
  callToolAt(origin, token, name, args)

describe('a user who adds a connector by the address of the service', () => {
  it('approves it, and the MCP SDK calls tools with its token and refreshes it', async () => {
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
    const newTransport = () => new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider })
    const first = newTransport()
    await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError)
    const back = await approve(sentTo!, key, { credits: '300' })
    expect(back.searchParams.get('iss')).toBe(origin)
    await first.finishAuth(back.searchParams)

    const client = new Client({ name: 'test', version: '1' })
    await client.connect(newTransport())
    const tool = async () =>
      (await client.callTool({ name: 'get_account', arguments: {} })) as unknown as {
        structuredContent: { account: Record<string, unknown> }
      }
    const { account } = (await tool()).structuredContent
    expect(account).toMatchObject({ key: { limit: { credits: 300, per: 'month' } } })
    expect(account).not.toHaveProperty('email')
    // The access token has ended: the client gets another one by itself.
    const before = kept.tokens
    const expire =
      'update api_keys set token_expires_at = now() where account_id = $1 and oauth_grant is not null'
    await testDatabase.database.query(expire, [accountId])
    await expectRefused((before as { access_token: string }).access_token)
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
    const usage = (await server.get('/v1/usage', { key })).json.data
    const named = { key_id: connector.id, oauth_client: connector.oauth_client }
    expect(usage.filter(({ key_id: id }: { key_id: string }) => id === connector.id).length).toBeGreaterThan(
      1,
    )
    for (const row of usage)
      expect(row).toEqual(
        row.key_id === connector.id
          ? expect.objectContaining(named)
          : expect.not.objectContaining({ oauth_client: expect.anything() }),
      )
    const summary = await server.get('/v1/usage/summary?by=key', { key })
    const used = summary.json.data.find(({ value }: { value: string }) => value === connector.id)
    expect(used).toMatchObject({ key_name: 'Desktop agent', oauth_client: connector.oauth_client })
    const csv = await server.get('/v1/usage/summary?by=key&format=csv', { key })
    expect(csv.text).toMatch(
      /^value,usage_rows,units,credits_charged,credits_refunded,key_name,oauth_client\r\n/,
    )
    await expectBooksToBalance(testDatabase.database)
  })

  it('grants only what the form says: read-only access, and no more credits than the limit', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const { tokens } = await connect(origin, key, { access: 'read', credits: '0' })
    expect(tokens.scope).toBe('read')
    expect((await callTool(tokens.access_token)).result).toHaveProperty('account')
    const lookups = { type: 'lookups', addresses: ['1 Main St, Seattle, WA 98109'] }
    expect((await callTool(tokens.access_token, 'start_job', lookups)).result.code).toBe('key_not_allowed')
    const watch = { name: 'mine', zpids: ['1'] }
    expect((await callTool(tokens.access_token, 'create_watch', watch)).result.code).toBe('key_not_allowed')
    const lookup = await callTool(tokens.access_token, 'get_property', { zpid: '48749425' })
    expect(lookup.result.code).toBe('key_limit_reached')
    // It cannot give itself more.
    const made = await server.post('/v1/keys', { name: 'more' }, { key: tokens.access_token })
    expect([made.status, made.code]).toEqual([403, 'key_not_allowed'])
  })

  it('can deny it', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const page = await visitor.open(authorizationUrl(origin, clientId, createPkce()), key)
    const { url } = await visitor.submit(page.url, { decision: 'deny' })
    expect(url.href.startsWith(REDIRECT)).toBe(true)
    expect(url.searchParams.get('error')).toBe('access_denied')
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(1)
  })
})

describe('the metadata documents', () => {
  it('lead from a 401 to the authorization server', async () => {
    for (const token of [undefined, `lot_${'0'.repeat(38)}`]) {
      const { status, headers, json } = await callTool(token)
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}"`)
      expect(json).toMatchObject({ id: null, error: { code: -32000 } })
    }
    const resource = await (await fetch(METADATA)).json()
    expect(resource).toMatchObject({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    // Whatever host a client or a proxy names.
    const found = await fetch(`${origin}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(await found.json()).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      registration_endpoint: `${origin}/oauth/register`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })
})

describe('the authorization server refuses', () => {
  it('a request without PKCE, or for a token of another audience', async () => {
    const clientId = await registerClient(origin)
    const errorOf = async (changes: object) => {
      const { url } = await new OauthBrowser().go(authorizationUrl(origin, clientId, createPkce(), changes))
      const answer = url.hash ? new URLSearchParams(url.hash.slice(1)) : url.searchParams
      return [url.href.startsWith(REDIRECT), answer.get('error')]
    }
    expect(await errorOf({ code_challenge: null, code_challenge_method: null })).toEqual([
      true,
      'invalid_request',
    ])
    expect(await errorOf({ code_challenge_method: 'plain' })).toEqual([true, 'invalid_request'])
    // There is one: not even the REST API of the service is another.
    for (const other of ['https://other.example/mcp', `${origin}/v1`, origin])
      expect(await errorOf({ resource: other })).toEqual([true, 'invalid_target'])
    expect(await errorOf({ response_type: 'token' })).toEqual([true, 'unsupported_response_type'])
  })

  it('to redirect to an address that the client did not register', async () => {
    const clientId = await registerClient(origin)
    for (const changes of [{ redirect_uri: 'https://evil.example/' }, { client_id: 'unknown' }]) {
      const { response } = await new OauthBrowser().go(
        authorizationUrl(origin, clientId, createPkce(), changes),
      )
      expect(response?.status).toBe(400)
      expect(response?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await response?.text()).toContain('Connection failed')
    }
  })

  it('a code with a wrong verifier, and a reused code, which ends the connector', async () => {
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
    await expectRefused(connected.tokens.access_token)
  })

  it('clients with secrets, and clients with insecure redirect URIs', async () => {
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
    await expectRefused(tokens.access_token)
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token }
    expect((await tokenRequest(origin, refresh)).body.error).toBe('invalid_grant')
  })

  it.each(['access_token', 'refresh_token'] as const)('when its client revokes its %s', async (kind) => {
    const { key } = await server.openAccount()
    const { clientId, tokens } = await connect(origin, key)
    expect((await callTool(tokens.access_token)).status).toBe(200)
    const response = await fetch(`${origin}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, token: tokens[kind] }).toString(),
    })
    expect(response.status).toBe(200)
    await expectRefused(tokens.access_token)
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token }
    expect((await tokenRequest(origin, refresh)).body.error).toBe('invalid_grant')
  })
})
