import type { ErrorCode, OperationId } from '@lotline/contract'
import type { Call } from '../engine/call.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the call is admitted (calls.ts). */
    call: Call | undefined
    /** Whether it is under /v1 and so needs a key. */
    isCall: boolean | undefined
    /** Set when it is answered with an error code. */
    refusedAs: ErrorCode | undefined
  }
  interface FastifyContextConfig {
    /** The contract's name of the route; absent beside /v1. */
    operationId?: OperationId
  }
}
