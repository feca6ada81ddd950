// Health checks for the operator, without a key: whether the process is alive, and whether it can serve calls.

import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '../../infrastructure/config.ts'
import { checkConnection, type Database, isDatabaseDiskFull } from '../../infrastructure/database.ts'
import type { Observer } from '../../infrastructure/platform.ts'
import { refuseFor } from '../../infrastructure/refusals.ts'
import type { Limits } from '../../money/limits.ts'
import { refusalResponse } from '../../requests/engine.ts'
import { type MetricsDeps, serveMetrics } from './metrics.ts'
import { send } from './send.ts'
import { type ServerOptionsDeps, serverOptions } from './server-options.ts'
import { watchRequests } from './watch-requests.ts'

export type HealthDeps = MetricsDeps &
  ServerOptionsDeps & {
    readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>
    readonly database: Database
    readonly limits: Limits
    readonly observer: Observer
    stopping: boolean
  }

export function serveHealth(server: FastifyInstance, deps: HealthDeps): void {
  server.get('/healthz', async (_request, reply) => reply.type('application/json').send('{"status":"ok"}'))

  server.get('/readyz', async (_request, reply) => {
    reply.type('application/json')
    if (deps.stopping) return reply.code(503).send('{"status":"stopping"}')
    if (!deps.limits.available) return reply.code(503).send('{"status":"rate limits unavailable"}')
    try {
      await checkConnection(deps.database)
      if (await isDatabaseDiskFull(deps.database, deps.config))
        return reply.code(503).send('{"status":"disk full"}')
      return reply.send('{"status":"ready"}')
    } catch {
      return reply.code(503).send('{"status":"database unavailable"}')
    }
  })
}

/** The only routes of a process that just runs jobs. */
export function createHealthServer(deps: HealthDeps): FastifyInstance {
  const server = Fastify(serverOptions(deps))
  watchRequests(server, deps.observer)
  serveHealth(server, deps)
  serveMetrics(server, deps)
  server.setNotFoundHandler((request, reply) => {
    const refusal = refuseFor('not_found', 'jobs_process', {})
    return send(reply, refusalResponse(refusal, request.id))
  })
  return server
}
