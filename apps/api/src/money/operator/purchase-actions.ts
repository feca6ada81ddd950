// Decisions of operators about purchases, from the command line and the console. Each decision and its trail entry are in one
// transaction.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { findAccount } from '../accounts/find-accounts.ts'
import { approvePurchase, type PurchaseDecision, purchaseTitle, refusePurchase } from '../billing/grant.ts'
import type { Purchase } from '../billing/purchases.ts'
import { changeCredits, type MadeChange, type WaitsForApproval } from './credit-limit.ts'
import { type Operator, runAsOperator, type TrailAction } from './trail.ts'

/** Approves an order whose payment has arrived (billing/grant.ts). */
export function approveOrder(
  database: Database,
  operator: Operator,
  id: string,
): Promise<PurchaseDecision | WaitsForApproval> {
  return runAsOperator(database, operator, (change) =>
    changeCredits(
      change,
      { database, operator, action: 'purchases.approve', request: { purchase: id } },
      async (joined): Promise<MadeChange<PurchaseDecision>> => {
        const result = await approvePurchase(joined, id, operator.name)
        if (!result.done) return { result, credits: 0, accountId: '' }
        const { accountId, credits } = result.purchase
        return { result, credits, accountId, action: await describe(joined, operator, result.purchase) }
      },
    ),
  )
}

/** Refuses an order. `reason` is shown to the customer. */
export function refuseOrder(
  database: Database,
  operator: Operator,
  id: string,
  reason?: string,
): Promise<PurchaseDecision> {
  return runAsOperator(database, operator, async (change) => {
    const decided = await refusePurchase(change.database, id, operator.name, reason)
    if (decided.done) await change.note(await describe(change.database, operator, decided.purchase))
    return decided
  })
}

/** The entry of a decided order in the trail. */
async function describe(tx: Queryable, operator: Operator, purchase: Purchase): Promise<TrailAction> {
  const { id, accountId, state, reason, isGranted } = purchase
  const { plan, balance } = (await findAccount(tx, accountId))!
  return {
    action: state === 'refused' ? 'purchases.refuse' : 'purchases.approve',
    accountId,
    object: id,
    before: { state: 'open' },
    after: {
      state,
      order: purchaseTitle(purchase),
      ...(isGranted ? { plan, balance } : { reason }),
      ...(operator.approvedBy !== undefined && { approved_by: operator.approvedBy }),
    },
  }
}
