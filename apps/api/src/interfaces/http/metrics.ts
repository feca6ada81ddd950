// GET /metrics, for Prometheus. Without METRICS_TOKEN, only this machine can read it; with METRICS_TOKEN, every client that sends the
// token.
// Why: decisions/interfaces/metrics-on-loopback.md

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../infrastructure/config.ts'
import type { Secret } from '../../infrastructure/platform.ts'
import { isFromThisMachine } from './from-this-machine.ts'

export interface MetricsDeps {
  readonly config: Pick<Config, 'metricsToken'>
  readonly metrics: {
    /** The text exposition format. */
    read(): Promise<{ readonly text: string; readonly contentType: string }>
  }
}

const LOCAL_ONLY =
  'The metrics are shown to this machine only, and not through a proxy. Set METRICS_TOKEN to read them from elsewhere.\n'
const TOKEN_NEEDED =
  'The metrics need the token that METRICS_TOKEN holds. Send it as: Authorization: Bearer <token>.\n'

export function serveMetrics(server: FastifyInstance, { config, metrics }: MetricsDeps): void {
  const { metricsToken } = config

  server.get('/metrics', async (request, reply) => {
    reply.type('text/plain; charset=utf-8')
    if (metricsToken === undefined) {
      if (!isFromThisMachine(request)) return reply.code(403).send(LOCAL_ONLY)
    } else if (!carries(metricsToken, request)) {
      return reply.code(401).header('www-authenticate', 'Bearer realm="lotline metrics"').send(TOKEN_NEEDED)
    }
    const { text, contentType } = await metrics.read()
    return reply.type(contentType).send(text)
  })
}

function carries(token: Secret, { headers }: FastifyRequest): boolean {
  const sent = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1] ?? ''
  // Compares hashes, so that the time does not depend on the sent value or its length.
  return timingSafeEqual(hash(sent), hash(token.reveal()))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
