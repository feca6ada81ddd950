import { type FastifyBaseLogger, LogController } from 'fastify'
import type { Logger } from 'pino'
import { createRequestId } from '../../requests/engine.ts'
import { type HttpLimits, httpLimits } from './http-limits.ts'

export interface ServerOptionsDeps {
  readonly log: Logger
}

/** The options of all our servers. */
export function serverOptions({ log }: ServerOptionsDeps, limits: HttpLimits = httpLimits) {
  return {
    ...limits,
    genReqId: createRequestId,
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    // HEAD of a page is answered as GET. Pages have no effects, and links that are used once are used up by a POST.
    exposeHeadRoutes: true,
    // A request on an open connection is served while the server closes: until then everything works.
    return503OnClosing: false,
  }
}

/**
 * The logger, as a child of itself. Nothing is logged through a request, so it needs no logger of its own; a factory of
 * children would be checked for each request.
 */
function withoutChildren(log: Logger): FastifyBaseLogger {
  const own: FastifyBaseLogger = Object.create(log, { child: { value: () => own } })
  return own
}
