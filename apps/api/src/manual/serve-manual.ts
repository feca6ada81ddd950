// The manual at /docs: guides, and a reference over our own copy of the contract. Nothing of it is loaded from anywhere
// else, and nothing of it is in memory before somebody asks.

import type { FastifyInstance } from 'fastify'
import { servePages } from './pages.ts'
import { serveReference } from './reference.ts'

export async function serveDocs(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer')
  })
  await server.register(servePages)
  await server.register(serveReference)
}
