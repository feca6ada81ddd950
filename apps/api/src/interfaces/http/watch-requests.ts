import { operations } from '@lotline/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Observer, RequestTrace } from '../../infrastructure/platform.ts'

/**
 * Reports each request to the observer when it ends, however it ended. If traces are enabled, the request runs within its span. Only path
 * templates are reported, never a path. Call it before any other hook is added.
 */
export function watchRequests(server: FastifyInstance, observer: Observer): void {
  server.decorateRequest('isCall', undefined)
  server.decorateRequest('refusedAs', undefined)
  const { traces } = observer
  const traced = new WeakMap<FastifyRequest, RequestTrace>()

  server.addHook('onRequest', (request, reply, done) => {
    const from = performance.now()
    reply.raw.on('close', () => {
      const { operationId } = request.routeOptions.config
      const over = {
        method: request.method,
        route: operationId ? operations[operationId].path : request.routeOptions.url,
        status: reply.raw.writableFinished ? reply.raw.statusCode : undefined,
        code: request.refusedAs,
        admitted: request.isCall ? request.call !== undefined : undefined,
        ms: performance.now() - from,
      }
      observer.requestOver(over)
      traced.get(request)?.end({ ...over, requestId: request.id, operation: operationId })
    })
    if (!traces) return done()
    traced.set(request, traces.begin({ traceparent: one(request.headers.traceparent) }, done))
  })
}

/** A header that is sent twice is ignored. */
function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
