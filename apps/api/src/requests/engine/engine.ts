// ONE CALL, from the key to the response. Read this first. The order of the checks is part of the product: the first
// that fails answers, and what is checked later is not touched before (no body is read before the key is known, no
// provider is asked before the input is valid, nothing is sent before it is charged).
//
//   admit    1 key · 2 suspended · 3 balance · 4 rate window
//   perform  5 plan · route · method · body · 6 input · 7 slot · 8 credits · 9 work, charge, respond
//
// The engine knows no HTTP server. A front end (http/ is one) turns what it receives into facts and input, sends the
// response, and says when the client disconnects (`call.disconnect()`) and when the response is out (`call.end()`).

import {
  type Cost,
  cost,
  type Input,
  maxCreditsOf,
  type OperationId,
  operations,
  price,
} from '@lotline/contract'
import { inputReader, prefersReso } from '@lotline/contract/checks'
import type { Input as AnyInput } from '@lotline/contract/input'
import { poll } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { findKeyAllowance, plans } from '../../money/accounts.ts'
import { ChargeLost, CLIENT_DISCONNECTED, type Settlement } from '../../money/credits.ts'
import { LimitsUnavailable, type Slot, sizeOf } from '../../money/limits.ts'
import {
  BY_CREDITS,
  balanceOf,
  insufficient,
  refuseNow,
  refuseSuspended,
  refuseWithoutBalance,
} from './account-checks.ts'
import { MAX_INPUT_AT_ONCE, readAreasIn } from './areas-in-input.ts'
import { authenticate, type Credentials } from './authenticate.ts'
import { Call, CallExpired, type CallFacts, ClientDisconnected } from './call.ts'
import type { EngineDeps } from './engine-deps.ts'
import { createEntityTags, matchesTag, tagInput } from './entity-tag.ts'
import { refusalOfError } from './error-refusal.ts'
import { estimateTask, isDryRun } from './estimate.ts'
import type { Handler, Task } from './handler.ts'
import { createInputJudge } from './input-judge.ts'
import { type Accepted, recordFree, settleResult, unitsWithinLimit } from './operation-result.ts'
import { statusOf } from './problem.ts'
import {
  bodyResponse,
  type CallResponse,
  CLIENT_GONE,
  rateLimitHeaders,
  refusalResponse,
  resultResponse,
  setCredits,
  setTag,
  unsetCredits,
} from './response.ts'
import { endpointOf, refuseRoute, refuseTypes } from './routes.ts'
import { hasBytes, judgeBody, type SentBody } from './sent-body.ts'

/** A response made from a cached record is made again if the record was replaced meanwhile. This is the maximum number of times. */
const DELIVERIES = { attempts: 3, pauseMs: 0 }

/** What a call brings along. Texts may be changed in place: they become what the contract says they are. */
export interface CallInput {
  readonly params: Readonly<Record<string, unknown>>
  /** A value is an array where the client sent a name more than once. */
  readonly query: Readonly<Record<string, unknown>>
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: SentBody
}

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

const FREE: Cost = { min: 0, max: 0 }

/** What comes out of check 6: the work that is left, and what it may cost. */
type Judged = { readonly work: Task; readonly costs: Cost } | Refusal

export function createEngine(deps: EngineDeps, handlers: Readonly<Record<OperationId, Handler>>): Engine {
  const { database, principals, keyUse, clock, windows, queues, waiting, ledger, budget, config, log } = deps
  const { observer } = deps
  const refuseInvalid = createInputJudge()
  const tags = createEntityTags(database)

  async function admit(credentials: Credentials, facts: CallFacts): Promise<Call | CallResponse> {
    const headers: Record<string, string> = {}
    const { requestId } = facts
    const respond = (refusal: Refusal) => refusalResponse(refusal, requestId, headers)
    try {
      const identity = await authenticate(deps, credentials, facts.address)
      if (isRefusal(identity)) return respond(identity)
      if ('refusal' in identity) {
        observer.guessRefused()
        headers['x-credits-charged'] = '0'
        headers['retry-after'] = String(identity.retryAfterS)
        return { ...respond(identity.refusal), isGuess: true }
      }
      const { principal, keyHash } = identity
      setCredits(headers, 0, balanceOf(principal))

      const refusal = refuseSuspended(principal) ?? refuseWithoutBalance(principal)
      if (refusal) {
        Object.assign(headers, rateLimitHeaders(await windows.look(principal)))
        return respond(refusal)
      }

      const admission = await windows.enter(principal, requestId)
      Object.assign(headers, rateLimitHeaders(admission))
      if (!admission.admitted) {
        headers['retry-after'] = String(Math.max(2, Math.ceil(admission.resetMs / 1000)))
        return respond(
          refuseFor(
            'rate_limited',
            'key',
            { plan: plans[principal.plan].title, limit: admission.limit },
            { plan: principal.plan, limit_per_minute: admission.limit },
          ),
        )
      }
      keyUse.note(principal.keyId)
      return new Call({
        ...facts,
        principal,
        keyHash,
        endpoint: endpointOf(facts.path),
        headers,
        timeoutMs: config.syncTimeoutMs,
        clock,
      })
    } catch (error) {
      return respond(refusalOfError(error, log, requestId))
    }
  }

  async function perform(call: Call, input: CallInput | Refusal): Promise<CallResponse> {
    call.begin()
    try {
      const judging = judge(call, input)
      // Most calls have no body to wait for.
      const judged = judging instanceof Promise ? await judging : judging
      if (isRefusal(judged)) return await refuseCall(call, judged)
      const { work, costs } = judged
      const operationId = call.operationId!
      const slot = await takeSlot(call)
      const refusal = await refuseChanged(call, work.judgesCredits ? FREE : costs)
      if (refusal) return await refuseCall(call, refusal)
      call.phase = 'upstream'
      const response = await poll(() => deliver(call, operationId, work, slot), DELIVERIES)
      if (!response) throw new Error('the record was replaced each time it was read')
      return response
    } catch (error) {
      return await fail(call, error)
    } finally {
      call.performed()
    }
  }

  /**
   * Checks 5 and 6: everything that can be refused without a query. Many calls may wait for one key's slot, so what was
   * sent is kept by the work alone, and only as far as the work needs it.
   */
  function judge(call: Call, input: CallInput | Refusal): Judged | Promise<Judged> {
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
    // What the contract does not know is not read: clients send a Content-Type with every DELETE, some a body too.
    if (!operations[operationId].hasBody) return judgeInput(call, operationId, input, undefined)
    return judgeBody(input.body, call, waiting, (body) => judgeInput(call, operationId, input, body))
  }

  function judgeInput(
    call: Call,
    operationId: OperationId,
    { params, query, headers, body: sent }: CallInput,
    body: unknown,
  ): Judged | Promise<Judged> {
    const input = { params, query, headers, body }
    call.inputBytes = sizeOf([params, query, body])
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

  function beginWork(call: Call, operationId: OperationId, input: AnyInput): Judged {
    // Validated by now, with its defaults.
    call.maxCredits = maxCreditsOf(input)
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
        costs: FREE,
      }
    return { work, costs: cost(operationId, asked) }
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

  /** Nothing is queried or charged for a call while another call of its key may be in flight. */
  function keepSlot(slot: Slot): void {
    if (slot.lost) throw new LimitsUnavailable('The slot of the key was lost while the call was in flight.')
  }

  /**
   * While the call waited, its key may have been revoked, or its account suspended or left without credits. What is known may
   * be from before a limit was reset or raised, a top-up, or the end of a job. So credits never refuse a call before they
   * have been read again.
   */
  async function refuseChanged(call: Call, { min }: Cost): Promise<Refusal | undefined> {
    const refusal = refuseNow(await principals.find(call.keyHash), min, call.maxCredits)
    if (!refusal || !BY_CREDITS.has(refusal.code)) return refusal
    return refuseNow(await principals.readAgain(call.keyHash), min, call.maxCredits)
  }

  /** Task, charge, respond. undefined: the record was replaced meanwhile. */
  async function deliver(
    call: Call,
    operationId: OperationId,
    work: Task,
    slot: Slot,
  ): Promise<CallResponse | undefined> {
    if (call.disconnected) throw new ClientDisconnected()
    keepSlot(slot)
    const outcome = await work()
    if (isRefusal(outcome)) {
      // What the provider sent may not be enough for an answer: a page in an order that needs the whole area.
      await countUnpaid(call)
      return refuseCall(call, outcome)
    }
    if ('accepted' in outcome) return respondAccepted(call, outcome)
    if (call.disconnected) throw new ClientDisconnected()
    keepSlot(slot)
    const made = outcome.data && tags.of(call, outcome.data)
    const tag = typeof made === 'object' ? await made : made
    if (tag && matchesTag(tag, call.tagged?.ifNoneMatch)) {
      const settlement = await recordFree(ledger, call, 304, { record: outcome.record })
      if (settlement.verdict === 'settled') {
        // The response is free, but a query to the provider was not.
        await countUnpaid(call)
        return respondUnchanged(call, tag, settlement)
      }
      outcome.record?.forget()
      return undefined
    }
    const units = unitsWithinLimit(call, operationId, outcome, () => principals.readAgain(call.keyHash))
    if (typeof units !== 'number') {
      await countUnpaid(call)
      return refuseCall(call, await units)
    }
    const settlement = await settleResult(ledger, call, operationId, outcome, units)
    if (settlement.verdict !== 'stale') windows.recorded(call.requestId)
    setCredits(call.headers, settlement.charged, settlement)
    if (settlement.verdict === 'settled') {
      if (call.disconnected && settlement.charged === 0) await countUnpaid(call)
      if (tag !== undefined && settlement.truncatedBy === null) setTag(call.headers, tag)
      return resultResponse(call, outcome, settlement)
    }
    if (settlement.verdict === 'insufficient') {
      await countUnpaid(call)
      // Not even one of its rows can be paid.
      const required = price(operationId, null, Math.min(1, outcome.units))
      // The limit that the call came with may have been reset or changed.
      const limit =
        settlement.keyLeft === null ? undefined : await findKeyAllowance(database, call.principal.keyId)
      return refusalResponse(insufficient(settlement, required, limit), call.requestId, call.headers)
    }
    outcome.record?.forget()
    return undefined
  }

  /** The client has the data already. */
  function respondUnchanged(call: Call, tag: string, settlement: Settlement): CallResponse {
    windows.recorded(call.requestId)
    setCredits(call.headers, 0, settlement)
    setTag(call.headers, tag)
    return { status: 304, headers: call.headers, body: undefined }
  }

  function respondAccepted(call: Call, { accepted, credits }: Accepted): CallResponse {
    windows.recorded(call.requestId)
    setCredits(call.headers, 0, credits)
    return bodyResponse(call, 202, accepted)
  }

  /** Answers an admitted call with a refusal: free, with a usage row. */
  async function refuseCall(call: Call, refusal: Refusal): Promise<CallResponse> {
    const required = refusal.code === 'key_limit_reached' ? Number(refusal.details?.required) : undefined
    const settlement = await recordFree(ledger, call, statusOf(refusal.code), { refusedByKeyLimit: required })
    windows.recorded(call.requestId)
    setCredits(call.headers, 0, settlement)
    return refusalResponse(refusal, call.requestId, call.headers)
  }

  /**
   * The call was not charged, although the provider found something for it: its queries count as failed lookups. Those that
   * found nothing, or were under way when the client disconnected, have been counted.
   */
  async function countUnpaid({ accountId, unpaidQueries }: Call): Promise<void> {
    if (unpaidQueries > 0) await budget.chargeUnpaid(accountId, unpaidQueries)
  }

  /** The response to a thrown error. A failure of the service is logged and never charged. */
  async function fail(call: Call, error: unknown): Promise<CallResponse> {
    try {
      if (call.disconnected || error instanceof ClientDisconnected) {
        await recordFree(ledger, call, CLIENT_DISCONNECTED)
        windows.recorded(call.requestId)
        await countUnpaid(call)
        return CLIENT_GONE
      }
      const refusal =
        error instanceof CallExpired
          ? refuseFor('upstream_timeout', call.phase, {}, { phase: call.phase })
          : refusalOfError(error, log, call.requestId)
      if (error instanceof ChargeLost) return respondLost(call, refusal, error)
      return await refuseCall(call, refusal)
    } catch (secondError) {
      // The usage row could not be written either: the database is gone. The client still gets a response.
      const refusal = refusalOfError(secondError, log, call.requestId)
      return refusalResponse(refusal, call.requestId, call.headers)
    }
  }

  /** It has its usage row, or that is unknown. There is nothing more to write. */
  function respondLost(call: Call, refusal: Refusal, { charge }: ChargeLost): CallResponse {
    if (charge === 'unknown') unsetCredits(call.headers)
    return refusalResponse(refusal, call.requestId, call.headers)
  }

  return { admit, perform }
}
