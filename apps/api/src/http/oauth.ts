// OAuth for agents: the documents that lead a client to the authorization server, its endpoints (oauth/authorization-server.ts), and
// the page on which a user approves a connector. All of this exists only where PUBLIC_URL is set, to https or to this machine.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { InteractionResults, Provider } from 'oidc-provider'
import type { AddressLimit } from '../accounts/failed-keys.ts'
import type { App } from '../app.ts'
import { authenticate, refuseSuspended } from '../engine/authenticate.ts'
import { createConnector } from '../oauth/connectors.ts'
import {
  consentPage,
  DEFAULT_CREDIT_LIMIT,
  errorPage,
  MAX_CREDIT_LIMIT,
  STYLE,
} from '../oauth/consent-page.ts'
import { digestOf } from '../oauth/records.ts'
import { operationsOf, PATHS, resourceOf, SCOPES, type Scope, scopesIn } from '../oauth/rights.ts'
import { isRefusal, type Refusal } from '../platform/refusal.ts'
import { createBrowserSessions } from './browser-session.ts'
import { RequestBody } from './calls.ts'
import {
  pageHeaders,
  refuseLarge,
  refuseTooMany,
  sendExpired,
  sendHtml,
  sendWithoutClient,
} from './oauth-answers.ts'

export interface OauthParts {
  readonly app: App
  /** The address that a request comes from, for the limit on failed keys. */
  readonly addressOf: (request: IncomingMessage) => string
}

/** Of a form that a browser sends, in bytes. */
const MAX_FORM_BYTES = 16 * 1024

/** What the approval of a client is about, as oidc-provider keeps it. */
interface Step {
  readonly uid: string
  readonly params: Readonly<Record<string, unknown>>
}

type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

/** The key that approves, and whose it is. */
interface Approver {
  readonly accountId: string
  readonly keyId: string
}

/** The origin of the authorization server. undefined: OAuth is off, because PUBLIC_URL is not set or its connections are open to all. */
export function oauthOriginOf({ publicUrl }: App['config']): string | undefined {
  if (publicUrl === undefined) return undefined
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  return protocol === 'https:' || isLocal ? publicUrl : undefined
}

/** Where a client finds out how to get a token: for the answer 401 of POST /mcp. undefined: OAuth is off. */
export function challengeOf(publicUrl: string | undefined, hasToken: boolean): string | undefined {
  if (publicUrl === undefined) return undefined
  const parts = [
    'realm="lotline"',
    ...(hasToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${SCOPES.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

export async function serveOauth(server: FastifyInstance, { app, addressOf }: OauthParts): Promise<void> {
  const origin = oauthOriginOf(app.config)
  if (origin === undefined) return
  const publicUrl: string = origin
  const sessions = createBrowserSessions(app)
  server.removeAllContentTypeParsers()
  // Bodies are read by the code that they are for, within its bounds.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))

  // Loaded with the first request, as most processes never have one.
  const onFailure = (error: unknown) => app.log.error({ err: error }, 'the authorization server failed')
  let loading: Promise<Provider> | undefined
  const getProvider = () => {
    loading ??= withoutNotices(() => import('../oauth/authorization-server.ts'))
      .then(({ createAuthorizationServer }) =>
        createAuthorizationServer({ ...app, publicUrl, errorPage, onFailure }),
      )
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }

  const description = {
    resource: resourceOf(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Lotline',
    resource_documentation: `${publicUrl}/docs/agents`,
  }
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    server.get(path, async (_request, reply) => reply.type('application/json').send(description))

  /** Hands the request to oidc-provider, which answers it itself. */
  async function pass(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const refused = refuseLarge(request, reply)
    if (refused) return refused
    const provider = await getProvider()
    reply.hijack()
    prepare(request.raw, reply.raw, publicUrl, "form-action 'self'")
    await provider.callback()(request.raw, reply.raw)
  }

  /** Passes a request on that takes one of the limit of its address. */
  function limited(limit: AddressLimit) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const waitMs = request.method === 'OPTIONS' ? undefined : limit.take(addressOf(request.raw))
      return waitMs === undefined ? pass(request, reply) : refuseTooMany(request, reply, waitMs)
    }
  }

  /** Codes, tokens, and clients that do not work are counted by address. An address that guesses is refused without a query. */
  async function passToken(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { guesses } = app.visitorLimits
    const address = addressOf(request.raw)
    const waitMs = request.method === 'OPTIONS' ? undefined : guesses.waitOf(address)
    if (waitMs !== undefined) return refuseTooMany(request, reply, waitMs)
    const passed = await pass(request, reply)
    const { statusCode } = reply.raw
    if (statusCode >= 400 && statusCode < 500) guesses.take(address)
    return passed
  }

  const { authorizations, registrations } = app.visitorLimits
  const handlers = {
    '/.well-known/oauth-authorization-server': pass,
    '/.well-known/openid-configuration': pass,
    [PATHS.authorization]: limited(authorizations),
    [`${PATHS.authorization}/:uid`]: pass,
    [PATHS.token]: passToken,
    // It answers 200 for any token.
    [PATHS.revocation]: limited(authorizations),
    [PATHS.jwks]: pass,
  }
  for (const [url, handler] of Object.entries(handlers))
    server.route({ method: ['GET', 'POST', 'OPTIONS'], url, handler })
  server.post(PATHS.registration, limited(registrations))

  server.get('/oauth/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))

  server.get('/oauth/consent/:uid', async (request, reply) => {
    const provider = await getProvider()
    const step = await findStep(provider, request, reply)
    return step ? sendPage(provider, step, reply) : sendExpired(reply)
  })

  server.post('/oauth/consent/:uid', async (request, reply) => {
    // A form of another site: its browser says so, and does not send the cookie of this one.
    if (request.headers.origin !== publicUrl) {
      return sendHtml(reply.code(403), errorPage('access_denied', 'The form was sent from another page.'))
    }
    const form = await readForm(request)
    const provider = await getProvider()
    const step = await findStep(provider, request, reply)
    if (!step || !form) return sendExpired(reply)
    if (form.get('decision') !== 'allow') {
      const result = { error: 'access_denied', error_description: 'The user has denied the request.' }
      return finish(provider, request, reply, result)
    }
    const client = await findClient(provider, step)
    if (!client) return sendWithoutClient(reply)
    const approved = await approve(provider, step, client, form, request)
    if (isRefusal(approved)) return sendPage(provider, step, reply, approved)
    return finish(provider, request, reply, approved)
  })

  /** Who signs in: the key of the form, or the portal's session. The cookie comes with the form, which is from this site. */
  async function signIn(request: FastifyRequest, form: URLSearchParams): Promise<Refusal | Approver> {
    const key = form.get('key')?.trim() ?? ''
    const session = key === '' ? await sessions.read(request) : undefined
    if (session && 'refusal' in session) return { ...session.refusal, retryAfterS: session.retryAfterS }
    const credentials = session ?? (key === '' ? undefined : `Bearer ${key}`)
    const identity = await authenticate(app, credentials, addressOf(request.raw))
    if (isRefusal(identity)) return identity
    if ('refusal' in identity) {
      app.observer.guessRefused()
      return { ...identity.refusal, retryAfterS: identity.retryAfterS }
    }
    return refuseSuspended(identity.principal) ?? identity.principal
  }

  /** The result that oidc-provider continues with, or what is wrong with the form. */
  async function approve(
    provider: Provider,
    { params }: Step,
    client: Client,
    form: URLSearchParams,
    request: FastifyRequest,
  ): Promise<InteractionResults | Refusal> {
    const approver = await signIn(request, form)
    if (isRefusal(approver)) return approver
    const { accountId, keyId } = approver
    const asked = scopesIn(params.scope as string | undefined)
    const scopes: readonly Scope[] = form.get('access') === 'all' ? asked : ['read']
    const clientId = String(params.client_id)
    const grant = new provider.Grant({ accountId, clientId })
    const resource = resourceOf(publicUrl)
    grant.addResourceScope(resource, scopes.join(' '))
    // What the user has not granted is not asked for again.
    const others = SCOPES.filter((scope) => !scopes.includes(scope))
    if (others.length > 0) {
      grant.rejectResourceScope(resource, others.join(' '))
      grant.rejectOIDCScope(others.join(' '))
    }
    grant.addOIDCScope([...scopes, 'offline_access'].join(' '))
    const grantId = await grant.save()
    const created = await createConnector(app.database, {
      ...{ accountId, keyId },
      name: nameOf(client),
      clientId,
      grant: digestOf(grantId),
      operations: operationsOf(scopes),
      creditLimit: creditLimitIn(form),
    })
    if (isRefusal(created)) {
      await grant.destroy()
      return created
    }
    return { login: { accountId, remember: false }, consent: { grantId } }
  }

  async function finish(
    provider: Provider,
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
  ) {
    reply.hijack()
    prepare(request.raw, reply.raw, publicUrl, "form-action 'self'")
    await provider.interactionFinished(request.raw, reply.raw, result, { mergeWithLastSubmission: false })
  }

  async function sendPage(provider: Provider, step: Step, reply: FastifyReply, refusal?: Refusal) {
    const { uid, params } = step
    const clientId = String(params.client_id)
    const client = await findClient(provider, step)
    if (!client) return sendWithoutClient(reply)
    const returnsTo = new URL(String(params.redirect_uri))
    // Browsers apply the rule to the redirects behind a form, too: the last one leads to the client.
    const target = /^https?:$/.test(returnsTo.protocol) ? returnsTo.origin : returnsTo.protocol
    const page = consentPage({
      action: `/oauth/consent/${encodeURIComponent(uid)}`,
      clientName: nameOf(client),
      clientHost: clientId.startsWith('https://') ? new URL(clientId).host : undefined,
      returnsTo: /^https?:$/.test(returnsTo.protocol) ? returnsTo.host : returnsTo.protocol,
      scopes: scopesIn(params.scope as string | undefined),
      ...(refusal && { problem: refusal.message }),
    })
    if (refusal?.retryAfterS !== undefined) reply.header('retry-after', String(refusal.retryAfterS))
    const status = refusal === undefined ? 200 : refusal.code === 'rate_limited' ? 429 : 400
    return sendHtml(reply.code(status), page, `form-action 'self' ${target}`)
  }
}

/** oidc-provider greets a Node that is no LTS release on the console, while the log is lines of JSON. */
async function withoutNotices<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = () => {}
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}

/** The request for authorization that the browser's cookie names. undefined: there is none, or it has expired. */
async function findStep(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Step | undefined> {
  try {
    const step = await provider.interactionDetails(request.raw, reply.raw)
    return step.uid === (request.params as { readonly uid: string }).uid ? step : undefined
  } catch (error) {
    if ((error as { readonly name?: string }).name === 'SessionNotFound') return undefined
    throw error
  }
}

/** undefined: its registration has ended, or its document can no longer be fetched. */
async function findClient(provider: Provider, { params }: Step): Promise<Client | undefined> {
  try {
    return await provider.Client.find(String(params.client_id))
  } catch (error) {
    if (/^InvalidClient/.test((error as { readonly name?: string }).name ?? '')) return undefined
    throw error
  }
}

async function readForm(request: FastifyRequest): Promise<URLSearchParams | undefined> {
  const sent = new RequestBody(request.raw)
  if (!/^application\/x-www-form-urlencoded\b/i.test(sent.type ?? '')) return undefined
  const bytes = await sent.read(MAX_FORM_BYTES)
  return bytes && new URLSearchParams(bytes.toString('utf8'))
}

function creditLimitIn(form: URLSearchParams): number {
  const text = form.get('credits') ?? ''
  const credits = /^\d{1,9}$/.test(text) ? Number(text) : DEFAULT_CREDIT_LIMIT
  return Math.min(credits, MAX_CREDIT_LIMIT)
}

/** As the client calls itself, without control characters, or else its id. */
function nameOf({
  clientName,
  clientId,
}: {
  readonly clientName?: string | undefined
  readonly clientId: string
}) {
  const name = clientName?.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  return (name || clientId).slice(0, 100)
}

/**
 * oidc-provider makes its addresses from the headers of the request. They are set to those of PUBLIC_URL, whatever the client or a
 * proxy has sent.
 */
function prepare(
  { headers }: IncomingMessage,
  response: ServerResponse,
  publicUrl: string,
  formAction: string,
): void {
  const { host, protocol } = new URL(publicUrl)
  headers.host = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  delete headers['x-forwarded-host']
  for (const [name, value] of Object.entries(pageHeaders(formAction))) response.setHeader(name, value)
}
