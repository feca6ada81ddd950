// GET /metrics, for Prometheus. Without METRICS_TOKEN it answers this machine alone; with one, whoever has it.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { App } from '../app.ts'
import type { Secret } from '../platform/secret.ts'

/**
 * What a proxy adds when it passes on another machine's request. A proxy on this machine connects from loopback, so its
 * requests would else count as this machine's own.
 */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

const LOCAL_ONLY =
  'The metrics are shown to this machine only, and not through a proxy. Set METRICS_TOKEN to read them from elsewhere.\n'
const TOKEN_NEEDED =
  'The metrics need the token that METRICS_TOKEN holds. Send it as: Authorization: Bearer <token>.\n'

export function serveMetrics(server: FastifyInstance, { config, metrics }: App): void {
  const { metricsToken } = config

  server.get('/metrics', async (request, reply) => {
    reply.type('text/plain; charset=utf-8')
    if (metricsToken === undefined) {
      if (!isFromHere(request)) return reply.code(403).send(LOCAL_ONLY)
    } else if (!carries(metricsToken, request)) {
      return reply.code(401).header('www-authenticate', 'Bearer realm="lotline metrics"').send(TOKEN_NEEDED)
    }
    const { text, contentType } = await metrics.read()
    return reply.type(contentType).send(text)
  })
}

/** The host is looked at too: a page in a browser here may have had its own name resolved to loopback. */
function isFromHere({ raw, headers }: FastifyRequest): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false
  return isLoopback(raw.socket.remoteAddress ?? '') && isLocalName(headers.host ?? '')
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

function isLocalName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name.toLowerCase() === 'localhost' || isLoopback(name)
}

function carries(token: Secret, { headers }: FastifyRequest): boolean {
  const sent = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1] ?? ''
  // Hashed first: the comparison takes the same time whatever was sent, and however long it is.
  return timingSafeEqual(hash(sent), hash(token.reveal()))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
