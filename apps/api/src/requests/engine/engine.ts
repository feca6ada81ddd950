// ONE CALL, from the key to the response. Read this first. The order of the checks is part of the product: the first
// that fails answers, and what is checked later is not touched before (no body is read before the key is known, no
// provider is asked before the input is valid, nothing is sent before it is charged).
//
//   admit    1 key · 2 suspended · 3 balance · 4 rate window                     admission.ts
//   perform  5 plan · route · method · body · 6 input                            judge-call.ts
//            7 slot · 8 credits                                                  below
//            9 work, charge, respond                                             settle-call.ts
//
// The engine knows no HTTP server. A front end (http/ is one) turns what it receives into facts and input, sends the
// response, and says when the client disconnects (`call.disconnect()`) and when the response is out (`call.end()`).

import type { Cost, OperationId } from '@lotline/contract'
import { type Observer, poll } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal } from '../../infrastructure/refusals.ts'
import type { KeyQueues, Slot, WaitingInputs } from '../../money/limits.ts'
import { CREDIT_ERROR_CODES, refuseNow } from './account-checks.ts'
import { type AdmissionDeps, admit } from './admission.ts'
import type { Credentials } from './authenticate.ts'
import type { Call, CallFacts } from './call.ts'
import { createEntityTags } from './entity-tag.ts'
import type { EstimateDeps } from './estimate.ts'
import type { Handler } from './handler.ts'
import { type CallInput, createCallJudge, FREE_COST } from './judge-call.ts'
import type { CallResponse } from './response.ts'
import { type CallSettlementDeps, createCallSettlements } from './settle-call.ts'

export type EngineDeps = AdmissionDeps &
  EstimateDeps &
  Omit<CallSettlementDeps, 'tags'> & {
    readonly observer: Observer
    readonly queues: KeyQueues
    readonly waiting: WaitingInputs
  }

/** A response made from a cached record is made again if the record was replaced meanwhile. This is the maximum number of times. */
const DELIVERIES = { attempts: 3, pauseMs: 0 }

export interface Engine {
  /**
   * Checks 1 to 4, for any path of the API, known or not. A call that comes out is counted in its key's rate window and
   * must be performed, then ended. A response that comes out was not admitted: it has no usage row.
   *
   * @param credentials the value of the Authorization header, or the key of a session
   */
  admit(credentials: Credentials, facts: CallFacts): Promise<Call | CallResponse>
  /**
   * Checks 5 to 9, and the work. Never rejects. The call has its usage row when this resolves, unless the database is gone. The slot
   * of the key is held until `call.end()`. A refusal is input that the front end could not use, and answers in the place of check 6.
   */
  perform(call: Call, input: CallInput | Refusal): Promise<CallResponse>
}

export function createEngine(deps: EngineDeps, handlers: Readonly<Record<OperationId, Handler>>): Engine {
  const { principals, queues, waiting, observer } = deps
  const tags = createEntityTags(deps.database)
  const judge = createCallJudge({ ...deps, tags }, handlers)
  const settle = createCallSettlements({ ...deps, tags })

  return { admit: (credentials, facts) => admit(deps, credentials, facts), perform }

  async function perform(call: Call, input: CallInput | Refusal): Promise<CallResponse> {
    call.begin()
    try {
      const judging = judge(call, input)
      // Most calls have no body to wait for.
      const judged = judging instanceof Promise ? await judging : judging
      if (isRefusal(judged)) return await settle.refuse(call, judged)
      const { work, costs } = judged
      const operationId = call.operationId!
      const slot = await takeSlot(call)
      const refusal = await refuseChanged(call, work.judgesCredits ? FREE_COST : costs)
      if (refusal) return await settle.refuse(call, refusal)
      call.phase = 'upstream'
      const response = await poll(() => settle.deliver(call, operationId, work, slot), DELIVERIES)
      if (!response) throw new Error('the record kept changing while it was read. Try again.')
      return response
    } catch (error) {
      return await settle.fail(call, error)
    } finally {
      call.performed()
    }
  }

  async function takeSlot(call: Call): Promise<Slot> {
    const end = observer.waitForSlot()
    const leave = waiting.enter(call.inputBytes, (reason) => call.refuse(reason))
    try {
      const slot = await queues.take(call.principal.keyId, call)
      call.hold(slot)
      end('entered')
      return slot
    } catch (error) {
      end('cancelled')
      throw error
    } finally {
      leave()
    }
  }

  /**
   * While the call waited, its key may have been revoked, or its account suspended or left without credits. What is known may
   * be from before a limit was reset or raised, a top-up, or the end of a job. So credits never refuse a call before they
   * have been read again.
   */
  async function refuseChanged(call: Call, { min }: Cost): Promise<Refusal | undefined> {
    const refusal = refuseNow(await principals.find(call.keyHash), min, call.maxCredits)
    if (!refusal || !CREDIT_ERROR_CODES.has(refusal.code)) return refusal
    return refuseNow(await principals.readAgain(call.keyHash), min, call.maxCredits)
  }
}
