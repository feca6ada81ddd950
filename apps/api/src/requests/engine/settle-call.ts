// Check 9 of a call: its work, its charge, its response. Each way out writes one usage row, and only a result is charged.

import { type OperationId, price } from '@lotline/contract'
import type { Logger } from 'pino'
import type { LookupBudget } from '../../data/record-cache.ts'
import type { Database } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { findKeyAllowance, type Principals } from '../../money/accounts.ts'
import { ChargeLost, CLIENT_DISCONNECTED, type Ledger, type Settlement } from '../../money/credits.ts'
import { LimitsUnavailable, type RateWindows, type Slot } from '../../money/limits.ts'
import { insufficientCreditsRefusal } from './account-checks.ts'
import { type Call, CallExpired, ClientDisconnected } from './call.ts'
import { type EntityTags, matchesTag } from './entity-tag.ts'
import { toErrorRefusal } from './error-refusal.ts'
import type { Task } from './handler.ts'
import { type Accepted, recordFree, settleResult, unitsWithinLimit } from './operation-result.ts'
import { statusOfCode } from './problem.ts'
import {
  bodyResponse,
  type CallResponse,
  CLIENT_DISCONNECTED_RESPONSE,
  refusalResponse,
  resultResponse,
  setCredits,
  setTag,
  unsetCredits,
} from './response.ts'

export interface CallSettlementDeps {
  readonly budget: LookupBudget
  readonly database: Database
  readonly ledger: Ledger
  readonly log: Logger
  readonly principals: Principals
  readonly tags: EntityTags
  readonly windows: RateWindows
}

export interface CallSettlements {
  /** Work, charge, respond. undefined: the record was replaced meanwhile. */
  deliver(call: Call, operationId: OperationId, work: Task, slot: Slot): Promise<CallResponse | undefined>
  /** Answers an admitted call with a refusal: free, with a usage row. */
  refuse(call: Call, refusal: Refusal): Promise<CallResponse>
  /** The response to a thrown error. A failure of the service is logged and never charged. */
  fail(call: Call, error: unknown): Promise<CallResponse>
}

export function createCallSettlements(deps: CallSettlementDeps): CallSettlements {
  const { budget, database, ledger, log, principals, tags, windows } = deps
  return { deliver, refuse: refuseCall, fail }

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
      // The provider's answer may not be enough for a response: a page in an order that needs the whole area.
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
      return refusalResponse(
        insufficientCreditsRefusal(settlement, required, limit),
        call.requestId,
        call.headers,
      )
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

  async function refuseCall(call: Call, refusal: Refusal): Promise<CallResponse> {
    const required = refusal.code === 'key_limit_reached' ? Number(refusal.details?.required) : undefined
    const settlement = await recordFree(ledger, call, statusOfCode(refusal.code), {
      refusedByKeyLimit: required,
    })
    windows.recorded(call.requestId)
    setCredits(call.headers, 0, settlement)
    return refusalResponse(refusal, call.requestId, call.headers)
  }

  /**
   * The call was not charged, although the provider found something for it: its queries count as failed lookups. Queries that
   * found nothing, or were under way when the client disconnected, have been counted.
   */
  async function countUnpaid({ accountId, unpaidQueries }: Call): Promise<void> {
    if (unpaidQueries > 0) await budget.chargeUnpaid(accountId, unpaidQueries)
  }

  async function fail(call: Call, error: unknown): Promise<CallResponse> {
    try {
      if (call.disconnected || error instanceof ClientDisconnected) {
        await recordFree(ledger, call, CLIENT_DISCONNECTED)
        windows.recorded(call.requestId)
        await countUnpaid(call)
        return CLIENT_DISCONNECTED_RESPONSE
      }
      const refusal =
        error instanceof CallExpired
          ? refuseFor('upstream_timeout', call.phase, {}, { phase: call.phase })
          : toErrorRefusal(error, log, call.requestId)
      if (error instanceof ChargeLost) return respondLost(call, refusal, error)
      return await refuseCall(call, refusal)
    } catch (secondError) {
      // The usage row could not be written either: the database is gone. The client still gets a response.
      const refusal = toErrorRefusal(secondError, log, call.requestId)
      return refusalResponse(refusal, call.requestId, call.headers)
    }
  }

  /** It has its usage row, or that is unknown. There is nothing more to write. */
  function respondLost(call: Call, refusal: Refusal, { charge }: ChargeLost): CallResponse {
    if (charge === 'unknown') unsetCredits(call.headers)
    return refusalResponse(refusal, call.requestId, call.headers)
  }

  /** Nothing is queried or charged for a call while another call of its key may be in flight. */
  function keepSlot(slot: Slot): void {
    if (slot.lost) throw new LimitsUnavailable('The slot of the key was lost while the call was in flight.')
  }
}
