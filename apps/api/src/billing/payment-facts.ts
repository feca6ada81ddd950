// What Stripe reports about a payment, and what follows for the credits. Events arrive often, late, and in any order. So each is
// stored as a fact, under the lock of the account, and what the facts together ask for is compared with what was done already.
//
// - Paid: what was bought is given, once.
// - Refunded: of the credits, the part that was refunded is deducted, rounded down, as far as it is not spent. What is spent stays
//   spent. A later refund of more takes only its own part. What jobs hold is deducted when they release it.
// - Disputed: the disputed part is deducted in the same way. A dispute that is won gives back exactly what it has taken.

import { renewIfDue } from '../credits/cycles.ts'
import type { Database, Queryable } from '../database/database.ts'
import { dropAdvance, giveBack, givePaid, takeBack } from './grant.ts'
import { lockPurchase, type Purchase } from './purchases.ts'

interface AboutPayment {
  readonly purchaseId: string
  readonly paymentIntent: string
  /** In hundredths of the currency: all that is refunded by now, or disputed. */
  readonly amount: number
  readonly currency: string
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
  | ({ readonly kind: 'refunded' } & AboutPayment)
  | ({ readonly kind: 'disputed'; readonly dispute: string; readonly isWon: boolean } & AboutPayment)

/** `mismatch`: the fact does not fit the purchase, and nothing was changed. `unknown`: there is no such purchase. */
export type FactApplied = 'changed' | 'unchanged' | 'mismatch' | 'unknown'

/** Stores a fact and does what follows. Repeating it changes nothing. */
export function applyPaymentFact(database: Database, fact: PaymentFact): Promise<FactApplied> {
  return database.transaction(async (tx) => {
    const purchase = await lockPurchase(tx, fact.purchaseId)
    if (purchase?.payment !== 'stripe') return 'unknown'
    if (!fits(fact, purchase)) return 'mismatch'
    // Before anything is deducted: the cycle that was paid back may be over.
    await renewIfDue(tx, purchase.accountId)
    const stored = await storeFact(tx, purchase, fact)
    const granted = await givePaid(tx, (await lockPurchase(tx, purchase.id))!)
    const reversed = await reverse(tx, (await lockPurchase(tx, purchase.id))!)
    return stored || granted || reversed ? 'changed' : 'unchanged'
  })
}

function fits(fact: PaymentFact, purchase: Purchase): boolean {
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

/** Whether it was new. */
async function storeFact(tx: Queryable, { id, state }: Purchase, fact: PaymentFact): Promise<boolean> {
  switch (fact.kind) {
    case 'paid': {
      // Money that has arrived counts, also for a purchase that was cancelled or refused before.
      if (state === 'paid') return false
      await tx.query(
        `update purchases set state = 'paid', closed_at = now(), checkout = $2, payment_intent = $3, operator = null, reason = null
         where id = $1`,
        [id, fact.checkout, fact.paymentIntent],
      )
      return true
    }
    case 'failed':
    case 'expired': {
      if (state !== 'open') return false
      await tx.query('update purchases set state = $2, closed_at = now() where id = $1', [
        id,
        fact.kind === 'failed' ? 'failed' : 'cancelled',
      ])
      return true
    }
    case 'refunded':
      return storeReversal(tx, id, 'refunds', fact, false)
    case 'disputed':
      return storeReversal(tx, id, fact.dispute, fact, fact.isWon)
  }
}

/** Amounts of refunds only rise. A dispute that is won stays won. */
async function storeReversal(
  tx: Queryable,
  purchaseId: string,
  cause: string,
  { amount, paymentIntent }: AboutPayment,
  isWon: boolean,
): Promise<boolean> {
  await tx.query('update purchases set payment_intent = $2 where id = $1', [purchaseId, paymentIntent])
  const { rowCount } = await tx.query(
    `insert into purchase_reversals as r (purchase_id, cause, amount, is_won) values ($1, $2, $3, $4)
     on conflict (purchase_id, cause) do update set amount = greatest(r.amount, $3), is_won = r.is_won or $4
     where r.amount < $3 or (not r.is_won and $4)`,
    [purchaseId, cause, amount, isWon],
  )
  return rowCount === 1
}

interface Reversal {
  readonly cause: string
  readonly amount: number
  readonly isWon: boolean
  /** Credits that it has asked back, spent ones included. */
  readonly claimed: number
  /** Credits that it has taken. */
  readonly taken: number
  /** Credits that it takes when jobs release them, or when the cycle that was paid begins. */
  readonly owed: number
}

/** Takes back and gives back what the facts ask for and was not done yet. Whether anything was. */
async function reverse(tx: Queryable, purchase: Purchase): Promise<boolean> {
  if (purchase.state !== 'paid') return false
  // A cycle that has not begun does not begin if its whole price is paid back: it is given as credits, which then are taken. Of a cycle
  // that was paid back in part, the part is taken when it begins.
  if (purchase.isInAdvance) {
    const before = (await readReversals(tx, purchase)).filter(({ isWon }) => !isWon)
    if (before.reduce((sum, { amount }) => sum + amount, 0) >= purchase.price) await dropAdvance(tx, purchase)
  }
  const rows = await readReversals(tx, purchase)
  let hasChanged = false
  // What a dispute gives back may be what a refund asks for.
  for (const { cause, isWon, claimed, taken } of rows) {
    if (!isWon || claimed === 0) continue
    if (taken > 0) await giveBack(tx, purchase, cause, taken)
    await noteReversal(tx, purchase, cause, { claimed: 0, taken: 0, owed: 0 })
    hasChanged = true
  }
  const active = rows.filter(({ isWon }) => !isWon)
  let claimedByAll = active.reduce((sum, { claimed }) => sum + claimed, 0)
  for (const { cause, amount, claimed, taken, owed } of active) {
    // Refunds and disputes together never ask for more than was bought.
    const claim = Math.min(partOf(purchase, amount) - claimed, purchase.credits - claimedByAll)
    if (claim <= 0) continue
    // Unique: what a cause has claimed only rises, and the same amount may claim twice.
    const back = await takeBack(tx, purchase, `${cause}, ${claimed + claim} credits`, claim)
    await noteReversal(tx, purchase, cause, {
      claimed: claimed + claim,
      taken: taken + back.taken,
      owed: owed + back.owed,
    })
    claimedByAll += claim
    hasChanged = true
  }
  return hasChanged
}

async function readReversals(tx: Queryable, { id }: Purchase): Promise<Reversal[]> {
  const { rows } = await tx.query<Reversal>(
    `select cause, amount, is_won as "isWon", claimed, taken, owed from purchase_reversals
     where purchase_id = $1 order by created_at, cause`,
    [id],
  )
  return rows
}

/** The part of the credits that an amount has paid, rounded down. The product of both may be greater than a number is exact. */
function partOf({ credits, price }: Purchase, amount: number): number {
  return Number((BigInt(credits) * BigInt(Math.min(amount, price))) / BigInt(price))
}

async function noteReversal(
  tx: Queryable,
  { id }: Purchase,
  cause: string,
  { claimed, taken, owed }: Pick<Reversal, 'claimed' | 'taken' | 'owed'>,
): Promise<void> {
  await tx.query(
    'update purchase_reversals set claimed = $3, taken = $4, owed = $5 where purchase_id = $1 and cause = $2',
    [id, cause, claimed, taken, owed],
  )
}
