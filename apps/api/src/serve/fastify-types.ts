import type { OperationId } from '@lotline/contract'
import type { Call } from '../request/call.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the call is admitted (request/pipeline.ts). */
    call: Call | undefined
  }
  interface FastifyContextConfig {
    /** The contract's name of the route; absent beside /v1. */
    operationId?: OperationId
  }
}
