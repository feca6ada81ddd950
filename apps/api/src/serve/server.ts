// The contract as an HTTP server. Routes come from the OpenAPI document (fastify-openapi-glue); what happens to a request
// is in request/pipeline.ts; limits and what the parser itself refuses are here and in http-limits.ts.

import cors from '@fastify/cors'
import { type OperationId, openapi, operations } from '@lotline/contract'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import glue from 'fastify-openapi-glue'
import type { Logger } from 'pino'
import type { House } from '../house.ts'
import { createOperations } from '../operations/index.ts'
import { createPipeline } from '../request/pipeline.ts'
import { sendProblem } from '../request/respond.ts'
import { createCompilers } from './compilers.ts'
import './fastify-types.ts'
import { serveBesideV1 } from './beside-v1.ts'
import { answerErrors, answerUnknownRoutes } from './errors.ts'
import { answerClientError, type HttpLimits, httpLimits, refuseHead } from './http-limits.ts'
import { inputContract } from './input-contract.ts'
import { parseJsonBodies } from './json-body.ts'
import { readTarget } from './request-target.ts'
import { serverOptions } from './server-options.ts'
import { watchRequests } from './watch-requests.ts'

const EXPOSED_HEADERS = [...Object.keys(openapi.components.headers!), 'Allow']
const METHODS = [...new Set(Object.values(operations).map((operation) => operation.method))]

/** Builds the server; it does not listen yet. Throws when the contract and the handlers disagree. */
export async function createServer(house: House, limits: HttpLimits = httpLimits): Promise<FastifyInstance> {
  const pipeline = createPipeline(house)
  const app = Fastify({
    ...serverOptions(house, limits),
    rewriteUrl: (request) => readTarget(request.url!),
    clientErrorHandler(error, socket) {
      house.observer.unreadableRequest()
      answerClientError(error, socket)
    },
    frameworkErrors: (error, request, reply) => {
      void answerErrors(pipeline)(error, request, reply)
    },
  })
  app.decorateRequest('call', undefined)
  watchRequests(app, house.observer)
  app.setValidatorCompiler(createCompilers())
  // Answers are checked against the contract in tests; here plain JSON.stringify is faster and changes nothing.
  app.setSerializerCompiler(() => JSON.stringify)
  parseJsonBodies(app)
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
    if (refusal) sendProblem(reply, refusal)
    else done()
  })
  await app.register(serveBesideV1, { house })

  const answerUnknown = answerUnknownRoutes(pipeline)
  app.addHook('onRequest', async (request, reply) => {
    // The router decodes paths, so that /%761/me is an operation too.
    if (isV1(request.url) || request.routeOptions.config?.operationId) {
      request.isCall = true
      logWhenOver(house.log, request, reply)
      await pipeline.admit(request, reply)
    }
    // Here and not in the handler: by then a body would have been read and judged.
    if (request.is404 && !reply.sent) return answerUnknown(request, reply)
  })
  app.setErrorHandler(answerErrors(pipeline))
  app.setNotFoundHandler(answerUnknown)

  const handlers = createOperations(house)
  await app.register(glue, {
    specification: inputContract(),
    operationResolver: (operationId: string) => {
      const handler = handlers[operationId as OperationId]
      if (!handler) throw new Error(`the contract has an operation without a handler: ${operationId}`)
      return {
        handler: pipeline.perform(handler),
        attachValidation: true,
        config: { operationId: operationId as OperationId },
        // Method and path are the contract's: the plugin adds them.
      } as Partial<RouteOptions> as RouteOptions
    },
  })
  return app
}

/** One line for each call, however it ended. Never the query, a body or a header: they carry addresses and keys. */
function logWhenOver(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled('info')) return
  const from = performance.now()
  reply.raw.on('close', () => {
    const { call } = request
    log.info({
      requestId: request.id,
      operation: request.routeOptions.config?.operationId ?? null,
      account: call?.caller.accountId ?? null,
      // null: the caller did not wait for the answer.
      status: reply.raw.writableFinished ? reply.statusCode : null,
      ms: Math.round(performance.now() - from),
    })
  })
}

/** Whether a path is under /v1 and so needs a key. */
export function isV1(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url)
}
