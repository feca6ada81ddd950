import { type OperationId, operations } from '@lotline/contract'
import { createInputCheck, type Input } from '@lotline/contract/input'
import { type Refusal, refuse, refuseFor } from '../../infrastructure/refusals.ts'
import { refuseMissingBody } from './sent-body.ts'

/**
 * Check 6: the input is what the contract says. Estimates judge the input of the call that they are about in the same way.
 * undefined: it is valid, and defaults have been filled in.
 */
export function createInputJudge(): (operationId: OperationId, input: Input) => Refusal | undefined {
  const check = createInputCheck({ useDefaults: true })
  return (operationId, input) => {
    const { queryParameters, hasBody } = operations[operationId]
    const repeated = queryParameters.find((name) => Array.isArray(input.query[name]))
    if (repeated !== undefined) {
      return refuseFor('invalid_parameter', 'repeated', { place: repeated }, { parameter: repeated })
    }
    // Whether there is a body at all is not asked by the validator.
    if (hasBody && (input.body === undefined || input.body === null)) return refuseMissingBody()
    const fault = check(operationId, input)
    return fault && refuse(fault.code, fault.message, fault.details)
  }
}
