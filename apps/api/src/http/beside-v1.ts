// What is served beside /v1, without a key: health, metrics, the contract, the manual.

import { openapi } from '@lotline/contract'
import openapi30 from '@lotline/contract/openapi-3.0.json' with { type: 'json' }
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { House } from '../app.ts'
import { serveDocs } from '../manual/serve-manual.ts'
import { serveHealth } from './health.ts'
import { serveMetrics } from './metrics.ts'
import { keepAnswers } from './unchanging.ts'

export async function serveBesideV1(app: FastifyInstance, { house }: { house: House }): Promise<void> {
  serveHealth(app, house)
  serveMetrics(app, house)
  await app.register(async (unchanging) => {
    keepAnswers(unchanging)
    serveContract(unchanging)
    await unchanging.register(serveDocs)
  })
}

function serveContract(app: FastifyInstance): void {
  const asJson = JSON.stringify(openapi)
  const for30 = JSON.stringify(openapi30)
  let asYaml: string | undefined

  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(asJson))

  // The same wire format for client generators, most of which read OpenAPI 3.0 better.
  app.get('/openapi-3.0.json', async (_request, reply) => reply.type('application/json').send(for30))

  app.get('/openapi.yaml', async (_request, reply) => {
    asYaml ??= stringify(openapi, { aliasDuplicateObjects: false })
    return reply.type('application/yaml').send(asYaml)
  })
}
