// Bodies are JSON and nothing else, and only where the contract has one. Parsing stays Fastify's own (it refuses
// prototype poisoning); what it refuses becomes an error code in errors.ts.

import { operations } from '@lotline/contract'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'

/** To be called before routes are added. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')

  app.addHook('preParsing', async (request, _reply, payload) => {
    const { operationId } = request.routeOptions.config
    // Of GET no body is ever read.
    if (!operationId || request.method === 'GET') return payload
    if (!operations[operationId].hasBody) forgetBody(request)
    else if (isPacked(request)) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE('a packed body')
    return payload
  })
}

/** Clients send `Content-Type` with every DELETE, some an empty body too. What the contract does not know is not read. */
function forgetBody({ raw: { headers } }: FastifyRequest): void {
  delete headers['content-type']
  delete headers['content-length']
  delete headers['transfer-encoding']
}

function isPacked({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']
  return encoding !== undefined && encoding.toLowerCase() !== 'identity'
}
