// The page on which a user approves a connector.

import { operationIds } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { createSignInLink, startSession } from '../../../src/money/accounts/portal-sessions.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import {
  authorizationUrl,
  callTool as callToolAt,
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

const callTool = (token: string | undefined, name?: string, args?: object) =>
  callToolAt(origin, token, name, args)

describe('the consent page', () => {
  it('cannot be framed or cached, shows the client name as text, and accepts only its own form', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin, { client_name: '<img src=x onerror=alert(1)>' })
    const visitor = new OauthBrowser()
    const { url, response } = await visitor.open(authorizationUrl(origin, clientId, createPkce()), key)
    const html = await response!.text()
    expect(html).toContain('Connect &lt;img src=x onerror=alert(1)&gt;')
    expect(response!.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response!.headers.get('cache-control')).toBe('no-store')
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      const sent = await visitor.submit(url, { decision: 'allow' }, headers)
      expect(sent.response?.status).toBe(403)
    }
    // The form of a browser that did not begin this request.
    const stranger = await new OauthBrowser().submit(url, { decision: 'allow' })
    expect(stranger.response?.status).toBe(400)
    expect((await server.get('/v1/keys', { key })).json.data).toHaveLength(1)
  })

  it('shows what is requested, and a limit of 500 credits a month, which applies unless the user changes it', async () => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const open = async (changes: object) => {
      const visitor = new OauthBrowser()
      const pkce = createPkce()
      const { url, response } = await visitor.open(authorizationUrl(origin, clientId, pkce, changes), key)
      return { visitor, pkce, url, html: await response!.text() }
    }
    const reading = await open({ scope: 'read' })
    expect(reading.html).toContain('name="access" value="read" checked')
    expect(reading.html).not.toContain('name="access" value="all"')
    const { visitor, pkce, url, html } = await open({ scope: 'read jobs watches' })
    expect(html).toContain('name="access" value="all" checked')
    const [, credits] = /name="credits" [^>]*value="([^"]*)"/.exec(html)!
    expect(credits).toBe('500')
    const done = await visitor.submit(url, { access: 'all', credits: credits!, decision: 'allow' })
    const { body } = await tokenRequest(origin, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code: done.url.searchParams.get('code')!,
      code_verifier: pkce.verifier,
    })
    const { account } = (await callTool(body.access_token)).result
    expect(account).toMatchObject({ key: { limit: { credits: 500, per: 'month' } } })
  })

  it.each([
    ['jobs', ['start jobs, and abort its own']],
    ['watches', ['create watches, and change and delete its own']],
    ['read watches', ['only read: ', 'also create watches, and change and delete its own']],
  ])('offers exactly the requested scopes %s, and grants no more', async (scope, texts) => {
    const { key } = await server.openAccount()
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const pkce = createPkce()
    const page = await visitor.open(authorizationUrl(origin, clientId, pkce, { scope }), key)
    const html = await page.response!.text()
    const labels = [...html.matchAll(/type="radio"[^>]*> ([^<]*)/g)].map(([, text]) => text)
    expect(labels).toEqual(texts.map((text) => expect.stringMatching(`^${text}`)))
    for (const other of ['jobs', 'watches'])
      if (!scope.includes(other)) expect(labels.at(-1)).not.toContain(other)
    if (!scope.includes('read')) {
      const { response } = await visitor.submit(page.url, { access: 'read', decision: 'allow' })
      expect([response!.status, await response!.text()]).toEqual([
        400,
        expect.stringContaining('Choose what'),
      ])
    }
    const { url } = await visitor.submit(page.url, { access: 'all', decision: 'allow' })
    const { body } = await tokenRequest(origin, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code: url.searchParams.get('code')!,
      code_verifier: pkce.verifier,
    })
    expect(body.scope).toBe(scope)
  })

  it('refuses a key with fewer rights than the connector would get, and lets the user switch accounts', async () => {
    const { key, accountId } = await server.openAccount({ email: 'someone@example.com' })
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
    const visitor = new OauthBrowser()
    let { url } = await visitor.go(authorizationUrl(origin, clientId, createPkce()))
    for (const weak of [limited.json.data.key, ends.json.data.key, noKeys.key, denied.key]) {
      expect(url.pathname).toBe('/portal')
      const page = await visitor.submit(new URL('/portal/session', url), { key: weak })
      const html = await page.response!.text()
      expect(html).toContain(
        `<strong>${weak === denied.key ? denied.accountId : 'someone@example.com'}</strong>`,
      )
      const sent = await visitor.submit(page.url, { access: 'all', decision: 'allow' })
      expect(sent.response?.status).toBe(400)
      expect(await sent.response?.text()).toContain('role="alert"')
      url = (await visitor.submit(page.url, { decision: 'switch' })).url
    }
    // The request is still open.
    const page = await visitor.submit(new URL('/portal/session', url), { key })
    const done = await visitor.submit(page.url, { access: 'all', decision: 'allow' })
    expect(done.url.searchParams.get('code')).toBeTruthy()
  })

  it('leads to the sign-in of the portal and back, with a key or a link, even if the session ends meanwhile', async () => {
    const { key, accountId } = await server.openAccount()
    const clientId = await registerClient(origin)
    const visitor = new OauthBrowser()
    const asked = await visitor.go(authorizationUrl(origin, clientId, createPkce()))
    expect(asked.url.href).toBe(`${origin}/portal`)
    expect(await asked.response!.text()).toContain('API key')
    const { token } = await createSignInLink(testDatabase.database, accountId)
    const page = await visitor.submit(new URL(`/portal/link/${token}`, origin), {})
    expect(page.url.pathname).toMatch(/^\/oauth\/consent\//)
    expect(await page.response!.text()).toContain(`signed in as <strong>${accountId}</strong>`)
    await testDatabase.database.query('delete from browser_sessions')
    const again = await visitor.submit(page.url, { access: 'all', decision: 'allow' })
    expect(again.url.pathname).toBe('/portal')
    const back = await visitor.submit(new URL('/portal/session', origin), { key })
    expect(back.url.pathname).toBe(page.url.pathname)
    // A page that was made for someone else's session approves nothing.
    const other = await server.openAccount()
    visitor.keep('lotline_session', (await startSession(testDatabase.database, other.keyId)).id)
    const stale = await visitor.submit(page.url, { access: 'all', decision: 'allow' })
    expect(stale.response?.status).toBe(400)
    expect(await stale.response?.text()).toContain(`signed in as <strong>${other.accountId}</strong>`)
    const done = await visitor.submit(page.url, { access: 'all', decision: 'allow' })
    expect(done.url.searchParams.get('code')).toBeTruthy()
    const { rows } = await testDatabase.database.query(
      'select account_id from api_keys where oauth_grant is not null and account_id = any ($1)',
      [[accountId, other.accountId]],
    )
    expect(rows).toEqual([{ account_id: other.accountId }])
    // The next sign-in leads to the portal.
    const later = await visitor.submit(new URL('/portal/session', origin), { key })
    expect(later.url.pathname).toBe('/portal')
  })
})
