// What Stripe reports about a payment, and what follows for the credits. Events arrive often, late, and in any order. So each is
// stored as a fact, under the lock of the account, and what the facts together ask for is compared with what was done already.
//
// - Paid: what was bought is given, once.
// - Refunded: of the credits, the part that all refunds together have paid back is deducted, rounded down, as far as it is not spent.
//   What is spent stays spent. What jobs hold is deducted when they release it.
// - Disputed: the disputed part is deducted in the same way.
// - A refund that fails, or a dispute that is won, gives back exactly what it has taken, once. Refunds and disputes that found too little
//   then take what they asked for, up to what came back. So the result does not depend on the order of the events.
// Why: decisions/money/stripe-events-are-facts.md
// Why: decisions/money/refunds-are-facts.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { renewIfDue } from '../credits/cycles.ts'
import { deductCredits, givePaid, replaceAdvanceByCredits, restoreCredits } from './grant.ts'
import { journalOrder } from './journal-order.ts'
import { lockPurchase, type Purchase } from './purchases.ts'

interface ReversalDetails {
  readonly purchaseId: string
  readonly paymentIntent: string
  /** The id of the refund or of the dispute. */
  readonly cause: string
  /** The amount in hundredths of the currency. */
  readonly amount: number
  readonly currency: string
  /** The refund failed or was cancelled, or the dispute was won. Later reports do not change this. */
  readonly isVoid: boolean
}

export type PaymentFact =
  | {
      readonly kind: 'paid'
      readonly purchaseId: string
      readonly checkout: string
      readonly accountId: string
      /** `client_reference_id` of the session. */
      readonly reference: string | null
      readonly paymentIntent: string | undefined
      readonly amount: number
      readonly currency: string
    }
  | { readonly kind: 'failed' | 'expired'; readonly purchaseId: string; readonly checkout: string }
  | ({ readonly kind: 'refunded' | 'disputed' } & ReversalDetails)

/** `mismatch`: the fact does not fit the purchase, and nothing was changed. `unknown`: there is no such purchase. */
export type FactOutcome = 'changed' | 'unchanged' | 'mismatch' | 'unknown'

/** Stores a fact and applies its consequences. Repeating it changes nothing. */
export function applyPaymentFact(database: Database, fact: PaymentFact): Promise<FactOutcome> {
  return database.transaction(async (tx) => {
    const purchase = await lockPurchase(tx, fact.purchaseId)
    if (purchase?.payment !== 'stripe') return 'unknown'
    if (!fitsPurchase(fact, purchase)) return 'mismatch'
    // A due renewal runs first, because the refunded cycle may be over.
    await renewIfDue(tx, purchase.accountId)
    const stored = await storeFact(tx, purchase, fact)
    const granted = await givePaid(tx, (await lockPurchase(tx, purchase.id))!)
    const reversed = await reversePayment(tx, (await lockPurchase(tx, purchase.id))!)
    return stored || granted || reversed ? 'changed' : 'unchanged'
  })
}

function fitsPurchase(fact: PaymentFact, purchase: Purchase): boolean {
  if ('checkout' in fact && purchase.checkout !== null && purchase.checkout !== fact.checkout) return false
  if (!('currency' in fact)) return true
  if (purchase.paymentIntent !== null && purchase.paymentIntent !== fact.paymentIntent) return false
  if (fact.currency !== purchase.currency) return false
  if (fact.kind !== 'paid') return fact.amount > 0
  return (
    fact.amount === purchase.price &&
    fact.accountId === purchase.accountId &&
    fact.reference === purchase.id &&
    fact.paymentIntent !== undefined
  )
}

/** Returns whether the fact was new. */
async function storeFact(tx: Queryable, { id, state }: Purchase, fact: PaymentFact): Promise<boolean> {
  switch (fact.kind) {
    case 'paid': {
      // A payment that arrived counts, even if the purchase was cancelled or refused.
      if (state === 'paid') return false
      await tx.query(
        `update purchases set state = 'paid', closed_at = now(), checkout = $2, payment_intent = $3, operator = null, reason = null
         where id = $1`,
        [id, fact.checkout, fact.paymentIntent],
      )
      await journalOrder(tx, 'order_closed', id)
      return true
    }
    case 'failed':
    case 'expired': {
      if (state !== 'open') return false
      await tx.query('update purchases set state = $2, closed_at = now() where id = $1', [
        id,
        fact.kind === 'failed' ? 'failed' : 'cancelled',
      ])
      await journalOrder(tx, 'order_closed', id)
      return true
    }
    case 'refunded':
      return storeReversal(tx, id, 'refund', fact)
    case 'disputed':
      return storeReversal(tx, id, 'dispute', fact)
  }
}

async function storeReversal(
  tx: Queryable,
  purchaseId: string,
  kind: Reversal['kind'],
  { cause, amount, paymentIntent, isVoid }: ReversalDetails,
): Promise<boolean> {
  await tx.query('update purchases set payment_intent = $2 where id = $1', [purchaseId, paymentIntent])
  const { rowCount } = await tx.query(
    `insert into purchase_reversals as r (purchase_id, cause, kind, amount, is_void) values ($1, $2, $3, $4, $5)
     on conflict (purchase_id, cause) do update set amount = greatest(r.amount, $4), is_void = r.is_void or $5
     where r.amount < $4 or (not r.is_void and $5)`,
    [purchaseId, cause, kind, amount, isVoid],
  )
  return rowCount === 1
}

interface Reversal {
  readonly cause: string
  readonly kind: 'refund' | 'dispute'
  readonly amount: number
  readonly isVoid: boolean
  /** Credits that it claims, including spent ones. */
  claimed: number
  /** Credits that it has deducted. */
  taken: number
  /** Credits that it deducts when jobs release them, or when the paid cycle begins. */
  owed: number
  changes: number
}

/** Deducts and restores what the facts require and was not done yet. Returns whether anything was changed. */
async function reversePayment(tx: Queryable, purchase: Purchase): Promise<boolean> {
  if (purchase.state !== 'paid') return false
  // A cycle paid in advance does not begin if its whole price is refunded: it is converted into credits, which are then deducted.
  // If a part is refunded, that part is deducted when the cycle begins.
  if (purchase.isInAdvance) {
    const before = (await readReversals(tx, purchase)).filter(({ isVoid }) => !isVoid)
    if (sumReversals(before, 'amount') >= purchase.price) await replaceAdvanceByCredits(tx, purchase)
  }
  const rows = await readReversals(tx, purchase)
  const claims = claimsByReversal(purchase, rows)
  let hasChanged = false
  let givenBack = 0
  // Credits that one restores may be claimed by another.
  for (const row of rows) {
    const claim = claims.get(row.cause)!
    if (claim >= row.claimed) continue
    const taken = Math.min(row.taken, claim)
    const why = row.kind === 'dispute' ? 'Dispute won' : 'Refund failed'
    const { cause, changes } = row
    if (row.taken > taken) {
      await restoreCredits(tx, purchase, { cause, change: changes + 1, why }, row.taken - taken)
      givenBack += row.taken - taken
    }
    await recordReversal(tx, purchase, row, {
      claimed: claim,
      taken,
      owed: Math.min(row.owed, claim - taken),
    })
    hasChanged = true
  }
  let claimedByAll = sumReversals(rows, 'claimed')
  for (const row of rows) {
    // Refunds and disputes together never claim more than was bought.
    const claim = Math.max(0, Math.min(claims.get(row.cause)! - row.claimed, purchase.credits - claimedByAll))
    // Credits that were spent when they were claimed stay spent, except for credits that came back.
    const again = Math.min(row.claimed - row.taken - row.owed, givenBack)
    if (claim + again === 0) continue
    const back = await deductCredits(
      tx,
      purchase,
      { cause: row.cause, change: row.changes + 1 },
      claim + again,
    )
    givenBack -= Math.min(again, back.taken + back.owed)
    await recordReversal(tx, purchase, row, {
      claimed: row.claimed + claim,
      taken: row.taken + back.taken,
      owed: row.owed + back.owed,
    })
    claimedByAll += claim
    hasChanged = true
  }
  return hasChanged
}

/**
 * The credits that each refund and dispute claims. Refunds together claim the refunded part of the price, rounded down once, so a
 * price that is refunded in three parts claims everything. The latest refunds claim the remainder of rounding, and release it
 * first when a refund fails.
 */
function claimsByReversal(purchase: Purchase, rows: readonly Reversal[]): ReadonlyMap<string, number> {
  const claims = new Map(
    rows.map(({ cause, isVoid, amount }) => [cause, isVoid ? 0 : creditsForAmount(purchase, amount)]),
  )
  const refunds = rows.filter(({ kind, isVoid }) => kind === 'refund' && !isVoid)
  let left = creditsForAmount(purchase, sumReversals(refunds, 'amount')) - sumReversals(refunds, 'claimed')
  for (const { cause, amount, claimed } of refunds.toReversed()) {
    const most = Math.max(claimed, creditsForAmount(purchase, amount, 'up'))
    const claim = Math.max(0, Math.min(most, claimed + left))
    claims.set(cause, claim)
    left -= claim - claimed
  }
  return claims
}

async function readReversals(tx: Queryable, { id }: Purchase): Promise<Reversal[]> {
  const { rows } = await tx.query<Reversal>(
    `select cause, kind, amount, is_void as "isVoid", claimed, taken, owed, changes from purchase_reversals
     where purchase_id = $1 order by created_at, cause`,
    [id],
  )
  return rows
}

function sumReversals(rows: readonly Reversal[], figure: 'amount' | 'claimed'): number {
  return rows.reduce((sum, row) => sum + row[figure], 0)
}

/** The credits that an amount has paid for. The product can exceed the exact range of a number, so it is computed with bigints. */
function creditsForAmount(
  { credits, price }: Purchase,
  amount: number,
  rounded: 'down' | 'up' = 'down',
): number {
  const product = BigInt(credits) * BigInt(Math.min(amount, price))
  return Number((product + (rounded === 'up' ? BigInt(price) - 1n : 0n)) / BigInt(price))
}

async function recordReversal(
  tx: Queryable,
  { id }: Purchase,
  row: Reversal,
  figures: Pick<Reversal, 'claimed' | 'taken' | 'owed'>,
): Promise<void> {
  Object.assign(row, figures, { changes: row.changes + 1 })
  await tx.query(
    `update purchase_reversals set claimed = $3, taken = $4, owed = $5, changes = $6
     where purchase_id = $1 and cause = $2`,
    [id, row.cause, row.claimed, row.taken, row.owed, row.changes],
  )
}
