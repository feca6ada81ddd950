// OAuth for agents: the discovery documents, the endpoints of the authorization server (oauth/authorization-server.ts), and the page on
// which a user approves a connector (consent.ts). All of this exists only if PUBLIC_URL is set, to https or to this machine.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import { oauthOrigin } from '../../infrastructure/config.ts'
import type { Network } from '../../infrastructure/net.ts'
import { type AddressLimit, addressAndHost } from '../../money/accounts.ts'
import { errorPage, mcpResourceUrl, PATHS, SCOPES, STYLE } from '../../money/oauth.ts'
import type { BrowserSessionDeps } from '../http/browser-session.ts'
import { serveConsent } from './consent.ts'
import { prepare, refuseLarge, refuseTooMany } from './oauth-answers.ts'

export type OauthDeps = BrowserSessionDeps & {
  readonly log: Logger
  /** Fetches documents of clients. */
  readonly network: Network
}

export interface OauthParts {
  readonly deps: OauthDeps
  /** Returns the source address of a request, for the limit on failed keys. */
  readonly addressOf: (request: IncomingMessage) => string
}

/** The URL of the metadata about getting a token, for the 401 of POST /mcp. undefined: OAuth is off. */
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
  const origin = oauthOrigin(deps.config)
  if (origin === undefined) return
  const publicUrl: string = origin
  const issuer = deps.config.oauthIssuer?.issuer
  const description = {
    resource: mcpResourceUrl(publicUrl),
    authorization_servers: [issuer ?? publicUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Lotline',
    resource_documentation: `${publicUrl}/docs/agents`,
  }
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    server.get(path, async (_request, reply) => reply.type('application/json').send(description))
  // Another server authorizes clients, so the endpoints below do not exist.
  if (issuer !== undefined) return

  server.removeAllContentTypeParsers()
  // The code behind each route reads the body, within its own bounds.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))

  // Loaded with the first request, because most processes never get one.
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
    // First, so that an address over its document limit causes no DNS lookups.
    if (documents.waitOf(address) !== undefined) return false
    if (documentsOfHost.take(addressAndHost(address, host)) !== undefined) return false
    return documents.take(address) === undefined
  }

  /** Passes the request to oidc-provider, which sends the response. */
  async function pass(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const refused = refuseLarge(request, reply)
    if (refused) return refused
    const provider = await getProvider()
    reply.hijack()
    prepare(request.raw, reply.raw, publicUrl)
    await provider.callback()(request.raw, reply.raw)
  }

  /** Passes on a request that counts against a limit of its address. */
  function limited(limit: AddressLimit) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const waitMs = request.method === 'OPTIONS' ? undefined : limit.take(addressOf(request.raw))
      return waitMs === undefined ? pass(request, reply) : refuseTooMany(request, reply, waitMs)
    }
  }

  /** Invalid codes, tokens, and clients are counted by address. An address with too many is refused without a query. */
  async function passToken(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { guesses } = deps.visitorLimits
    const address = addressOf(request.raw)
    if (request.method === 'OPTIONS') return pass(request, reply)
    // Counted before the work, so that concurrent guesses are all counted.
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
    // It returns 200 for any token.
    [PATHS.revocation]: limited(authorizations),
    [PATHS.jwks]: pass,
  }
  for (const [url, handler] of Object.entries(handlers))
    server.route({ method: ['GET', 'POST', 'OPTIONS'], url, handler, exposeHeadRoute: false })
  server.post(PATHS.registration, limited(registrations))

  server.get('/oauth/page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  serveConsent(server, { deps, addressOf, publicUrl, getProvider, pageRequests })
}

/** oidc-provider prints a notice on the console if Node is not an LTS release. The log must contain only JSON lines. */
async function withoutNotices<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = () => {}
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}
