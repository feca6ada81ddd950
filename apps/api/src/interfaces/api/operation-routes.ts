import type { OperationId } from '@lotline/contract'
import type { FastifyInstance } from 'fastify'
import { operationRoutes, wrongMethods } from '../../requests/engine.ts'

/** Registers the routes, so that Fastify finds the operation of a request. Call it after `answerCalls`. */
export function addRoutes(server: FastifyInstance): void {
  const add = (method: string, path: string, operationId?: OperationId) =>
    server.route({
      method,
      url: path.replace(/\{([^}]+)\}/g, ':$1'),
      exposeHeadRoute: false,
      config: operationId ? { operationId } : {},
      handler() {
        throw new Error(`The engine did not answer ${method} ${path}.`)
      },
    })
  for (const { method, path, operationId } of operationRoutes) add(method, path, operationId)
  for (const { method, path } of wrongMethods) add(method, path)
}
