// Checks 5 and 6 of a call: everything that can be refused without a query. They end in the work that is left.

import { type Cost, cost, type Input, type OperationId, operations, readMaxCredits } from '@lotline/contract'
import { inputReader, prefersReso } from '@lotline/contract/checks'
import type { Input as AnyInput } from '@lotline/contract/input'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { plans } from '../../money/accounts.ts'
import { estimateBytes, type WaitingInputs } from '../../money/limits.ts'
import { MAX_INPUT_AT_ONCE, readAreasIn } from './areas-in-input.ts'
import type { Call } from './call.ts'
import { type EntityTags, matchesTag, tagInput } from './entity-tag.ts'
import { type EstimateDeps, estimateTask, isDryRun } from './estimate.ts'
import type { Handler, Task } from './handler.ts'
import { createInputJudge } from './input-judge.ts'
import { refuseRoute, refuseTypes } from './routes.ts'
import { hasBytes, judgeBody, type SentBody } from './sent-body.ts'

/** The input of a call, as a front end received it. Texts may be changed in place: they become what the contract says they are. */
export interface CallInput {
  readonly params: Readonly<Record<string, unknown>>
  /** A value is an array where the client sent a name more than once. */
  readonly query: Readonly<Record<string, unknown>>
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: SentBody
}

export type JudgeDeps = EstimateDeps & {
  readonly tags: EntityTags
  readonly waiting: WaitingInputs
}

export const FREE_COST: Cost = { min: 0, max: 0 }

/** The work that is left after check 6, and what it may cost. */
export interface CallWork {
  readonly work: Task
  readonly costs: Cost
}

/** A refusal is input that the front end could not use: it answers in the place of check 6. */
export type JudgeCall = (
  call: Call,
  input: CallInput | Refusal,
) => CallWork | Refusal | Promise<CallWork | Refusal>

export function createCallJudge(
  deps: JudgeDeps,
  handlers: Readonly<Record<OperationId, Handler>>,
): JudgeCall {
  const { tags, waiting } = deps
  const refuseInvalid = createInputJudge()
  return judge

  /**
   * Checks 5 and 6: everything that can be refused without a query. Many calls may wait for one key's slot, so what was
   * sent is kept by the work alone, and only as far as the work needs it.
   */
  function judge(call: Call, input: CallInput | Refusal): ReturnType<JudgeCall> {
    const { operationId } = call
    if (operationId === undefined) return isRefusal(input) ? input : refuseRoute(call)
    if (call.principal.deniedOperations.includes(operationId)) {
      return refuseFor('plan_not_allowed', 'operation', {
        plan: plans[call.principal.plan].title,
        operation: operationId,
      })
    }
    const { allowedOperations } = call.principal
    if (allowedOperations && !allowedOperations.includes(operationId)) {
      return refuseFor('key_not_allowed', 'operation', { operation: operationId }, { operation: operationId })
    }
    if (isRefusal(input)) return input
    const { prefer } = input.headers
    const isEstimate = prefer !== undefined && isDryRun(operationId, prefer)
    const unacceptable = refuseTypes(operationId, { accept: call.accept, isDryRun: isEstimate })
    if (unacceptable) return unacceptable
    // A body that the contract does not know is not read: clients send a Content-Type with every DELETE, some a body too.
    if (!operations[operationId].hasBody) return judgeInput(call, operationId, input, undefined)
    return judgeBody(input.body, call, waiting, (body) => judgeInput(call, operationId, input, body))
  }

  function judgeInput(
    call: Call,
    operationId: OperationId,
    { params, query, headers, body: sent }: CallInput,
    body: unknown,
  ): ReturnType<JudgeCall> {
    const input = { params, query, headers, body }
    call.inputBytes = estimateBytes([params, query, body])
    const hasUnreadBody = !operations[operationId].hasBody && hasBytes(sent)
    const ignored = inputReader(operationId)({ ...input, hasUnreadBody })
    if (ignored) call.ignore(ignored)
    if (query.shape === undefined && query.format === undefined && prefersReso(operationId, call.accept))
      Object.assign(query, { shape: 'reso' })
    const invalid = refuseInvalid(operationId, input)
    if (invalid) return invalid
    const begin = () => beginWork(call, operationId, input)
    return call.inputBytes > MAX_INPUT_AT_ONCE ? readAreasIn(body, call).then(begin) : begin()
  }

  function beginWork(call: Call, operationId: OperationId, input: AnyInput): CallWork | Refusal {
    // Validated by now, with its defaults.
    call.maxCredits = readMaxCredits(input)
    if (304 in operations[operationId].statuses) call.tagged = tagInput(operationId, input)
    const work = handlers[operationId](input, call)
    if (isRefusal(work)) return work
    const asked = input as Input<OperationId>
    const { prefer } = input.headers
    if (prefer !== undefined && isDryRun(operationId, prefer))
      return {
        work: estimateTask(deps, call, {
          operation: operationId,
          input: asked,
          work,
          isUnchanged: async ({ data }) =>
            data !== undefined && matchesTag(await tags.of(call, data), call.tagged?.ifNoneMatch),
        }),
        costs: FREE_COST,
      }
    return { work, costs: cost(operationId, asked) }
  }
}
