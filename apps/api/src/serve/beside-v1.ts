// What is served beside /v1, without a key: health, the contract, the manual.

import { openapi } from '@lotline/contract'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { House } from '../house.ts'

export async function serveBesideV1(app: FastifyInstance, { house }: { house: House }): Promise<void> {
  const asJson = JSON.stringify(openapi)
  let asYaml: string | undefined

  app.get('/healthz', async (_request, reply) => reply.type('application/json').send('{"status":"ok"}'))

  app.get('/readyz', async (_request, reply) => {
    reply.type('application/json')
    if (house.stopping) return reply.code(503).send('{"status":"stopping"}')
    try {
      await house.database.query('select 1')
      return reply.send('{"status":"ready"}')
    } catch {
      return reply.code(503).send('{"status":"database unavailable"}')
    }
  })

  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(asJson))

  app.get('/openapi.yaml', async (_request, reply) => {
    asYaml ??= stringify(openapi, { aliasDuplicateObjects: false })
    return reply.type('application/yaml').send(asYaml)
  })

  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Lotline API',
      telemetry: false,
      withDefaultFonts: false,
    },
  })
}
