// Check 6: the input is what the contract says. Fastify's validator (Ajv over the contract) finds the fault, and the
// contract says which error code that fault has.

import { type OperationId, operations } from '@lotline/contract'
import { type Finding, faultOf } from '@lotline/contract/checks'
import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../refusal.ts'

/** undefined: the input is valid, and defaults have been filled in. */
export function refuseInvalid(request: FastifyRequest, operationId: OperationId): Refusal | undefined {
  const query = request.query as Readonly<Record<string, unknown>>
  const repeated = operations[operationId].queryParameters.find((name) => Array.isArray(query[name]))
  if (repeated !== undefined) {
    return refuse('invalid_parameter', `The query parameter ${repeated} may be given only once.`, {
      parameter: repeated,
    })
  }
  // Whether there is a body at all is not asked by the validator.
  if (operations[operationId].hasBody && (request.body === undefined || request.body === null)) {
    return refuse('missing_input', 'Send a JSON object as the body of the request.')
  }
  const { validationError } = request
  const finding = validationError?.validation?.[0] as Finding | undefined
  if (!finding) return undefined
  const { code, message, details } = faultOf(finding, validationError?.validationContext ?? 'body')
  return refuse(code, message, details)
}
