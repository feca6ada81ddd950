// What a customer may order, and what a change of plan means. All of it happens under the lock of the account.
//
// - The plans in their order are free, monthly, annual. An upgrade is a change to a later one; the price list is refused unless the
//   prices rise in this order. It begins when it is paid, with a new cycle (accounts/change-plan.ts).
// - A downgrade begins when the running cycle ends. Until then the customer may withdraw it.
// - With Stripe, each cycle is paid for itself: the next one, of the same plan or of a lower one, is ordered in advance. A plan whose next
//   cycle was not paid becomes Free.
// - Packs are for paid plans.
// - Only keys without limits may order: a key with a credit limit, with a list of operations, or of a connector was given to do less.
// - Terms that the operator has agreed with an account (custom, or other figures than those of its plan) only the operator changes.
// Why: decisions/money/what-an-upgrade-is.md
// Why: decisions/money/who-can-order.md

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { changePlanIn } from '../accounts/change-plan.ts'
import { type AccountInfo, findAccount } from '../accounts/find-accounts.ts'
import { type PlanId, plans } from '../accounts/plans.ts'
import { renewIfDue } from '../credits/cycles.ts'
import { journalOrder } from './journal-order.ts'
import type { PriceList, SoldPlan } from './price-list.ts'

/** The account and the key of a session. */
export interface OrderingSession {
  readonly accountId: string
  readonly keyId: string
}

export interface NewOrder {
  readonly kind: 'pack' | 'plan'
  /** The id of a pack, or a plan. */
  readonly item: string
  /** The price that the customer has seen, in hundredths of the currency. */
  readonly price: number
  /** UUID of the submitted form. A form makes one order, however often it is sent. Absent: each call makes an order. */
  readonly form?: string
}

/**
 * - `key`: the key may not order.
 * - `unknown`: there is no such pack or plan, or no such purchase.
 * - `price`: the price is another one now.
 * - `free`: packs are for paid plans.
 * - `terms`: only the operator changes the terms of this account.
 * - `stripe`: Stripe did not answer. The order stays open.
 * - `busy`: Stripe is asked for this account, or was asked too often. The order stays open.
 * - `paying`: it is being paid, and can no longer be withdrawn.
 * - `order`: the change is not an upgrade, or not a downgrade, from the plan as it is now.
 * - `open plan`: another plan was ordered and is not decided yet.
 * - `too many`: the account has too many open purchases, or has made too many in 24 hours.
 * - `closed`: the purchase was decided before, or there is nothing to withdraw.
 */
export type OrderRefusal =
  | 'suspended'
  | 'key'
  | 'unknown'
  | 'price'
  | 'free'
  | 'terms'
  | 'stripe'
  | 'busy'
  | 'paying'
  | 'order'
  | 'open plan'
  | 'too many'
  | 'closed'

export type OrderResult =
  | {
      readonly ok: true
      readonly id: string
      /** The form was sent before, and made this order. Nothing was changed. */
      readonly isRepeated?: boolean
    }
  | { readonly ok: false; readonly because: OrderRefusal }

/** Open purchases per account. */
export const MAX_OPEN_PURCHASES = 10
/** Purchases per account in 24 hours, whatever their outcome. */
const MAX_PURCHASES_PER_DAY = 50

const PLAN_ORDER: readonly PlanId[] = ['free', 'monthly', 'annual']

export interface OrderingAccount {
  readonly account: AccountInfo
  /** Whether the key of the session may order. */
  readonly mayOrder: boolean
  /** Whether it may see the plan, the balance, and the purchases, which requires the right to call `getAccount`. */
  readonly mayView: boolean
  /** Whether the terms are those of a plan, which the customer can change. */
  readonly hasPlanTerms: boolean
  readonly hasOpenPlan: boolean
  /** Whether the next cycle is paid. */
  readonly isNextPaid: boolean
}

/** Locks the account and makes a due renewal. Call it in a transaction. */
async function readAccountState(tx: Queryable, asking: OrderingSession): Promise<OrderingAccount> {
  await tx.query('select from accounts where id = $1 for no key update', [asking.accountId])
  await renewIfDue(tx, asking.accountId)
  return readOrderingAccount(tx, asking)
}

/** Reads the account for a page. Locks it only if a renewal is due, so pages do not wait for each other or for calls. */
export async function viewAccountState(
  database: Queryable,
  asking: OrderingSession,
): Promise<OrderingAccount> {
  const { rowCount } = await database.query('select from accounts where id = $1 and renews_at <= now()', [
    asking.accountId,
  ])
  if (rowCount > 0) await renewIfDue(database, asking.accountId)
  return readOrderingAccount(database, asking)
}

async function readOrderingAccount(
  database: Queryable,
  { accountId, keyId }: OrderingSession,
): Promise<OrderingAccount> {
  const account = (await findAccount(database, accountId))!
  const { rows } = await database.query<
    Pick<OrderingAccount, 'mayOrder' | 'mayView' | 'hasOpenPlan' | 'isNextPaid'>
  >(
    `select allowed_operations is null and limit_id is null and oauth_client is null as "mayOrder",
       coalesce('getAccount' = any (allowed_operations), true) as "mayView",
       exists (select from purchases where account_id = $2 and kind = 'plan' and state = 'open') as "hasOpenPlan",
       exists (select from purchases where account_id = $2 and in_advance and movement_id is null) as "isNextPaid"
     from api_keys where id = $1 and account_id = $2`,
    [keyId, accountId],
  )
  return { account, ...rows[0]!, hasPlanTerms: hasPlanTerms(account) }
}

/** Whether the account has the standard terms of a plan. Only the operator changes custom terms. */
export function hasPlanTerms(account: AccountInfo): boolean {
  const plan = plans[account.plan]
  if (account.plan === 'custom' || account.denied_operations.length > 0) return false
  if (account.next_plan && !account.next_plan.by_customer) return false
  // A grant on Free was given once, and a change of plan cannot take it away.
  if (account.plan === 'free') return account.rate_limit_per_minute <= plan.rateLimitPerMinute
  return (
    account.credits_per_cycle === plan.creditsPerCycle &&
    account.rate_limit_per_minute === plan.rateLimitPerMinute
  )
}

/** Returns a number above 0 for an upgrade, and below 0 for a downgrade. */
export function compareWith(account: AccountInfo, plan: PlanId): number {
  return PLAN_ORDER.indexOf(plan) - PLAN_ORDER.indexOf(account.plan)
}

/** Stores an order that waits for its payment or for the operator, once per form. */
export function orderPurchase(
  database: Database,
  prices: PriceList,
  payment: 'manual' | 'stripe',
  asking: OrderingSession,
  order: NewOrder,
): Promise<OrderResult> {
  return database.transaction(async (tx): Promise<OrderResult> => {
    const current = await readAccountState(tx, asking)
    const item = toOrderItem(prices, order)
    const closed = refuseAll(current)
    // The account is locked, so a concurrent second request with the form finds the order of the first.
    const sent = closed === undefined && (await findSent(tx, asking.accountId, order.form))
    if (sent) return sent
    const because =
      closed ??
      (item === undefined ? 'unknown' : item.price !== order.price ? 'price' : undefined) ??
      (order.kind === 'pack' ? refusePack(current) : refusePlan(current, order.item as SoldPlan, payment)) ??
      (await refuseMany(tx, asking.accountId))
    if (because !== undefined) return { ok: false, because }
    const { rows } = await tx.query<{ id: string }>(
      `insert into purchases (account_id, kind, item, credits, price, currency, payment, key_id, form_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
      [
        asking.accountId,
        order.kind,
        order.item,
        item!.credits,
        item!.price,
        prices.currency,
        payment,
        asking.keyId,
        order.form ?? null,
      ],
    )
    const { id } = rows[0]!
    await journalOrder(tx, 'order_placed', id)
    return { ok: true, id }
  })
}

/** The order of an earlier request with the form. undefined: there was none. */
async function findSent(tx: Queryable, accountId: string, form?: string): Promise<OrderResult | undefined> {
  if (form === undefined) return undefined
  const { rows } = await tx.query<{ id: string; isDecided: boolean }>(
    `select id, payment = 'manual' and state <> 'open' as "isDecided" from purchases
     where account_id = $1 and form_id = $2`,
    [accountId, form],
  )
  if (!rows[0]) return undefined
  const { id, isDecided } = rows[0]
  // The page of the order shows its outcome.
  return isDecided ? { ok: false, because: 'closed' } : { ok: true, id, isRepeated: true }
}

function toOrderItem(prices: PriceList, { kind, item }: NewOrder) {
  if (kind === 'pack') return prices.packs.find(({ id }) => id === item)
  const price = Object.hasOwn(prices.plans, item) ? prices.plans[item as SoldPlan] : undefined
  return price === undefined ? undefined : { price, credits: plans[item as SoldPlan].creditsPerCycle }
}

function refuseAll({ account, mayOrder }: OrderingAccount): OrderRefusal | undefined {
  if (account.status === 'suspended') return 'suspended'
  return mayOrder ? undefined : 'key'
}

function refusePack({ account }: OrderingAccount): OrderRefusal | undefined {
  return plans[account.plan].topUps ? undefined : 'free'
}

function refusePlan(
  current: OrderingAccount,
  plan: SoldPlan,
  payment: 'manual' | 'stripe',
): OrderRefusal | undefined {
  if (!current.hasPlanTerms) return 'terms'
  if (current.hasOpenPlan) return 'open plan'
  const isOrdered = compareWith(current.account, plan) > 0 || canPayInAdvance(current, plan, payment)
  return isOrdered ? undefined : 'order'
}

/** Whether the plan can be paid in advance, for the time after the running cycle. */
export function canPayInAdvance(
  { account, isNextPaid }: OrderingAccount,
  plan: PlanId,
  payment: 'manual' | 'stripe',
): boolean {
  if (payment === 'manual' || plan === 'free' || isNextPaid || account.renews_at === null) return false
  const difference = compareWith(account, plan)
  // The same plan renews automatically unless its cycles are paid one by one.
  return difference < 0 || (difference === 0 && account.prepaid)
}

async function refuseMany(tx: Queryable, accountId: string): Promise<OrderRefusal | undefined> {
  const { rows } = await tx.query<{ open: number; recent: number }>(
    `select count(*) filter (where state = 'open')::integer as open,
       count(*) filter (where created_at > now() - interval '24 hours')::integer as recent
     from purchases where account_id = $1 and (state = 'open' or created_at > now() - interval '24 hours')`,
    [accountId],
  )
  return rows[0]!.open >= MAX_OPEN_PURCHASES || rows[0]!.recent >= MAX_PURCHASES_PER_DAY
    ? 'too many'
    : undefined
}

/** Schedules a downgrade for the end of the running cycle. */
export function planDowngrade(
  database: Database,
  prices: PriceList,
  payment: 'manual' | 'stripe',
  asking: OrderingSession,
  plan: string,
): Promise<OrderResult> {
  return database.transaction(async (tx): Promise<OrderResult> => {
    const current = await readAccountState(tx, asking)
    const isOffered = plan === 'free' || Object.hasOwn(prices.plans, plan)
    const because =
      refuseAll(current) ?? (isOffered ? refuseDowngrade(current, plan as PlanId, payment) : 'unknown')
    if (because !== undefined) return { ok: false, because }
    const changed = await changePlanIn(tx, asking.accountId, { plan: plan as PlanId, byCustomer: true })
    if (changed?.outcome !== 'waiting')
      throw new Error(
        `A downgrade to ${plan} must wait for the end of the cycle, but its outcome is ${changed?.outcome}.`,
      )
    return { ok: true, id: plan }
  })
}

function refuseDowngrade(
  current: OrderingAccount,
  plan: PlanId,
  payment: 'manual' | 'stripe',
): OrderRefusal | undefined {
  if (!current.hasPlanTerms) return 'terms'
  if (current.hasOpenPlan) return 'open plan'
  return canDowngradeFree(current, plan, payment) ? undefined : 'order'
}

/** Whether a downgrade can be scheduled without a payment. */
export function canDowngradeFree(
  { account, isNextPaid }: OrderingAccount,
  plan: PlanId,
  payment: 'manual' | 'stripe',
): boolean {
  if (compareWith(account, plan) >= 0 || account.renews_at === null) return false
  // With Stripe, a plan is paid before it begins, and an unpaid plan becomes Free in any case.
  return payment === 'manual' || (plan === 'free' && !account.prepaid && !isNextPaid)
}

/** Withdraws a downgrade that the customer scheduled. One that the operator scheduled stays. */
export function withdrawDowngrade(database: Database, asking: OrderingSession): Promise<OrderResult> {
  return database.transaction(async (tx): Promise<OrderResult> => {
    const current = await readAccountState(tx, asking)
    const { account } = current
    const because =
      refuseAll(current) ?? (account.next_plan?.by_customer && !current.isNextPaid ? undefined : 'closed')
    if (because !== undefined) return { ok: false, because }
    // Changing to the same plan with the same figures cancels the waiting change.
    await changePlanIn(tx, asking.accountId, { plan: account.plan })
    return { ok: true, id: account.plan }
  })
}

/** Why the session may not order or withdraw. undefined: it may. */
export function refuseSession(
  database: Database,
  asking: OrderingSession,
): Promise<OrderRefusal | undefined> {
  return viewAccountState(database, asking).then(refuseAll)
}

/**
 * Withdraws an order that waits for the operator, or whose Checkout session ended unpaid.
 *
 * @param checkout the session that ended. null: the order had none, and got none in the meantime
 */
export function withdrawPurchase(
  database: Database,
  asking: OrderingSession,
  id: string,
  checkout: string | null,
): Promise<OrderResult> {
  return database.transaction(async (tx): Promise<OrderResult> => {
    const because = refuseAll(await readAccountState(tx, asking))
    if (because !== undefined) return { ok: false, because }
    const { rowCount } = await tx.query(
      `update purchases set state = 'cancelled', closed_at = now()
       where id::text = $1 and account_id = $2 and state = 'open' and checkout is not distinct from $3`,
      [id, asking.accountId, checkout],
    )
    if (rowCount === 0) return { ok: false, because: 'closed' }
    await journalOrder(tx, 'order_closed', id)
    return { ok: true, id }
  })
}
