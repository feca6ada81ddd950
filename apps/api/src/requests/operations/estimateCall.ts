import { type Input, type OperationId, operationIds } from '@lotline/contract'
import { ESTIMATED_BODY, readEstimatedInput } from '@lotline/contract/checks'
import { isRefusal, refuseFor } from '../../infrastructure/refusals.ts'
import { plans } from '../../money/accounts.ts'
import { type EstimateDeps, estimate } from '../engine/estimate.ts'
import type { Handler, HandlerOf } from '../engine/handler.ts'
import { createInputJudge } from '../engine/input-judge.ts'
import { deliver } from '../presentation/answer.ts'

export type EstimateCallDeps = EstimateDeps

/** @param handlers of all operations: the call that is estimated is judged by its own */
export function estimateCall(
  deps: EstimateCallDeps,
  handlers: () => Readonly<Record<OperationId, Handler>>,
): HandlerOf<'estimateCall'> {
  const refuseInvalid = createInputJudge()

  return ({ body, headers }, call) => {
    const operation = operationIds.find((id) => id === body.operation)
    if (!operation) {
      const details = { parameter: 'operation' }
      return refuseFor(
        'invalid_parameter',
        'operation',
        { place: 'operation', value: body.operation },
        details,
      )
    }
    // Estimates inside each other could be as deep as a body is long.
    if (operation === 'estimateCall') {
      const details = { parameter: 'operation' }
      return refuseFor('invalid_parameter', 'estimate_of_estimate', { place: 'operation' }, details)
    }
    if (call.principal.deniedOperations.includes(operation)) {
      const plan = plans[call.principal.plan].title
      return refuseFor('plan_not_allowed', 'operation', { plan, operation })
    }
    const { allowedOperations } = call.principal
    if (allowedOperations && !allowedOperations.includes(operation))
      return refuseFor('key_not_allowed', 'operation', { operation }, { operation })
    const { input, ignored } = readEstimatedInput(operation, body.input ?? {}, { ...headers })
    call.ignore(ignored)
    call.ignoreInside(ESTIMATED_BODY)
    const invalid = refuseInvalid(operation, input)
    if (invalid) return invalid
    const work = handlers()[operation](input, call)
    if (isRefusal(work)) return work
    return async () => {
      const asked = { operation, input: input as unknown as Input<OperationId>, work }
      return deliver({ data: await estimate(deps, call, asked) })
    }
  }
}
