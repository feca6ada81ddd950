// biome-ignore-all lint/nursery/noMisusedPromises: Fastify waits for its plugins, which the linter does not know.
// The public routes, outside /v1 and without a key: health, metrics, the contract, the manual.

import { inputFault, openapi, shownValue } from '@lotline/contract'
import { clientView } from '@lotline/contract/client-view'
import openapi30 from '@lotline/contract/openapi-3.0.json' with { type: 'json' }
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { Secret } from '../../infrastructure/platform.ts'
import { refuseInput } from '../../infrastructure/refusals.ts'
import { refusalResponse } from '../../requests/engine.ts'
import { serveDocs } from '../manual/pages.ts'
import { isFromThisMachine } from './from-this-machine.ts'
import { type HealthDeps, serveHealth } from './health.ts'
import { serveMetrics } from './metrics.ts'
import { send } from './send.ts'
import { cacheStatic } from './static-cache.ts'

export type PublicRoutesDeps = HealthDeps & {
  demoKey: Secret | undefined
}

export async function servePublicRoutes(
  server: FastifyInstance,
  { deps }: { deps: PublicRoutesDeps },
): Promise<void> {
  serveHealth(server, deps)
  serveMetrics(server, deps)
  serveDemoKey(server, deps)
  await server.register(async (cached) => {
    cacheStatic(cached)
    serveContract(cached)
    await cached.register(serveDocs)
  })
}

type Format = keyof typeof FORMATS

const FORMATS = {
  '/openapi.json': { type: 'application/json', write: (view: View) => JSON.stringify(viewOf(openapi, view)) },
  // The same API in OpenAPI 3.0, which most client generators support better.
  '/openapi-3.0.json': {
    type: 'application/json',
    write: (view: View) => JSON.stringify(viewOf(openapi30, view)),
  },
  '/openapi.yaml': {
    type: 'application/yaml',
    write: (view: View) => stringify(viewOf(openapi, view), { aliasDuplicateObjects: false }),
  },
}

/** The document for client generators, or the document with every possible response. */
type View = 'client' | 'full'

function viewOf(document: object, view: View): object {
  return view === 'full' ? document : clientView(document)
}

/** The contract as text, created with the first request. */
const texts = new Map<string, string>()

function serveContract(server: FastifyInstance): void {
  for (const path of Object.keys(FORMATS) as Format[]) {
    const { type, write } = FORMATS[path]
    server.get(path, async (request, reply) => {
      const { view: asked } = request.query as { readonly view?: unknown }
      if (asked !== undefined && asked !== 'full') {
        const fault = inputFault('choice', { choices: 'full', value: shownValue(asked) })
        return send(reply, refusalResponse(refuseInput('invalid_parameter', 'view', fault), request.id))
      }
      const view: View = asked ?? 'client'
      const text = texts.get(`${path} ${view}`) ?? write(view)
      texts.set(`${path} ${view}`, text)
      return reply.type(type).send(text)
    })
  }
}

/**
 * GET /docs/demo-key: the demo key that the first start created and printed. The reference fills it in, so that a first call works
 * immediately. The key is in the memory of the process and in a file of its user (accounts/demo-key.ts), and only this machine can read it.
 * A revoked key is refused like any other; the next start does not offer it. Other clients get 204, the same as without a demo key, so that
 * no client learns whether there is one.
 */
function serveDemoKey(server: FastifyInstance, deps: PublicRoutesDeps): void {
  server.get('/docs/demo-key', async (request, reply) => {
    reply.removeHeader('access-control-allow-origin')
    const key = isFromThisMachine(request) ? deps.demoKey?.reveal() : undefined
    return key === undefined ? reply.code(204).send() : reply.send({ key })
  })
}
