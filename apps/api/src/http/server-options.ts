import { type FastifyBaseLogger, LogController } from 'fastify'
import type { App } from '../app.ts'
import { createRequestId } from '../engine/request-id.ts'
import { type HttpLimits, httpLimits } from './http-limits.ts'

/** What all our servers have in common. */
export function serverOptions({ log }: App, limits: HttpLimits = httpLimits) {
  return {
    ...limits,
    genReqId: createRequestId,
    loggerInstance: log as FastifyBaseLogger,
    // Nothing is logged through a request: it needs no logger of its own.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    // What still comes in on an open connection while the server closes is served: until then everything works.
    return503OnClosing: false,
  }
}
