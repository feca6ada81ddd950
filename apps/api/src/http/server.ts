// The HTTP server: the API (calls.ts), and what is served beside it without a key (beside-v1.ts). What happens to a call
// is in engine/engine.ts; what the parser itself refuses is in http-limits.ts.

import cors from '@fastify/cors'
import { openapi, operations } from '@lotline/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { House } from '../app.ts'
import { createEngine } from '../engine/engine.ts'
import { refusalOfError } from '../engine/error-refusal.ts'
import { refusalResponse } from '../engine/response.ts'
import { refuseUnknownPath } from '../engine/routes.ts'
import { answerBrowser } from '../manual/pages.ts'
import { createOperations } from '../operations/index.ts'
import { serveBesideV1 } from './beside-v1.ts'
import { addRoutes, answerCalls, send } from './calls.ts'
import { answerClientError, type HttpLimits, httpLimits, refuseHead } from './http-limits.ts'
import { readTarget } from './request-target.ts'
import { serverOptions } from './server-options.ts'
import { watchRequests } from './watch-requests.ts'

const EXPOSED_HEADERS = [...Object.keys(openapi.components.headers!), 'Allow']
const METHODS = [...new Set(Object.values(operations).map((operation) => operation.method))]

/** Builds the server; it does not listen yet. */
export async function createServer(house: House, limits: HttpLimits = httpLimits): Promise<FastifyInstance> {
  const engine = createEngine(house, createOperations(house))
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    send(reply, refusalResponse(refusalOfError(error, house.log, request.id), request.id))
  const app = Fastify({
    ...serverOptions(house, limits),
    rewriteUrl: (request) => readTarget(request.url!),
    clientErrorHandler(error, socket) {
      house.observer.unreadableRequest()
      answerClientError(error, socket)
    },
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply)
    },
  })
  app.decorateRequest('call', undefined)
  watchRequests(app, house.observer)
  // Expectations other than 100-continue are ignored (RFC 9110, section 10.1.1): Node's own 417 has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
    done()
  })
  await app.register(cors, {
    origin: house.config.corsOrigins === '*' ? '*' : [...house.config.corsOrigins],
    methods: METHODS,
    exposedHeaders: EXPOSED_HEADERS,
    strictPreflight: false,
    maxAge: 86_400,
  })
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = refuseHead(request)
    if (refusal) send(reply, refusalResponse(refusal, request.id))
    else done()
  })
  await app.register(serveBesideV1, { house })

  answerCalls(app, engine, house)
  addRoutes(app)
  // Before a body is looked at, which a handler for unknown paths would only see afterwards.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    if (await answerBrowser(request, reply)) return reply
    return answerUnknown(request, reply)
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerUnknown)
  return app
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply, refusalResponse(refuseUnknownPath(), request.id))
}
