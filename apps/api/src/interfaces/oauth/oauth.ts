// OAuth for agents: the documents that lead a client to the authorization server, its endpoints (oauth/authorization-server.ts), and
// the page on which a user approves a connector (consent.ts). All of this exists only where PUBLIC_URL is set, to https or to this machine.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import { type Config, oauthOriginOf } from '../../infrastructure/config.ts'
import type { Network } from '../../infrastructure/net.ts'
import { type AddressLimit, addressAndHost, type VisitorLimits } from '../../money/accounts.ts'
import { errorPage, PATHS, resourceOf, SCOPES, STYLE } from '../../money/oauth.ts'
import { type ConsentDeps, serveConsent } from './consent.ts'
import { prepare, refuseLarge, refuseTooMany } from './oauth-answers.ts'

export type OauthDeps = ConsentDeps & {
  readonly config: Config
  readonly log: Logger
  /** How documents of clients are fetched. */
  readonly network: Network
  readonly visitorLimits: VisitorLimits
}

export interface OauthParts {
  readonly deps: OauthDeps
  /** The address that a request comes from, for the limit on failed keys. */
  readonly addressOf: (request: IncomingMessage) => string
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

export async function serveOauth(server: FastifyInstance, { deps, addressOf }: OauthParts): Promise<void> {
  const origin = oauthOriginOf(deps.config)
  if (origin === undefined) return
  const publicUrl: string = origin
  const issuer = deps.config.oauthIssuer?.issuer
  const description = {
    resource: resourceOf(publicUrl),
    authorization_servers: [issuer ?? publicUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Lotline',
    resource_documentation: `${publicUrl}/docs/agents`,
  }
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    server.get(path, async (_request, reply) => reply.type('application/json').send(description))
  // Another server authorizes. None of the endpoints below exist.
  if (issuer !== undefined) return

  server.removeAllContentTypeParsers()
  // Bodies are read by the code that they are for, within its bounds.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))

  // Loaded with the first request, as most processes never have one.
  const onFailure = (error: unknown) => deps.log.error({ err: error }, 'the authorization server failed')
  let loading: Promise<Provider> | undefined
  const pageRequests = new AsyncLocalStorage<IncomingMessage>()
  const getProvider = () => {
    loading ??= withoutNotices(() => import('../../money/authorization-server.ts'))
      .then(({ createAuthorizationServer }) =>
        createAuthorizationServer({
          ...deps,
          publicUrl,
          errorPage,
          onFailure,
          mayFetchFor,
          pageRequest: () => pageRequests.getStore(),
        }),
      )
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }

  function mayFetchFor(request: IncomingMessage, host: string): boolean {
    const { documents, documentsOfHost } = deps.visitorLimits
    const address = addressOf(request)
    // First, so that an address without documents makes no names of hosts.
    if (documents.waitOf(address) !== undefined) return false
    if (documentsOfHost.take(addressAndHost(address, host)) !== undefined) return false
    return documents.take(address) === undefined
  }

  /** Hands the request to oidc-provider, which answers it itself. */
  async function pass(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const refused = refuseLarge(request, reply)
    if (refused) return refused
    const provider = await getProvider()
    reply.hijack()
    prepare(request.raw, reply.raw, publicUrl)
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
    const { guesses } = deps.visitorLimits
    const address = addressOf(request.raw)
    if (request.method === 'OPTIONS') return pass(request, reply)
    // Before the work, so that guesses that are sent at once are counted.
    const waitMs = guesses.take(address)
    if (waitMs !== undefined) return refuseTooMany(request, reply, waitMs)
    const passed = await pass(request, reply)
    const { statusCode } = reply.raw
    if (statusCode < 400 || statusCode >= 500) guesses.giveBack(address)
    return passed
  }

  const { authorizations, registrations, pages } = deps.visitorLimits
  const handlers = {
    '/.well-known/oauth-authorization-server': pass,
    '/.well-known/openid-configuration': pass,
    [PATHS.authorization]: limited(authorizations),
    [`${PATHS.authorization}/:uid`]: limited(pages),
    [PATHS.token]: passToken,
    // It answers 200 for any token.
    [PATHS.revocation]: limited(authorizations),
    [PATHS.jwks]: pass,
  }
  for (const [url, handler] of Object.entries(handlers))
    server.route({ method: ['GET', 'POST', 'OPTIONS'], url, handler, exposeHeadRoute: false })
  server.post(PATHS.registration, limited(registrations))

  server.get('/oauth/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  serveConsent(server, { deps, addressOf, publicUrl, getProvider, pageRequests })
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
