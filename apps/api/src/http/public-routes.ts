// The public routes, outside /v1 and without a key: health, metrics, the contract, the manual.

import { openapi } from '@lotline/contract'
import openapi30 from '@lotline/contract/openapi-3.0.json' with { type: 'json' }
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { App } from '../app.ts'
import { serveDocs } from '../manual/pages.ts'
import { isFromThisMachine } from './from-this-machine.ts'
import { serveHealth } from './health.ts'
import { serveMetrics } from './metrics.ts'
import { cacheStatic } from './static-cache.ts'

export async function servePublicRoutes(server: FastifyInstance, { app }: { app: App }): Promise<void> {
  serveHealth(server, app)
  serveMetrics(server, app)
  serveDemoKey(server, app)
  await server.register(async (cached) => {
    cacheStatic(cached)
    serveContract(cached)
    await cached.register(serveDocs)
  })
}

/** The texts of the contract, made when they are first asked for. */
const texts: { json?: string; json30?: string; yaml?: string } = {}

function serveContract(server: FastifyInstance): void {
  server.get('/openapi.json', async (_request, reply) => {
    texts.json ??= JSON.stringify(openapi)
    return reply.type('application/json').send(texts.json)
  })

  // The same wire format for client generators, most of which read OpenAPI 3.0 better.
  server.get('/openapi-3.0.json', async (_request, reply) => {
    texts.json30 ??= JSON.stringify(openapi30)
    return reply.type('application/json').send(texts.json30)
  })

  server.get('/openapi.yaml', async (_request, reply) => {
    texts.yaml ??= stringify(openapi, { aliasDuplicateObjects: false })
    return reply.type('application/yaml').send(texts.yaml)
  })
}

/**
 * GET /docs/demo-key: the key that the first start has made and printed, so that the reference can fill it in and the first
 * call from it works. It is in the memory of the process and in a file of its user (accounts/demo-key.ts), and only this
 * machine gets it. A revoked key is refused like any other; the next start does not offer it. Other clients get 204, as if
 * there were no demo key, so that no client learns whether there is one.
 */
function serveDemoKey(server: FastifyInstance, app: App): void {
  server.get('/docs/demo-key', async (request, reply) => {
    reply.removeHeader('access-control-allow-origin')
    const key = isFromThisMachine(request) ? app.demoKey?.reveal() : undefined
    return key === undefined ? reply.code(204).send() : reply.send({ key })
  })
}
