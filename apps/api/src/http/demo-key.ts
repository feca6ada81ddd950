// GET /docs/demo-key: the key that the first start has made and printed, so that the reference can fill it in and the first
// call from it works. It is in the memory of the process that made it and nowhere else, and only this machine gets it.

import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { isFromThisMachine } from './from-this-machine.ts'

/** Answers 204 where there is no demo key, and to everybody else: nobody learns whether there is one. */
export function serveDemoKey(server: FastifyInstance, app: App): void {
  server.get('/docs/demo-key', async (request, reply) => {
    reply.removeHeader('access-control-allow-origin')
    const key = isFromThisMachine(request) ? app.demoKey?.reveal() : undefined
    return key === undefined ? reply.code(204).send() : reply.send({ key })
  })
}
