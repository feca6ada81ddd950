// biome-ignore-all lint/nursery/noMisusedPromises: Fastify waits for its plugins, which the linter does not know.
// The HTTP server: the API (calls.ts), and the routes without a key (public-routes.ts). The engine (engine/engine.ts) processes a call;
// http-limits.ts refuses requests that the HTTP parser rejects.

import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../infrastructure/config.ts'
import type { Observer } from '../infrastructure/platform.ts'
import {
  createEngine,
  type EngineDeps,
  refusalResponse,
  refuseUnknownPath,
  toErrorRefusal,
} from '../requests/engine.ts'
import { createOperations, type OperationsDeps } from '../requests/operations.ts'
import { answerUnknownPaths, type CallsDeps, createAnswerAs } from './api/calls.ts'
import { bindOperations } from './api/operation-routes.ts'
import { answerClientError, type HttpLimits, httpLimits } from './http/http-limits.ts'
import { type PublicRoutesDeps, servePublicRoutes } from './http/public-routes.ts'
import { refuseHead } from './http/request-head.ts'
import { send } from './http/send.ts'
import { type ServerOptionsDeps, serverOptions } from './http/server-options.ts'
import { sourceAddressReader } from './http/source-address.ts'
import { EXPOSED_HEADERS, METHODS, STANDARD_HEADERS } from './http/standard-headers.ts'
import { watchRequests } from './http/watch-requests.ts'
import { answerBrowser } from './manual/pages.ts'
import { type McpDeps, serveMcp } from './mcp/mcp.ts'
import { type OauthDeps, serveOauth } from './oauth/oauth.ts'
import { type PaymentEventsDeps, servePaymentEvents } from './portal/payment-events.ts'
import { type PortalDeps, servePortal } from './portal/portal.ts'
import { type SubscriptionPagesDeps, serveSubscriptionPages } from './portal/subscription-pages.ts'

export type ServerDeps = EngineDeps &
  OperationsDeps &
  CallsDeps &
  McpDeps &
  SubscriptionPagesDeps &
  OauthDeps &
  PaymentEventsDeps &
  PortalDeps &
  PublicRoutesDeps &
  ServerOptionsDeps & {
    readonly config: Pick<Config, 'corsOrigins' | 'portal' | 'trustedProxies'>
    readonly observer: Observer
  }

/** Builds the server without listening. */
export async function createServer(
  deps: ServerDeps,
  limits: HttpLimits = httpLimits,
): Promise<FastifyInstance> {
  const operations = createOperations(deps)
  const engine = createEngine(deps, operations)
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    send(reply, refusalResponse(toErrorRefusal(error, deps.log, request.id), request.id))
  const server = Fastify({
    ...serverOptions(deps, limits),
    rewriteUrl: (request) => readTarget(request.url!),
    clientErrorHandler(error, socket) {
      deps.observer.unreadableRequest()
      answerClientError(error, socket)
    },
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply)
    },
  })
  server.decorateRequest('call', undefined)
  watchRequests(server, deps.observer)
  // Expectations other than 100-continue are ignored (RFC 9110, section 10.1.1), because Node's own 417 has no body.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )

  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.headers(STANDARD_HEADERS)
    done()
  })
  await server.register(cors, {
    origin: deps.config.corsOrigins === '*' ? '*' : [...deps.config.corsOrigins],
    methods: METHODS,
    exposedHeaders: EXPOSED_HEADERS,
    strictPreflight: false,
    maxAge: 86_400,
  })
  server.addHook('onRequest', (request, reply, done) => {
    const refusal = refuseHead(request)
    if (refusal) send(reply, refusalResponse(refusal, request.id))
    else done()
  })
  await server.register(servePublicRoutes, { deps })
  await server.register(servePaymentEvents, { deps })
  if (deps.config.portal) await server.register(servePortal, { deps, engine })
  await server.register(serveSubscriptionPages, { deps })
  const addressOf = sourceAddressReader(deps.config.trustedProxies)
  await server.register(serveOauth, { deps, addressOf })
  await server.register(serveMcp, { deps, engine, addressOf })

  const answerAs = createAnswerAs(engine, deps)
  server.setErrorHandler(answerError)
  // Its routes have the hooks above, and none of those below, which are for unknown paths.
  await bindOperations(server, operations, answerAs)
  answerUnknownPaths(server, answerAs)
  // Runs before the body is parsed. A handler for unknown paths would only run after that.
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    if (await answerBrowser(request, reply)) return reply
    return answerUnknown(request, reply)
  })
  server.setNotFoundHandler(answerUnknown)
  return server
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply, refusalResponse(refuseUnknownPath(), request.id))
}

/**
 * The request target for the router and the usage rows: a path with its query. An absolute URL (a proxy's form) loses its origin. A path
 * that cannot be decoded, such as `/v1/properties/%zz`, is used as sent, so that it passes the same checks as any other wrong path.
 */
function readTarget(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const rooted = local.startsWith('/') ? local : `/${local}`
  const pathEnd = rooted.search(/[?#]/)
  const path = pathEnd === -1 ? rooted : rooted.slice(0, pathEnd)
  return path.includes('%') && !isDecodable(path)
    ? path.replaceAll('%', '%25') + rooted.slice(path.length)
    : rooted
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
