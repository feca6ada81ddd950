// Decisions of operators about purchases, from the command line and the console. Each decision and its trail entry are in one
// transaction.

import type { Database } from '../../infrastructure/database.ts'
import { findAccount } from '../accounts/find-accounts.ts'
import { approvePurchase, type PurchaseDecision, purchaseTitle, refusePurchase } from '../billing/grant.ts'
import { type Operator, runAsOperator } from './trail.ts'

/** Approves an order whose payment has arrived (billing/grant.ts). */
export function approveOrder(database: Database, operator: Operator, id: string): Promise<PurchaseDecision> {
  return decide(database, operator, id, 'purchases.approve', (joined) =>
    approvePurchase(joined, id, operator.name),
  )
}

/** Refuses an order. `reason` is shown to the customer. */
export function refuseOrder(
  database: Database,
  operator: Operator,
  id: string,
  reason?: string,
): Promise<PurchaseDecision> {
  return decide(database, operator, id, 'purchases.refuse', (joined) =>
    refusePurchase(joined, id, operator.name, reason),
  )
}

function decide(
  database: Database,
  operator: Operator,
  id: string,
  action: string,
  work: (database: Database) => Promise<PurchaseDecision>,
): Promise<PurchaseDecision> {
  return runAsOperator(database, operator, async (change) => {
    const decided = await work(change.database)
    if (!decided.done) return decided
    const { accountId, state, reason, isGranted } = decided.purchase
    const { plan, balance } = (await findAccount(change.database, accountId))!
    await change.note({
      action,
      accountId,
      object: id,
      before: { state: 'open' },
      after: {
        state,
        order: purchaseTitle(decided.purchase),
        ...(isGranted ? { plan, balance } : { reason }),
      },
    })
    return decided
  })
}
