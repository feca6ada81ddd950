// The contract's document binds the operations to their handlers (operation-routes.ts).

import { openapi, operationIds, operations } from '@lotline/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { type AnswerAs, bindOperations } from '../../../src/interfaces/api/operation-routes.ts'

const handlers: Readonly<Record<string, unknown>> = Object.fromEntries(
  operationIds.map((id) => [id, () => id]),
)

/** Replies with the operationId of the route, or with `none`. */
const nameOperation: AnswerAs =
  (operationId = undefined) =>
  async (_, reply) =>
    reply.send(operationId ?? 'none')

async function serverWith(parts: { handlers?: typeof handlers; document?: typeof openapi } = {}) {
  const server = Fastify()
  await bindOperations(server, parts.handlers ?? handlers, nameOperation, parts.document)
  return server
}

async function answerOf(server: FastifyInstance, method: string, path: string): Promise<string> {
  const url = path.replace(/\{\w+\}/g, '1')
  const { body } = await server.inject({ method: method as 'GET', url })
  return body
}

describe('operations bound from the document', () => {
  it('answer at their method and path', async () => {
    const server = await serverWith()
    for (const id of operationIds)
      expect(await answerOf(server, operations[id].method, operations[id].path)).toBe(id)
  })

  it('answer before a body is read', async () => {
    const server = await serverWith()
    const { body } = await server.inject({
      method: 'POST',
      url: '/v1/search',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
    expect(body).toBe('searchListings')
  })

  it('leave a method that only another path has to no operation', async () => {
    const server = await serverWith()
    // It fits /v1/properties/{zpid}, which has GET.
    expect(await answerOf(server, 'GET', '/v1/properties/batch')).toBe('none')
  })
})

describe('a start is refused', () => {
  it('where an operation of the document has no handler', async () => {
    const { getJob: _, ...others } = handlers
    await expect(serverWith({ handlers: others })).rejects.toThrow('the operation getJob has no handler')
  })

  it('where a handler has no operation in the document', async () => {
    const { '/v1/me': _, ...paths } = openapi.paths
    await expect(serverWith({ document: { ...openapi, paths } })).rejects.toThrow(
      'the document has no operation getAccount',
    )
  })
})
