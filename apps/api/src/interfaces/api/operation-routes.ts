// The contract's document binds each operation to its route. fastify-openapi-glue reads the path, the method, and the
// operationId from it, and asks here for the rest of the route. It gets no schemas: the engine validates the input, and
// each schema would cost time at the start and memory for good.
// Why: decisions/interfaces/routes-from-the-document.md

import { type OperationId, openapi } from '@lotline/contract'
import type { FastifyInstance, onRequestAsyncHookHandler, RouteOptions } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { answersHead, wrongMethods } from '../../requests/engine.ts'

/** Answers a request as a call of this operation; without one, as a call that is refused. It always sends a reply. */
export type AnswerAs = (operationId?: OperationId) => onRequestAsyncHookHandler

/**
 * Binds every operation of the document to its handler. A route answers in `onRequest`, before Fastify reads a body.
 *
 * @param handlers by operationId
 * @throws {Error} where the document has an operation without a handler, or the other way around
 */
export async function bindOperations(
  server: FastifyInstance,
  handlers: Readonly<Record<string, unknown>>,
  answerAs: AnswerAs,
  document: RouteDocument = openapi,
): Promise<void> {
  const bound = new Set<string>()
  await server.register(openapiGlue, {
    specification: withoutSchemas(document),
    operationResolver(operationId, method, path) {
      if (!Object.hasOwn(handlers, operationId))
        throw new Error(`the operation ${operationId} has no handler`)
      bound.add(operationId)
      return operationRoute(operationId as OperationId, { method, path }, answerAs)
    },
  })
  const unbound = Object.keys(handlers).filter((operationId) => !bound.has(operationId))
  if (unbound.length > 0) throw new Error(`the document has no operation ${unbound.join(', ')}`)
  for (const { method, path } of wrongMethods)
    server.route({ method, url: urlOf(path), exposeHeadRoute: false, ...answered(answerAs()) })
}

/** The whole route of an operation. Without a schema, which the plugin would give it, Fastify loads no compilers. */
function operationRoute(
  operationId: OperationId,
  { method, path }: Readonly<Record<'method' | 'path', string>>,
  answerAs: AnswerAs,
): RouteOptions {
  const route: RouteOptions = {
    method: answersHead(operationId) ? [method, 'HEAD'] : method,
    url: urlOf(path),
    exposeHeadRoute: false,
    config: { operationId },
    ...answered(answerAs(operationId)),
  }
  return Object.assign(route, { schema: undefined })
}

function urlOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function answered(onRequest: onRequestAsyncHookHandler): Pick<RouteOptions, 'onRequest' | 'handler'> {
  return {
    onRequest,
    handler({ method, url }) {
      throw new Error(`${method} ${url} was not answered by the engine`)
    },
  }
}

type RouteDocument = Pick<typeof openapi, 'openapi' | 'info' | 'paths'>

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** The document with what routes are made of. A full one costs half a second and 85 MB at the start. */
function withoutSchemas({
  openapi: version,
  info: { title, version: release },
  paths,
}: RouteDocument): object {
  return {
    openapi: version,
    info: { title, version: release },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item)
            .filter(([method]) => METHODS.includes(method))
            .map(([method, operation]) => [method, bareOperation(operation as { operationId: string })]),
        ),
      ]),
    ),
  }
}

function bareOperation({ operationId }: { readonly operationId: string }): object {
  return { operationId, responses: { 200: { description: 'See the contract.' } } }
}
