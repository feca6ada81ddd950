// What the operations share that create something and take an Idempotency-Key (idempotency/run-once.ts).

import type { OperationId } from '@lotline/contract'
import { fingerprintOf, type OnceCall } from '../../work/idempotency.ts'
import type { Call } from '../engine/call.ts'

/**
 * A call that may be sent again. undefined: it has no key.
 *
 * @param input all of the request that the result depends on
 * @param hasSecret whether the answer has a secret. Then only the API key that sent the first call gets it again; that of another one
 * is a different request.
 */
export function onceCall(
  operation: OperationId,
  { principal: { accountId, keyId } }: Call,
  {
    headers,
    input,
    hasSecret,
  }: {
    readonly headers: { readonly 'idempotency-key'?: string | undefined }
    readonly input: unknown
    readonly hasSecret: boolean
  },
): OnceCall | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  const fingerprint = fingerprintOf(operation, hasSecret ? [keyId, input] : input)
  return { accountId, key, fingerprint, hasSecret }
}
