// Whether a process lives and whether it can do its work: asked by whoever runs it, without a key.

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { House } from '../house.ts'
import { refuse } from '../refusal.ts'
import { createRequestId } from '../request/request-id.ts'
import { sendProblem } from '../request/respond.ts'
import { httpLimits } from './http-limits.ts'
import { serveMetrics } from './metrics.ts'
import { watchRequests } from './watch-requests.ts'

export function serveHealth(app: FastifyInstance, house: House): void {
  app.get('/healthz', async (_request, reply) => reply.type('application/json').send('{"status":"ok"}'))

  app.get('/readyz', async (_request, reply) => {
    reply.type('application/json')
    if (house.stopping) return reply.code(503).send('{"status":"stopping"}')
    if (!house.traffic.available) return reply.code(503).send('{"status":"rate limits unavailable"}')
    try {
      await house.database.query('select 1')
      return reply.send('{"status":"ready"}')
    } catch {
      return reply.code(503).send('{"status":"database unavailable"}')
    }
  })
}

/** All that a process serves which only works on jobs. */
export function createHealthServer(house: House): FastifyInstance {
  const app = Fastify({
    ...httpLimits,
    genReqId: createRequestId,
    loggerInstance: house.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    // What still comes in on an open connection while the server closes is served: until then everything works.
    return503OnClosing: false,
  })
  watchRequests(app, house.observer)
  serveHealth(app, house)
  serveMetrics(app, house)
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, refuse('not_found', 'This process works on jobs. Ask one that serves the API.')),
  )
  return app
}
