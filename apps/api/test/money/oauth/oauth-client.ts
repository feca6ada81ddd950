// A client of the authorization server and its user's browser, step by step.

import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** The redirect URI of test clients. No server listens there. */
export const REDIRECT = 'http://127.0.0.1:9/callback'

/**
 * A port that no process listens on. It is below the ports that the system assigns, so that no other connection or server of the
 * tests takes it before the test listens on it.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer()
    const isFree = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    if (!isFree) continue
    await new Promise((closed) => probe.close(closed))
    return port
  }
  throw new Error('No port is free.')
}

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function authorizationUrl(
  origin: string,
  clientId: string,
  { challenge }: Pkce,
  changes: object = {},
): URL {
  const url = new URL('/oauth/authorize', origin)
  const parameters = {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'read jobs watches',
    resource: `${origin}/mcp`,
    ...changes,
  }
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value)
  return url
}

/** The page or origin that a browser has reached. */
export interface VisitedPage {
  readonly url: URL
  /** undefined: at another origin. */
  readonly response: Response | undefined
}

/** A browser without script: it keeps cookies, and follows redirects within the service. */
export class OauthBrowser {
  readonly #cookies = new Map<string, string>()
  #csrf: string | undefined

  keep(name: string, value: string): void {
    this.#cookies.set(name, value)
  }

  async request(url: URL | string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '') this.#cookies.delete(name!)
      else this.#cookies.set(name!, value!)
    }
    return response
  }

  /** Follows redirects, and pages that open another one by themselves, until there is a page or the browser leaves for another origin. */
  async go(url: URL | string, init: RequestInit = {}): Promise<VisitedPage> {
    const { origin } = new URL(url)
    let at = new URL(url)
    let response = await this.request(at, init)
    for (;;) {
      const html = await response.clone().text()
      this.#csrf = /name="csrf" value="([\w-]+)"/.exec(html)?.[1]
      const next =
        response.status >= 300 && response.status < 400
          ? response.headers.get('location')
          : /http-equiv="refresh" content="0;url=([^"]+)"/.exec(html)?.[1]
      if (!next) return { url: at, response }
      at = new URL(next, at)
      if (at.origin !== origin) return { url: at, response: undefined }
      response = await this.request(at)
    }
  }

  /** Opens a page for which the user has to sign in, and signs in with a key. */
  async open(url: URL | string, key: string): Promise<VisitedPage> {
    const asked = await this.go(url)
    if (asked.url.pathname !== '/portal') return asked
    return this.submit(new URL('/portal/session', asked.url), { key })
  }

  /** Sends the form of a page, with the token of the session that the page was made for. */
  submit(
    page: URL,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<VisitedPage> {
    const token = this.#csrf === undefined ? {} : { csrf: this.#csrf }
    return this.go(page, {
      method: 'POST',
      headers: { origin: page.origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ ...token, ...form }).toString(),
    })
  }
}

/** The user signs in with a key and allows what is asked. Returns where the browser is sent. */
export async function approve(url: URL, key: string, form: Record<string, string> = {}): Promise<URL> {
  const visitor = new OauthBrowser()
  const page = await visitor.open(url, key)
  if (page.response?.status !== 200) throw new Error(`no page: ${page.url} ${await page.response?.text()}`)
  const sent = { access: 'all', credits: '500', decision: 'allow', ...form }
  const done = await visitor.submit(page.url, sent)
  if (done.response) throw new Error(`not approved: ${done.response.status} ${await done.response.text()}`)
  return done.url
}

export async function registerClient(origin: string, changes: object = {}): Promise<string> {
  const response = await fetch(new URL('/oauth/register', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test agent', redirect_uris: [REDIRECT], ...changes }),
  })
  if (response.status !== 201) throw new Error(`not registered: ${response.status} ${await response.text()}`)
  return (await response.json()).client_id
}

export async function tokenRequest(origin: string, form: Record<string, string>) {
  const response = await fetch(new URL('/oauth/token', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  return { status: response.status, body: await response.json() }
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly expires_in: number
}

/** A whole authorization: registered, approved, and exchanged. */
export async function connect(
  origin: string,
  key: string,
  form: Record<string, string> = {},
  changes: object = {},
) {
  const clientId = await registerClient(origin)
  const pkce = createPkce()
  const back = await approve(authorizationUrl(origin, clientId, pkce, changes), key, form)
  const exchange = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code: back.searchParams.get('code') ?? '',
    code_verifier: pkce.verifier,
  }
  const { status, body } = await tokenRequest(origin, exchange)
  if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)} ${back}`)
  return { clientId, exchange, tokens: body as Tokens }
}

/** A call of a tool with a token, as a client sends it. */
export async function callTool(
  origin: string,
  token: string | undefined,
  name = 'get_account',
  args: object = {},
) {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await response.text()
  const json = JSON.parse(text.startsWith('{') ? text : /^data: (.+)$/m.exec(text)![1]!)
  return { status: response.status, headers: response.headers, json, result: json.result?.structuredContent }
}
