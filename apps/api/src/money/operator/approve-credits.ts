// The second person: approves or refuses a change of credits above the limit (credit-limit.ts). An approval makes the change anew, with
// all its checks, in one transaction with the decision.

import type { Database } from '../../infrastructure/database.ts'
import type { PlanChange } from '../accounts/change-plan.ts'
import { explainClosedPurchase } from '../billing/grant.ts'
import { adjustAccount, refundAccount, setPlan, topUpAccount } from './account-actions.ts'
import {
  type CreditAction,
  closePendingCredits,
  lockPendingCredits,
  type PendingCredits,
  waitsForApproval,
} from './credit-limit.ts'
import { approveOrder } from './purchase-actions.ts'
import { type Operator, runAsOperator } from './trail.ts'

export type CreditDecision =
  | { readonly done: true }
  | { readonly done: false; readonly because: 'unknown' | 'own request' | 'no named operator' }
  /** The change is no longer possible. It still waits. */
  | { readonly done: false; readonly because: 'impossible'; readonly why: string }

/** @param operator a named operator other than the one who asked, signed in to the console */
export async function approveCredits(
  database: Database,
  operator: Operator,
  id: string,
): Promise<CreditDecision> {
  try {
    return await runAsOperator(database, operator, async (change): Promise<CreditDecision> => {
      const pending = await lockPendingCredits(change.database, id)
      if (!pending) return { done: false, because: 'unknown' }
      if (operator.operatorId === undefined) return { done: false, because: 'no named operator' }
      if (isOwnRequest({ ...operator, operator: operator.name }, pending))
        return { done: false, because: 'own request' }
      const { accountId, action, credits, operator: name, via, request } = pending
      await closePendingCredits(change.database, id, { state: 'approved', operator })
      await change.note({
        action: 'credits.approve',
        accountId,
        object: id,
        after: { action, credits, asked_by: name },
      })
      const asker: Operator = { name, via, approvedBy: operator.name }
      const why = await MAKE[action](change.database, asker, { accountId, ...request } as never)
      if (why !== undefined) throw new Impossible(why)
      return { done: true }
    })
  } catch (error) {
    // Thrown, so that the decision is undone.
    if (error instanceof Impossible) return { done: false, because: 'impossible', why: error.message }
    throw error
  }
}

/** Refuses a change that waits. The operator who asked may withdraw it, too. */
export function refuseCredits(database: Database, operator: Operator, id: string): Promise<CreditDecision> {
  return runAsOperator(database, operator, async (change): Promise<CreditDecision> => {
    const pending = await lockPendingCredits(change.database, id)
    if (!pending) return { done: false, because: 'unknown' }
    const { accountId, action, credits, operator: name } = pending
    await closePendingCredits(change.database, id, { state: 'refused', operator })
    await change.note({
      action: 'credits.refuse',
      accountId,
      object: id,
      after: { action, credits, asked_by: name },
    })
    return { done: true }
  })
}

/** Whether the operator asked for the change. Also by the name: the same person may have asked with the command. */
export function isOwnRequest(
  { operatorId, operator }: { readonly operatorId?: string | undefined; readonly operator: string },
  asked: Pick<PendingCredits, 'operatorId' | 'operator'>,
): boolean {
  return operatorId === asked.operatorId || operator.toLowerCase() === asked.operator.toLowerCase()
}

class Impossible extends Error {
  override readonly name = 'Impossible'
}

/** Makes each change with the arguments that were kept. Returns why it is not possible. */
const MAKE: Readonly<
  Record<CreditAction, (database: Database, asker: Operator, request: never) => Promise<string | undefined>>
> = {
  'credits.topup': async (database, asker, { accountId, amount, reason, reference }: TopUpRequest) => {
    const result = await topUpAccount(database, asker, accountId, amount, { reason, reference })
    if (waitsForApproval(result)) throw new Error('An approved top-up waits for an approval.')
    if (result.toppedUp) return undefined
    return result.because === 'reference used'
      ? 'A top-up with this reference was made meanwhile.'
      : 'The plan of the account takes no top-ups.'
  },
  'credits.adjust': async (database, asker, { accountId, amount, reason }: AdjustRequest) => {
    const result = await adjustAccount(database, asker, accountId, amount, reason)
    return 'adjusted' in result && result.adjusted
      ? undefined
      : 'The account has fewer credits than this takes.'
  },
  'credits.refund': async (database, asker, { accountId, request, reason }: RefundRequest) => {
    const result = await refundAccount(database, asker, accountId, request, reason)
    return 'refunded' in result && result.refunded > 0 ? undefined : 'The call was refunded meanwhile.'
  },
  'accounts.set-plan': async (database, asker, { accountId, change }: PlanRequest) => {
    return (await setPlan(database, asker, accountId, change)) ? undefined : 'There is no such account.'
  },
  'purchases.approve': async (database, asker, { purchase }: { readonly purchase: string }) => {
    const decided = await approveOrder(database, asker, purchase)
    if (waitsForApproval(decided)) throw new Error('An approved order waits for an approval.')
    return decided.done ? undefined : explainClosedPurchase(decided)
  },
}

interface TopUpRequest {
  readonly accountId: string
  readonly amount: number
  readonly reason?: string
  readonly reference?: string
}
interface AdjustRequest {
  readonly accountId: string
  readonly amount: number
  readonly reason: string
}
interface RefundRequest {
  readonly accountId: string
  readonly request: string
  readonly reason: string
}
interface PlanRequest {
  readonly accountId: string
  readonly change: PlanChange
}
