// Asks Stripe for the state of purchases whose events may be lost, and applies the missed events with the same function and lock
// (billing/payment-facts.ts), so an event that arrives later or concurrently changes nothing more.

// Why: decisions/money/purchases-sync.md

import { type Database, joinTransaction, type Queryable } from '../../infrastructure/database.ts'
import { findAccount } from '../accounts/find-accounts.ts'
import { purchaseTitle } from '../billing/grant.ts'
import { applyPaymentFact, type FactOutcome, type PaymentFact } from '../billing/payment-facts.ts'
import { lockPurchase, type Purchase, stripePurchasePages } from '../billing/purchases.ts'
import { type StripePayments, stripeErrorStatus } from '../billing/stripe.ts'
import { renewIfDue } from '../credits/cycles.ts'
import { type Operator, runAsOperator } from './trail.ts'

/** The figures that are compared: a purchase and its effects on the account. */
export interface PurchaseFigures {
  readonly state: Purchase['state']
  readonly granted: boolean
  /** Refunded amount in hundredths of the currency, without failed refunds and won disputes. */
  readonly paid_back: number
  /** Credits that were deducted for it. */
  readonly deducted: number
  readonly plan: string
  readonly balance: number
}

/**
 * - `changed`: it was not as Stripe says, and is now, or would be.
 * - `mismatch`: the payment does not fit its order. The facts that do not fit were not applied.
 * - `unanswered`: Stripe did not answer, or does not know the purchase. `status` is that of its answer.
 */
export type SyncedPurchase = { readonly purchase: Purchase } & (
  | {
      readonly outcome: 'changed' | 'mismatch'
      readonly before: PurchaseFigures
      readonly after: PurchaseFigures
    }
  | { readonly outcome: 'unanswered'; readonly status: number | undefined }
)

export interface SyncReport {
  /** Purchases that Stripe was asked for. */
  readonly checked: number
  /** The purchases whose state differs from Stripe. */
  readonly found: readonly SyncedPurchase[]
  /** Stripe refused the key, or several requests in a row failed: the rest was not asked for. */
  readonly isIncomplete: boolean
}

/** Requests in a row that fail before the rest is left. */
const MAX_FAILURES = 3

interface SyncParts {
  readonly database: Database
  readonly stripe: Pick<StripePayments, 'readPurchase'>
  readonly operator: Operator
  /** Report what would be changed, and change nothing. */
  readonly dryRun: boolean
}

/**
 * Compares purchases with Stripe, one after the other. Each that is changed has a row in the trail, in the transaction of its change.
 *
 * @param which one purchase, or all at Stripe that are open, paid, or refused by the operator and were ordered since then
 */
export async function syncPurchases(
  parts: SyncParts,
  which: { readonly purchase: Purchase } | { readonly since: Date },
): Promise<SyncReport> {
  const found: SyncedPurchase[] = []
  let checked = 0
  let failures = 0
  for await (const page of 'purchase' in which
    ? [[which.purchase]]
    : stripePurchasePages(parts.database, which.since)) {
    for (const purchase of page) {
      checked++
      const synced = await syncOne(parts, purchase)
      if (synced) found.push(synced)
      failures = synced?.outcome === 'unanswered' && synced.status !== 404 ? failures + 1 : 0
      const isRefused = synced?.outcome === 'unanswered' && (synced.status === 401 || synced.status === 403)
      if (isRefused || failures >= MAX_FAILURES) return { checked, found, isIncomplete: true }
    }
  }
  return { checked, found, isIncomplete: false }
}

async function syncOne(
  { database, stripe, operator, dryRun }: SyncParts,
  purchase: Purchase,
): Promise<SyncedPurchase | undefined> {
  let facts: readonly PaymentFact[]
  try {
    facts = await stripe.readPurchase(purchase)
  } catch (error) {
    return { purchase, outcome: 'unanswered', status: stripeErrorStatus(error) }
  }
  if (facts.length === 0) return undefined
  if (dryRun) return runAndRollBack(database, (joined) => applyAll(joined, purchase, facts))
  return runAsOperator(database, operator, async (change) => {
    const applied = await applyAll(change.database, purchase, facts)
    if (!applied) return undefined
    const { before, after } = applied
    await change.note({
      action: 'purchases.sync',
      accountId: purchase.accountId,
      object: purchase.id,
      before,
      after: {
        ...after,
        ...(JSON.stringify(before) !== JSON.stringify(after) && { order: purchaseTitle(purchase) }),
      },
    })
    return applied
  })
}

/** undefined: everything is as Stripe says. */
async function applyAll(
  database: Database,
  { id, accountId }: Purchase,
  facts: readonly PaymentFact[],
): Promise<Extract<SyncedPurchase, { before: unknown }> | undefined> {
  await lockPurchase(database, id)
  // What a cycle that is due changes is not Stripe's.
  await renewIfDue(database, accountId)
  const before = await readFigures(database, id, accountId)
  const outcomes = new Set<FactOutcome>()
  for (const fact of facts) outcomes.add(await applyPaymentFact(database, fact))
  const outcome = outcomes.has('mismatch') ? 'mismatch' : outcomes.has('changed') ? 'changed' : undefined
  if (!outcome) return undefined
  const after = await readFigures(database, id, accountId)
  return { purchase: (await lockPurchase(database, id))!, outcome, before, after }
}

async function readFigures(tx: Queryable, id: string, accountId: string): Promise<PurchaseFigures> {
  const { rows } = await tx.query<Pick<PurchaseFigures, 'state' | 'granted' | 'paid_back' | 'deducted'>>(
    `select p.state, p.movement_id is not null as granted,
       coalesce(sum(r.amount) filter (where not r.is_void), 0)::bigint as paid_back,
       coalesce(sum(r.taken), 0)::bigint as deducted
     from purchases p left join purchase_reversals r on r.purchase_id = p.id
     where p.id = $1 group by p.id`,
    [id],
  )
  const { plan, balance } = (await findAccount(tx, accountId))!
  return { ...rows[0]!, plan, balance }
}

/** Does the work in a transaction that is rolled back. */
async function runAndRollBack<T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> {
  let result: { readonly of: T } | undefined
  const undo = new Error('This dry run is rolled back.')
  try {
    await database.transaction(async (tx) => {
      result = { of: await work(joinTransaction(database, tx)) }
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  }
  return result!.of
}
