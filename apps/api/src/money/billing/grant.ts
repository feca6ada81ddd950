// Grants a paid purchase once: the credits of a pack, or a cycle of a plan. The movement has an operator entry whose reference
// names the purchase, and a reference is unique in an account.

// Why: decisions/money/paid-money-keeps-its-worth.md
// Why: decisions/money/refund-leaves-the-plan.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { cancelWaitingChange, changePlanIn, schedulePaidPlan } from '../accounts/change-plan.ts'
import { findAccount } from '../accounts/find-accounts.ts'
import { addCredits } from '../credits/add-credits.ts'
import { renewIfDue } from '../credits/cycles.ts'
import { journalOrder } from './journal-order.ts'
import { hasPlanTerms } from './order.ts'
import { priceText, type SoldPlan } from './price-list.ts'
import { lockPurchase, type Purchase } from './purchases.ts'

/** A readable title of a purchase, such as `Pack small for $25.00`. */
export function purchaseTitle({ kind, item, price, currency }: Purchase): string {
  return `${kind === 'pack' ? 'Pack' : 'Plan'} ${item} for ${priceText(price, currency)}`
}

export type PurchaseDecision =
  | { readonly done: true; readonly purchase: Purchase }
  | { readonly done: false; readonly because: 'unknown' | 'not manual' | 'not an upgrade' | 'terms' }
  /** The purchase was decided earlier. Nothing was changed. */
  | { readonly done: false; readonly because: 'closed'; readonly purchase: Purchase }

/** Explains why an order was not decided, and what to do. */
export function explainClosedPurchase(decided: Exclude<PurchaseDecision, { done: true }>): string {
  switch (decided.because) {
    case 'unknown':
      return 'There is no such purchase.'
    case 'not manual':
      return 'This purchase is paid at Stripe. Only its payment decides.'
    case 'not an upgrade':
      return (
        'The plan of the account has changed since the order, and the ordered plan would take something from it. ' +
        'Refuse the order, or change the plan of the account.'
      )
    case 'terms':
      return (
        'The account has terms of its own since the order, and the ordered plan would replace them. ' +
        'Refuse the order, or change the plan of the account.'
      )
    case 'closed':
      return `This purchase is ${decided.purchase.state}. Nothing was changed.`
  }
}

/**
 * Approves a purchase that waits for the operator, and grants it. A pack is granted on any plan, because the account had a paid
 * plan when it ordered.
 *
 * @param operator the name of the operator who received the payment
 */
export function approvePurchase(database: Database, id: string, operator: string): Promise<PurchaseDecision> {
  return database.transaction(async (tx): Promise<PurchaseDecision> => {
    const found = await lockWaiting(tx, id)
    if (!('accountId' in found)) return found
    if (found.kind === 'plan' && !(await takesPlans(tx, found))) return { done: false, because: 'terms' }
    if (found.kind === 'plan' && !(await beginPlan(tx, found)))
      return { done: false, because: 'not an upgrade' }
    await closePurchase(tx, id, 'paid', operator, null)
    if (found.kind === 'plan') await recordGrant(tx, found, 'plan')
    else await addPurchased(tx, found)
    return { done: true, purchase: (await lockPurchase(tx, id))! }
  })
}

/** Refuses an open purchase. A payment that arrives at Stripe afterwards is still granted. */
export function refusePurchase(
  database: Database,
  id: string,
  operator: string,
  reason?: string,
): Promise<PurchaseDecision> {
  return database.transaction(async (tx): Promise<PurchaseDecision> => {
    const found = await lockOpen(tx, id)
    if (!('accountId' in found)) return found
    await closePurchase(tx, id, 'refused', operator, reason ?? null)
    return { done: true, purchase: (await lockPurchase(tx, id))! }
  })
}

async function lockWaiting(
  tx: Queryable,
  id: string,
): Promise<Purchase | Exclude<PurchaseDecision, { done: true }>> {
  const found = await lockOpen(tx, id)
  return 'accountId' in found && found.payment !== 'manual' ? { done: false, because: 'not manual' } : found
}

async function lockOpen(
  tx: Queryable,
  id: string,
): Promise<Purchase | Exclude<PurchaseDecision, { done: true }>> {
  const purchase = await lockPurchase(tx, id)
  if (!purchase) return { done: false, because: 'unknown' }
  if (purchase.state !== 'open') return { done: false, because: 'closed', purchase }
  return purchase
}

async function closePurchase(
  tx: Queryable,
  id: string,
  state: 'paid' | 'refused',
  operator: string,
  reason: string | null,
): Promise<void> {
  await tx.query(
    'update purchases set state = $2, operator = $3, reason = $4, closed_at = now() where id = $1',
    [id, state, operator, reason],
  )
  await journalOrder(tx, 'order_closed', id)
}

/**
 * Grants a paid purchase if it was not granted yet. A payment that arrived is never lost: a plan that is no longer an upgrade
 * begins when the running cycle ends. If that place is taken, or the account has custom terms by now, the credits are added.
 *
 * @param purchase locked
 * @returns whether anything was granted
 */
export async function givePaid(tx: Queryable, purchase: Purchase): Promise<boolean> {
  if (purchase.state !== 'paid' || purchase.isGranted || purchase.isInAdvance) return false
  if (purchase.kind === 'pack') await addPurchased(tx, purchase)
  else if (!(await takesPlans(tx, purchase))) await addPurchased(tx, purchase)
  else if (await beginPlan(tx, purchase)) await recordGrant(tx, purchase, 'plan')
  else if (!(await beginInAdvance(tx, purchase))) await addPurchased(tx, purchase)
  return true
}

async function addPurchased(tx: Queryable, purchase: Purchase): Promise<void> {
  await addCredits(tx, purchase.accountId, purchase.credits)
  await recordGrant(tx, purchase, 'topup')
}

/** Records why the latest movement was made. Call it in the same transaction. */
async function recordGrant(tx: Queryable, { id }: Purchase, kind: 'plan' | 'topup'): Promise<void> {
  await tx.query('select note_purchase($1, $2)', [id, kind])
}

/** Whether the account still has the standard terms of a plan, as when it ordered. */
async function takesPlans(tx: Queryable, { accountId }: Purchase): Promise<boolean> {
  await renewIfDue(tx, accountId)
  return hasPlanTerms((await findAccount(tx, accountId))!)
}

/** Begins the plan with a new cycle. Returns false and changes nothing if the account would lose something. */
async function beginPlan(tx: Queryable, { accountId, item, payment }: Purchase): Promise<boolean> {
  await tx.query('savepoint plan')
  const change = { plan: item as SoldPlan, prepaid: payment === 'stripe' }
  if ((await changePlanIn(tx, accountId, change))?.outcome === 'begun') return true
  await tx.query('rollback to savepoint plan')
  return false
}

/** Schedules the plan for the end of the running cycle. Returns false if that place is taken. */
async function beginInAdvance(tx: Queryable, { id, accountId, item }: Purchase): Promise<boolean> {
  const account = (await findAccount(tx, accountId))!
  const { rowCount } = await tx.query(
    'select from purchases where account_id = $1 and in_advance and movement_id is null',
    [accountId],
  )
  const isTaken = rowCount !== 0 || (account.next_plan !== null && !account.next_plan.by_customer)
  if (isTaken || account.renews_at === null) return false
  await schedulePaidPlan(tx, accountId, item as SoldPlan)
  await tx.query('update purchases set in_advance = true where id = $1', [id])
  return true
}

/**
 * Converts a cycle that was paid in advance into credits. A plan whose running cycle was paid for then becomes Free without
 * another payment.
 */
export async function replaceAdvanceByCredits(tx: Queryable, { accountId }: Purchase): Promise<void> {
  await tx.query('select credit_cycle_in_advance($1)', [accountId])
  await cancelWaitingChange(tx, accountId)
}

/** The reference of a deduction or restoration. Each change of a refund or dispute has a number, which keeps references unique. */
function entryReference({ id }: Purchase, cause: string, change: number): string {
  return `${cause}, change ${change}, purchase ${id}`
}

/**
 * Deducts the unspent credits of a refunded purchase: of a plan, the rest of its running cycle and credits that were restored
 * after it; of a pack, the credits that carry over.
 *
 * @param cause the id of the refund or dispute
 * @param change its number, unique for the cause
 * @returns the credits deducted now, and those to deduct when jobs release them or when the cycle begins
 */
export async function deductCredits(
  tx: Queryable,
  purchase: Purchase,
  { cause, change }: { readonly cause: string; readonly change: number },
  credits: number,
): Promise<{ readonly taken: number; readonly owed: number }> {
  const { rows } = await tx.query<{ taken: number; owed: number }>(
    'select taken, owed from take_purchase_back($1, $2, $3, $4)',
    [purchase.id, credits, entryReference(purchase, cause, change), `Paid back: ${purchaseTitle(purchase)}`],
  )
  return rows[0]!
}

/**
 * Restores what a failed refund or a won dispute deducted: to the original cycle while that runs, so that another refund can
 * deduct it. Otherwise the credits carry over.
 */
export async function restoreCredits(
  tx: Queryable,
  purchase: Purchase,
  { cause, change, why }: { readonly cause: string; readonly change: number; readonly why: string },
  credits: number,
): Promise<void> {
  await tx.query('select give_purchase_back($1, $2, $3, $4)', [
    purchase.id,
    credits,
    entryReference(purchase, cause, change),
    `${why}: ${purchaseTitle(purchase)}`,
  ])
}
