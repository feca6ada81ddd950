// Health checks for the operator, without a key: whether the process is alive, and whether it can serve calls.

import Fastify, { type FastifyInstance } from 'fastify'
import type { App } from '../../process/app.ts'
import { answers } from '../../infrastructure/database/answers.ts'
import { refusalResponse } from '../../requests/engine/response.ts'
import { refuseFor } from '../../infrastructure/platform/refusal.ts'
import { serveMetrics } from './metrics.ts'
import { send } from './send.ts'
import { serverOptions } from './server-options.ts'
import { watchRequests } from './watch-requests.ts'

export function serveHealth(server: FastifyInstance, app: App): void {
  server.get('/healthz', async (_request, reply) => reply.type('application/json').send('{"status":"ok"}'))

  server.get('/readyz', async (_request, reply) => {
    reply.type('application/json')
    if (app.stopping) return reply.code(503).send('{"status":"stopping"}')
    if (!app.limits.available) return reply.code(503).send('{"status":"rate limits unavailable"}')
    try {
      await answers(app.database)
      return reply.send('{"status":"ready"}')
    } catch {
      return reply.code(503).send('{"status":"database unavailable"}')
    }
  })
}

/** All that a process serves which only works on jobs. */
export function createHealthServer(app: App): FastifyInstance {
  const server = Fastify(serverOptions(app))
  watchRequests(server, app.observer)
  serveHealth(server, app)
  serveMetrics(server, app)
  server.setNotFoundHandler((request, reply) => {
    const refusal = refuseFor('not_found', 'jobs_process', {})
    return send(reply, refusalResponse(refusal, request.id))
  })
  return server
}
