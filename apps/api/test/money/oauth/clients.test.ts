// Clients with metadata documents, over a simulated network; the page in a real browser; and a service without PUBLIC_URL.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Network } from '../../../src/infrastructure/net/dial.ts'
import { createGuardedFetch } from '../../../src/money/oauth/guarded-fetch.ts'
import { findFaults } from '../../interfaces/manual/axe.ts'
import { LOOKS, withBrowser } from '../../interfaces/manual/open-browser.ts'
import { makeAuthority, makeCertificate } from '../../setup/certificate.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import {
  approve,
  authorizationUrl,
  createPkce,
  freePort,
  OauthBrowser,
  REDIRECT,
  registerClient,
  tokenRequest,
} from './oauth-client.ts'

const HOST = 'agent.example.com'
const CLIENT = `https://${HOST}/client.json`
/** The addresses of host names. */
const ADDRESSES: Record<string, string> = { [HOST]: '93.184.216.34', 'inward.example.com': '10.0.0.5' }
const document = { client_id: CLIENT, client_name: 'Example agent', redirect_uris: [REDIRECT] }
/** The responses of the client's host, by path. */
const answers: Record<
  string,
  (respond: (status: number, headers: object, body: string | Buffer) => void, url: string) => void
> = {
  '/client.json': (respond, url) => respond(200, {}, documentOf(url)),
  '/deceiving.json': (respond, url) =>
    respond(200, {}, documentOf(url, { client_name: 'Bank\u202egnp', client_uri: 'https://example.com/' })),
  '/intent.json': (respond, url) =>
    respond(200, {}, documentOf(url, { redirect_uris: [REDIRECT, 'intent://x'] })),
  '/other.json': (respond) => respond(200, {}, JSON.stringify(document)),
  '/away.json': (respond) => respond(302, { location: CLIENT }, ''),
  '/large.json': (respond) => respond(200, {}, JSON.stringify({ ...document, padding: 'x'.repeat(100_000) })),
  '/silent.json': () => {},
  '/page.json': (respond) => respond(200, {}, '<html>'),
  '/list.json': (respond) => respond(200, {}, '[]'),
  '/aimless.json': (respond) =>
    respond(200, {}, JSON.stringify({ client_id: `https://${HOST}/aimless.json?again` })),
  '/draft.json': (respond) => respond(200, {}, `draft ${++drafts}`),
  '/missing.json': (respond) => respond(404, {}, ''),
  '/packed.json': (respond) =>
    respond(200, { 'content-encoding': 'gzip' }, gzipSync(documentOf('/packed.json'))),
  // Ten megabytes.
  '/bomb.json': (respond) => respond(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(10_000_000))),
  '/later.json': (respond) => held.push(() => respond(404, {}, '')),
}
let drafts = 0
const documentOf = (path: string, changes: object = {}) =>
  JSON.stringify({ ...document, client_id: `https://${HOST}${path}`, ...changes })
/** Answers that the host of the client gives when a test says so. */
const held: (() => void)[] = []
const dialled: string[] = []
/** The Accept-Encoding of each fetch. */
const encodings: (string | undefined)[] = []
let documentsPort = 0

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const authority = await makeAuthority()
const testDatabase = withTestDatabase()
const network: Network = {
  allowPrivateNetworks: false,
  ca: authority.cert,
  resolve: async (host) => [ADDRESSES[host] ?? []].flat(),
  connect(address) {
    dialled.push(address)
    return connectTcp(documentsPort, '127.0.0.1')
  },
}
const server = withTestServer(testDatabase, { port, env: { PUBLIC_URL: origin }, parts: { network } })

beforeAll(async () => {
  const { cert, key } = await makeCertificate({ host: HOST, issuer: authority })
  const documents = createHttps({ cert, key }, ({ url, headers }, response) => {
    encodings.push(headers['accept-encoding'])
    answers[url!.replace(/\?.*/, '')]?.((status, more, body) => {
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body)
    }, url!)
  }).listen(0, '127.0.0.1')
  await once(documents, 'listening')
  documentsPort = (documents.address() as AddressInfo).port
  return () => {
    documents.close()
    documents.closeAllConnections()
  }
})

describe('a client whose id is the URL of its metadata document', () => {
  it('is shown by its host name, and gets tokens without registration', async () => {
    const { key } = await server.openAccount()
    const pkce = createPkce()
    // oidc-provider waits 2.5 seconds for a document. On a machine that is busy, one may come too late: then another one is named.
    let client = CLIENT
    let opened = await new OauthBrowser().open(authorizationUrl(origin, client, pkce), key)
    for (let times = 1; times < 10 && opened.response?.status !== 200; times++) {
      client = `${CLIENT}?${times}`
      dialled.length = 0
      opened = await new OauthBrowser().open(authorizationUrl(origin, client, pkce), key)
    }
    const url = authorizationUrl(origin, client, pkce)
    const page = await opened.response!.text()
    expect(page).toContain('Connect Example agent')
    expect(page).toContain(`<strong>${HOST}</strong>`)
    const back = await approve(url, key)
    const { status } = await tokenRequest(origin, {
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: REDIRECT,
      code: back.searchParams.get('code')!,
      code_verifier: pkce.verifier,
    })
    expect(status).toBe(200)
    expect(dialled).toEqual([ADDRESSES[HOST]])
  })

  it.each([
    ['a private address', 'https://10.0.0.5/client.json'],
    ['this machine', `https://127.0.0.1:${port}/client.json`],
    ['a name that leads to a private address', 'https://inward.example.com/client.json'],
    ['the addresses of a cloud', 'https://169.254.169.254/latest/meta-data/'],
    ['plain http', `http://${HOST}/client.json`],
    ['a port of another service', `https://${HOST}:5432/client.json`],
  ])('is refused at %s without a network connection', async (_, client) => {
    dialled.length = 0
    const { response } = await new OauthBrowser().go(authorizationUrl(origin, client, createPkce()))
    expect(response?.status).toBe(400)
    expect(dialled).toEqual([])
  })

  it.each<[string, string]>([
    ['names another one', '/other.json'],
    ['redirects', '/away.json'],
    ['is too large', '/large.json'],
    ['has a name that changes the direction of the page', '/deceiving.json'],
    ['names an address with a scheme that anyone can have', '/intent.json'],
    ['is compressed', '/packed.json'],
    ['is compressed and large', '/bomb.json'],
    // It takes five seconds.
    ...(process.env.LOTLINE_FULL === '1' ? [['never comes', '/silent.json'] as [string, string]] : []),
  ])('is refused if its document %s', async (_, path) => {
    const { response } = await new OauthBrowser().go(
      authorizationUrl(origin, `https://${HOST}${path}`, createPkce()),
    )
    expect(response?.status).toBe(400)
  })
})

describe('metadata documents are fetched', () => {
  const clock = { now: 1 }
  const statusOf = async (path: string) => {
    const url = authorizationUrl(origin, `https://${HOST}${path}`, createPkce())
    return (await new OauthBrowser().go(url)).response?.status
  }

  it('at most once per minute, even if they are invalid', async () => {
    encodings.length = 0
    // Not there; no JSON; no object; of another client; without an address to go back to.
    for (const path of ['/missing.json', '/page.json', '/list.json', '/other.json', '/aimless.json']) {
      dialled.length = 0
      for (let times = 0; times < 3; times++)
        expect([path, await statusOf(`${path}?again`)]).toEqual([path, 400])
      expect([path, dialled.length]).toEqual([path, 1])
    }
    expect(new Set(encodings)).toEqual(new Set(['identity']))
  })

  it('again after a minute, so that the author can fix them', async () => {
    const get = createGuardedFetch(network, { now: () => clock.now })
    const textOf = async () =>
      // Longer than a fetch has in use: a late one would count as failed.
      (await get(`https://${HOST}/draft.json`, { signal: AbortSignal.timeout(60_000) })).text()
    dialled.length = 0
    expect(await textOf()).toBe('draft 1')
    clock.now += 59_999
    expect(await textOf()).toBe('draft 1')
    expect(dialled).toHaveLength(1)
    clock.now += 2
    expect(await textOf()).toBe('draft 2')
    expect(dialled).toHaveLength(2)
  })

  it('at most 20 times per minute from one host and 60 times from one IP address, unless a user has approved them', async () => {
    const connected: string[] = []
    const get = createGuardedFetch(
      {
        allowPrivateNetworks: false,
        resolve: async () => ['93.184.216.34'],
        connect(address) {
          connected.push(address)
          throw new Error('Nothing listens there.')
        },
      },
      { now: () => clock.now, isAccepted: async (url) => url.endsWith('/accepted.json') },
    )
    const fetchAll = async (host: string, count: number, from = 0) => {
      for (let at = from; at < from + count; at++)
        await expect(get(`https://${host}.example.com/${at}`)).rejects.toThrow()
    }
    await fetchAll('a', 30)
    expect(connected).toHaveLength(20)
    for (const host of ['b', 'c', 'd', 'e']) await fetchAll(host, 20)
    expect(connected).toHaveLength(60)
    await expect(get('https://a.example.com/accepted.json')).rejects.toThrow('Nothing listens')
    expect(connected).toHaveLength(61)
    clock.now += 3_000
    await fetchAll('a', 2, 30)
    expect(connected).toHaveLength(62)
    clock.now += 60_000
    await fetchAll('a', 30, 40)
    expect(connected).toHaveLength(82)
  })

  it('at most eight at once', async () => {
    const get = createGuardedFetch({ ...network, resolve: () => new Promise(() => {}) })
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const fetchOf = (host: string) => get(`https://${host}.example.com/`, { signal: ending.signal })
    for (const host of ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']) fetchOf(host).catch(() => {})
    await expect(fetchOf('e')).rejects.toThrow('Too many documents')
  })

  it('at most two at once from one host, and others are refused until these are done', async () => {
    const get = createGuardedFetch(network)
    // Longer than a fetch has in use, as both must be open at once.
    const fetchOf = (path: string) => get(`https://${HOST}${path}`, { signal: AbortSignal.timeout(60_000) })
    const waiting = Array.from({ length: 2 }, (_, at) => fetchOf(`/later.json?${at}`))
    await expect.poll(() => held.length, { timeout: 20_000, interval: 5 }).toBe(2)
    await expect(fetchOf('/client.json')).rejects.toThrow('Too many documents')
    for (const answer of held) answer()
    await Promise.all(waiting)
    expect((await fetchOf('/client.json')).status).toBe(200)
  })
})

describe('a service without PUBLIC_URL, or with one whose connections are open to all', () => {
  it.each([undefined, 'http://api.example.com'])('has no OAuth: %s', async (publicUrl) => {
    const other = await startTestServer(testDatabase, {
      ...(publicUrl !== undefined && { env: { PUBLIC_URL: publicUrl } }),
    })
    onTestFinished(() => other.close())
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/oauth/authorize', '/oauth/register'])
      expect((await fetch(other.url + path)).status).toBe(404)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }
    const response = await fetch(`${other.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    })
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="lotline"')
  })
})

describe('in a browser', () => {
  const browser = withBrowser('a user can approve a connector in a browser')

  it('a user signs in, approves, and returns to the application, whose token works until it is revoked', async () => {
    const { key } = await server.openAccount({ credits: 100, email: 'someone@example.com' })
    // Another site than the service, as that of a real application is.
    let start = ''
    const application = createServer(({ url }, response) => {
      const link = `<!doctype html><html lang="en"><title>App</title><a href="${start}">Connect</a></html>`
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(url === '/' ? link : 'You can close this page.')
    })
    application.listen(0, '127.0.0.1')
    await once(application, 'listening')
    onTestFinished(() => {
      application.close()
      application.closeAllConnections()
    })
    const home = `http://localhost:${(application.address() as AddressInfo).port}/`
    const redirect = `${home}done`
    const clientId = await registerClient(origin, { redirect_uris: [redirect] })
    const pkce = createPkce()
    start = authorizationUrl(origin, clientId, pkce, { redirect_uri: redirect }).href.replaceAll('&', '&amp;')
    const { page, asked, complaints } = await browser.open(LOOKS[2]!)
    await page.goto(home)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByLabel('API key').fill(`${key}x`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This key does not work').waitFor()
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You are signed in as someone@example.com').waitFor()
    // With the session, a further request leads to the page at once.
    await page.goto(home)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByText('You are signed in as someone@example.com').waitFor()
    expect(await page.title()).toContain('Connect an application')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    for (const { colorScheme } of LOOKS.slice(2)) {
      await page.emulateMedia({ colorScheme })
      expect(await findFaults(page)).toEqual([])
    }
    await page.getByLabel('Credits').fill('25')
    await page.getByLabel('only read').check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('You can close this page.').waitFor()
    const code = new URL(page.url()).searchParams.get('code')
    expect(new URL(page.url()).origin).toBe(new URL(redirect).origin)
    // The refused key was answered with 401, which the console reports.
    expect(complaints.filter((line) => !line.includes('401'))).toEqual([])
    const hosts = new Set(asked().map((url) => new URL(url).origin))
    expect([...hosts].sort()).toEqual([origin, new URL(redirect).origin].sort())

    const { status, body } = await tokenRequest(origin, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirect,
      code: code!,
      code_verifier: pkce.verifier,
    })
    expect(status).toBe(200)
    const me = await server.get('/v1/me', { key: body.access_token })
    expect(me.json.data.key.limit).toEqual({ credits: 25, per: 'month' })
    const { json } = await server.get('/v1/keys', { key })
    const { id } = json.data.find(({ name }: { name: string }) => name === 'Test agent')
    await server.send('DELETE', `/v1/keys/${id}`, { key })
    expect((await server.get('/v1/me', { key: body.access_token })).status).toBe(401)
  })
})
