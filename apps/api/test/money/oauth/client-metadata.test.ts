// Client metadata and redirect URIs: in a registration, in a metadata document (clients.test.ts covers their network), and in an
// authorization request.

import { describe, expect, it } from 'vitest'
import { checkClientMetadata } from '../../../src/money/oauth/client-metadata.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { approve, authorizationUrl, createPkce, freePort, REDIRECT, registerClient } from './oauth-client.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { port, env: { PUBLIC_URL: origin } })

/** Not limited: what is judged is judged by the function that the registration calls. */
const refusalOf = (changes: object): string | undefined => {
  try {
    checkClientMetadata({ client_name: 'Test agent', redirect_uris: [REDIRECT], ...changes })
    return undefined
  } catch (error) {
    return (error as { readonly error: string }).error
  }
}
const register = async (changes: object) => {
  const response = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [REDIRECT], ...changes }),
  })
  return { status: response.status, body: (await response.json()) as { error?: string } }
}

describe('a redirect URI', () => {
  it.each([
    'https://app.example.com/callback?step=2',
    'https://app.example.com:8443/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:33418/callback',
    'http://[::1]:33418/callback',
    'http://localhost:33418/callback',
    'com.example.app:/oauth',
    'com.example.app://oauth/callback',
    'org.example-2.app:/oauth',
  ])('can be %s', (uri) => {
    expect(refusalOf({ redirect_uris: [uri] })).toBeUndefined()
  })

  it.each([
    'intent://x',
    'intent://x#Intent;scheme=https;end',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp://callback',
    'http://evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'http://127.0.0.2/',
    'https://app.example.com/#fragment',
    'https://app.example.com/#',
    'https://user@app.example.com/',
    'https://user:password@app.example.com/',
    'https://app.example.com\\@evil.example/',
    'com.example.app:/oauth#x',
    'https://app.example.com/\u202egnp',
    'https://app.example.com/a\tb',
    ' https://app.example.com/',
    '.com:/x',
    'com..example:/x',
    'not an address',
  ])('cannot be %j', (uri) => {
    expect(refusalOf({ redirect_uris: [REDIRECT, uri] })).toBe('invalid_redirect_uri')
  })
})

describe('a text that is shown to users', () => {
  const DECEIVING = [
    '\u0000',
    '\u0007',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u009f',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u202a',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u2069',
    '\ufeff',
    '\u3164',
    '\ud83c',
    '\u{e0041}',
  ]

  it.each(DECEIVING.map((character) => [character.codePointAt(0)!.toString(16), character] as const))(
    'has no U+%s, whatever it is about',
    (_name, character) => {
      for (const name of ['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri'])
        expect(refusalOf({ [name]: `Bank${character} agent` }), name).toBe('invalid_client_metadata')
      expect(refusalOf({ contacts: [`a${character}@example.com`] })).toBe('invalid_client_metadata')
      expect(refusalOf({ jwks: { keys: [{ kid: character }] } })).toBe('invalid_client_metadata')
    },
  )

  it.each(['Test agent', 'Agente número 5', '家の検索', 'סוכן', 'Agent ❤️ 🏠'])('can be %s', (name) => {
    expect(refusalOf({ client_name: name })).toBeUndefined()
  })
})

describe('client registration', () => {
  it('refuses invalid redirect URIs and texts with the standard error codes, and stores nothing', async () => {
    const { rows: before } = await testDatabase.database.query('select id from oauth_records')
    expect(await register({ redirect_uris: ['intent://x'] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    })
    for (const client_name of ['Bank\u202egnp', 'Bank\u0000', 'Bank\ud83c']) {
      expect(await register({ client_name })).toMatchObject({
        status: 400,
        body: { error: 'invalid_client_metadata' },
      })
    }
    const { rows: after } = await testDatabase.database.query('select id from oauth_records')
    expect(after).toEqual(before)
  })

  it('accepts an application with a private-use URI scheme', async () => {
    const { key } = await server.openAccount()
    const redirect_uri = 'com.example.app:/oauth'
    const clientId = await registerClient(origin, { redirect_uris: [redirect_uri] })
    const back = await approve(authorizationUrl(origin, clientId, createPkce(), { redirect_uri }), key)
    expect([back.protocol, back.searchParams.has('code')]).toEqual(['com.example.app:', true])
  })

  it('ignores internal properties that a client sends', async () => {
    const response = await register({ lotline_judged: 'x' })
    expect(response.status).toBe(201)
    expect(response.body).not.toHaveProperty('lotline_judged')
  })
})

describe('a request with a text that the database cannot store', () => {
  it.each([
    'state',
    'nonce',
    'client_id',
    'redirect_uri',
    'scope',
    'resource',
    'code_challenge',
    'login_hint',
  ])('is refused in %s as a client error', async (name) => {
    const clientId = await registerClient(origin)
    const url = authorizationUrl(origin, clientId, createPkce(), { [name]: 'a\0b' })
    const sent = await fetch(url, { redirect: 'manual' })
    expect(sent.status).toBeLessThan(500)
    const location = sent.headers.get('location') ?? ''
    expect(location).not.toContain('/oauth/consent/')
    expect(sent.status === 400 || location.includes('error=invalid_'), `${sent.status} ${location}`).toBe(
      true,
    )
    const posted = await fetch(new URL('/oauth/authorize', origin), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: url.search.slice(1),
      redirect: 'manual',
    })
    expect(posted.status).toBeLessThan(500)
  })

  it.each(['grant_type', 'client_id', 'code', 'code_verifier', 'refresh_token', 'resource'])(
    'is refused in %s of a token request',
    async (name) => {
      const form = {
        grant_type: 'authorization_code',
        client_id: 'a',
        code: 'b',
        code_verifier: 'c',
        [name]: '\0',
      }
      const response = await fetch(new URL('/oauth/token', origin), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      })
      expect([400, 401]).toContain(response.status)
    },
  )
})
