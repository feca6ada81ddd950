import { type FastifyBaseLogger, LogController } from 'fastify'
import type { Logger } from 'pino'
import { createRequestId } from '../../requests/engine.ts'
import { type HttpLimits, httpLimits } from './http-limits.ts'

export interface ServerOptionsDeps {
  readonly log: Logger
}

/** Options that all our servers share. */
export function serverOptions({ log }: ServerOptionsDeps, limits: HttpLimits = httpLimits) {
  return {
    ...limits,
    genReqId: createRequestId,
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    // HEAD of a page is answered like GET. Pages have no side effects; single-use links are consumed by a POST.
    exposeHeadRoutes: true,
    // Requests on open connections are still served while the server closes: everything works until then.
    return503OnClosing: false,
  }
}

/**
 * The logger returns itself as its child. Nothing is logged through a request, so requests need no logger; Fastify would validate a child
 * logger for each request.
 */
function withoutChildren(log: Logger): FastifyBaseLogger {
  const own: FastifyBaseLogger = Object.create(log, { child: { value: () => own } })
  return own
}
