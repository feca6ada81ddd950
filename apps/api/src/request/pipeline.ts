// ONE REQUEST, from the key to the last byte. Read this first. The order of the checks is part of the product: the first
// that fails answers, and what is checked later is not touched before (no body is read before the key is known, no
// provider is asked before the input is valid, nothing is sent before it is charged).
//
//   admit    1 key · 2 suspended · 3 balance · 4 rate window · 5 plan   before any body is read
//   perform  6 input · 7 slot · 8 credits · 9 work, charge, send
//
// Between the two, route, method and body are judged (serve/server.ts).

import type { FastifyReply, FastifyRequest } from 'fastify'
import { withoutKeys } from '../accounts/api-key.ts'
import { plans } from '../accounts/plans.ts'
import { CALLER_LEFT } from '../credits/ledger.ts'
import { ChargeLost } from '../credits/lost-answers.ts'
import type { House } from '../house.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import { type Slot, TrafficUnavailable } from '../traffic/traffic.ts'
import { authenticate, refuseSuspended } from './authenticate.ts'
import { Call, CallExpired, CallerLeft } from './call.ts'
import { refusalOfError } from './error-refusal.ts'
import type { Handler, Work } from './handler.ts'
import type { Accepted, Delivery } from './outcome.ts'
import { statusOf } from './problem.ts'
import {
  sendBody,
  sendPage,
  sendProblem,
  sendTable,
  setCredits,
  setRateLimit,
  setRowHeaders,
  unsetCredits,
  whenOut,
} from './respond.ts'
import { recordFree, settleDelivery } from './settle.ts'
import { refuseInvalid } from './validate.ts'
import { insufficient, leastPrice, refuseUnaffordable, refuseWithoutBalance } from './with-credits.ts'

/** An answer made from a cached record is made again when the record was replaced meanwhile: at most so many times. */
const MOST_ATTEMPTS = 3
/** Characters of a path that a usage row keeps: a call that costs nothing must not fill the disk. */
const MAX_ENDPOINT = 200

export function createPipeline(house: House) {
  const { callers, clock, windows, queues, ledger, config, log, observer } = house

  /**
   * Checks 1 to 5. Admits the call (`request.call` is set from then on) or answers it. Runs for every path under /v1,
   * known or not.
   */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const identity = await authenticate(request.headers.authorization, callers)
    if (isRefusal(identity)) return sendProblem(reply, identity)
    const { caller, keyHash } = identity
    setCredits(reply, 0, caller.credits.balance - caller.credits.held)

    const refusal = refuseSuspended(caller) ?? refuseWithoutBalance(caller)
    if (refusal) {
      setRateLimit(reply, await windows.look(caller))
      return sendProblem(reply, refusal)
    }

    const admission = await windows.enter(caller, request.id)
    setRateLimit(reply, admission)
    if (!admission.admitted) {
      reply.header('retry-after', String(Math.max(2, Math.ceil(admission.resetMs / 1000))))
      return sendProblem(
        reply,
        refuse(
          'rate_limited',
          `The ${plans[caller.plan].title} plan allows ${admission.limit} requests per minute for each key. ` +
            'Wait for the seconds in Retry-After.',
          { plan: caller.plan, limit_per_minute: admission.limit },
        ),
      )
    }

    const call = new Call({
      requestId: request.id,
      caller,
      keyHash,
      endpoint: withoutKeys(request.url.split('?', 1)[0]!).slice(0, MAX_ENDPOINT),
      accept: request.headers.accept,
      operationId: request.routeOptions.config?.operationId,
      timeoutMs: config.syncTimeoutMs,
      clock,
    })
    request.call = call
    // Who has hung up while the key was looked up is not told of again.
    if (reply.raw.closed) call.leave()
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) call.leave()
      call.end()
    })

    if (call.operationId && caller.deniedOperations.includes(call.operationId)) {
      return refuseCall(
        request,
        reply,
        refuse(
          'plan_not_allowed',
          `The ${plans[caller.plan].title} plan of this account does not include this operation.`,
        ),
      )
    }
    return undefined
  }

  /** Checks 6 to 9, for one operation. The slot is held until the response is out. */
  function perform(handler: Handler) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const call = request.call!
      const operationId = call.operationId!
      const work = refuseInvalid(request, operationId) ?? handler(inputOf(request), call)
      if (isRefusal(work)) return refuseCall(request, reply, work)
      // Many may wait for one key's slot: each keeps what its work needs, and not also all that was sent.
      request.body = undefined

      let slot: Slot | undefined
      try {
        slot = await takeSlot(call)
        // Whoever waited may have been revoked, suspended or left without credits meanwhile.
        const refusal =
          (await refuseChanged(call)) ??
          (work.judgesCredits ? undefined : refuseUnaffordable(call.caller, operationId))
        if (refusal) return await refuseCall(request, reply, refusal)
        call.phase = 'upstream'
        return await deliver(request, reply, work, slot)
      } catch (error) {
        return await fail(request, reply, error)
      } finally {
        if (slot) whenOut(reply.raw, slot.release)
      }
    }
  }

  async function takeSlot(call: Call): Promise<Slot> {
    const end = observer.waitForSlot()
    try {
      const slot = await queues.take(call.caller.keyId, call)
      end('entered')
      return slot
    } catch (error) {
      end('given_up')
      throw error
    }
  }

  /** Nothing is asked or charged for a call beside which another of its key may be in flight by now. */
  function keepSlot(slot: Slot): void {
    if (slot.lost) throw new TrafficUnavailable('The slot of the key was lost while the call was in flight.')
  }

  async function refuseChanged(call: Call): Promise<Refusal | undefined> {
    const caller = await callers.find(call.keyHash)
    if (!caller || caller.revoked) return refuse('invalid_api_key', 'The API key has been revoked.')
    return refuseSuspended(caller) ?? refuseWithoutBalance(caller)
  }

  /** Work, charge, send. */
  async function deliver(
    request: FastifyRequest,
    reply: FastifyReply,
    work: Work,
    slot: Slot,
  ): Promise<FastifyReply> {
    const call = request.call!
    const operationId = call.operationId!
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      if (call.left) throw new CallerLeft()
      keepSlot(slot)
      const outcome = await work()
      if (isRefusal(outcome)) return refuseCall(request, reply, outcome)
      if ('accepted' in outcome) return sendAccepted(call, reply, outcome)
      if (call.left) throw new CallerLeft()
      keepSlot(slot)
      const settlement = await settleDelivery(ledger, call, operationId, outcome)
      if (settlement.verdict !== 'stale') windows.recorded(call.requestId)
      setCredits(reply, settlement.charged, settlement.balance - settlement.held)
      if (settlement.verdict === 'settled') return send(reply, outcome, settlement.granted)
      if (settlement.verdict === 'insufficient') {
        return sendProblem(reply, insufficient(settlement, leastPrice(operationId)))
      }
      outcome.record?.forget()
    }
    throw new Error('the record was replaced each time it was read')
  }

  function sendAccepted(call: Call, reply: FastifyReply, { accepted, credits }: Accepted): FastifyReply {
    windows.recorded(call.requestId)
    setCredits(reply, 0, credits.balance - credits.held)
    return sendBody(reply, 202, accepted)
  }

  function send(reply: FastifyReply, delivery: Delivery, granted: number): FastifyReply {
    if (delivery.page) return sendPage(reply, delivery.page)
    if (delivery.table) setRowHeaders(reply, delivery.table, granted)
    if (delivery.table && delivery.table.format !== 'json') return sendTable(reply, delivery.table, granted)
    const body = delivery.body(granted)
    if (!body || granted >= delivery.units) return sendBody(reply, delivery.status, body)
    return sendBody(reply, delivery.status, {
      ...body,
      meta: { ...body.meta, truncated: true, truncated_by: 'credits' },
    })
  }

  /** Answers an admitted call with a refusal: free, with a usage row. One that was not admitted gets no row. */
  async function refuseCall(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
  ): Promise<FastifyReply> {
    const { call } = request
    if (!call) return sendProblem(reply, refusal)
    const settlement = await recordFree(ledger, call, statusOf(refusal.code))
    windows.recorded(call.requestId)
    setCredits(reply, 0, settlement.balance - settlement.held)
    return sendProblem(reply, refusal)
  }

  /** Answers whatever was thrown. What is our fault is logged; nobody is charged for it. */
  async function fail(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    const { call } = request
    try {
      if (call && (call.left || error instanceof CallerLeft)) {
        await recordFree(ledger, call, CALLER_LEFT)
        windows.recorded(call.requestId)
        return reply.hijack()
      }
      const refusal =
        error instanceof CallExpired
          ? refuse('upstream_timeout', 'The call took longer than a synchronous call may.', {
              phase: call?.phase ?? 'queue',
            })
          : refusalOfError(error, log, request.id)
      if (error instanceof ChargeLost) return sendLost(reply, refusal, error)
      return await refuseCall(request, reply, refusal)
    } catch (secondError) {
      // The usage row could not be written either: the database is gone. The caller is still owed an answer.
      return sendProblem(reply, refusalOfError(secondError, log, request.id))
    }
  }

  /** It has its usage row, or nobody knows: there is nothing more to write. */
  function sendLost(reply: FastifyReply, refusal: Refusal, { charge }: ChargeLost): FastifyReply {
    if (charge === 'unknown') unsetCredits(reply)
    return sendProblem(reply, refusal)
  }

  return { admit, perform, refuseCall, fail }
}

function inputOf({ params, query, headers, body }: FastifyRequest) {
  return { params, query, headers, body }
}

export type Pipeline = ReturnType<typeof createPipeline>
