// Plans, packs, and payment for the page "Plan and credits". The API has no operations for them.

// Why: decisions/money/plans-have-no-api.md
// Why: decisions/money/order-form-ids.md

import type { Logger } from 'pino'
import type { StripeConfig } from '../../infrastructure/config.ts'
import type { Database } from '../../infrastructure/database.ts'
import { type Observer, poll } from '../../infrastructure/platform.ts'
import { plans } from '../accounts/plans.ts'
import { purchaseTitle } from './grant.ts'
import {
  canDowngradeFree,
  canPayInAdvance,
  compareWith,
  type NewOrder,
  type OrderingAccount,
  type OrderingSession,
  type OrderResult,
  orderPurchase,
  planDowngrade,
  refuseSession,
  viewAccountState,
  withdrawDowngrade,
  withdrawPurchase,
} from './order.ts'
import { applyPaymentFact, type FactOutcome, type PaymentFact } from './payment-facts.ts'
import type { PriceList } from './price-list.ts'
import { findOwnPurchase, listOwnPurchases, type Purchase } from './purchases.ts'
import { createStripePayments, stripeErrorStatus } from './stripe.ts'
import { createStripeTurns } from './stripe-turns.ts'

/** A plan that the page offers. */
export interface PlanChoice {
  readonly id: string
  readonly title: string
  /** The price of one cycle in hundredths of the currency. 0 for Free. undefined: the plan is not for sale. */
  readonly price: number | undefined
  readonly credits: number
  readonly ratePerMinute: number
  readonly cycleMonths: 1 | 12 | null
  /**
   * The action that the page offers: `upgrade` orders the plan now, `advance` orders it for the time after the running cycle, and
   * `downgrade` schedules it for then without a payment.
   */
  readonly change: 'upgrade' | 'advance' | 'downgrade' | 'none'
  readonly isCurrent: boolean
  /** Whether the plan begins when the running cycle ends. */
  readonly isNext: boolean
}

export interface BillingView {
  readonly payment: 'manual' | 'stripe'
  /** ISO 4217, lower case. */
  readonly currency: string
  /** undefined: the key of the session may not call `getAccount`. Plans, packs, and purchases are then empty too. */
  readonly account:
    | {
        readonly plan: string
        readonly creditsPerCycle: number
        readonly cycleMonths: 1 | 12 | null
        readonly renewsAt: Date | null
        /** The balance minus the credits that jobs hold. */
        readonly available: number
        readonly grantLeft: number
        /** Whether each cycle is paid separately. Without a payment for the next cycle, the plan becomes Free. */
        readonly isPrepaid: boolean
        /** The plan that begins when the cycle ends. */
        readonly next: {
          readonly plan: string
          readonly byCustomer: boolean
          readonly isPaid: boolean
        } | null
      }
    | undefined
  /** Why ordering is closed for this session. */
  readonly closedBecause: 'suspended' | 'key' | undefined
  /** Whether the account has custom terms, which only the operator changes. */
  readonly hasOwnTerms: boolean
  readonly takesPacks: boolean
  readonly plans: readonly PlanChoice[]
  readonly packs: PriceList['packs']
  readonly purchases: readonly Purchase[]
}

export interface Billing {
  view(asking: OrderingSession): Promise<BillingView>
  /**
   * With Stripe, the purchase has a Checkout session afterwards, unless Stripe did not answer. A form that is sent again leads to its
   * first order and asks Stripe nothing.
   */
  order(asking: OrderingSession, order: NewOrder): Promise<OrderResult>
  /** Creates the Checkout session of an open purchase if it has none. */
  openCheckout(asking: OrderingSession, purchaseId: string): Promise<OrderResult>
  /** Asks Stripe whether an open purchase was paid, and grants it. Does nothing if Stripe does not answer. */
  checkPayment(asking: OrderingSession, purchaseId: string): Promise<void>
  withdraw(asking: OrderingSession, purchaseId: string): Promise<OrderResult>
  downgrade(asking: OrderingSession, plan: string): Promise<OrderResult>
  withdrawDowngrade(asking: OrderingSession): Promise<OrderResult>
  /**
   * Handles an event of Stripe. `forged`: it was not signed with the secret in the last 5 minutes. `taken`: it was processed.
   * undefined: the service expects no events.
   *
   * @throws when Stripe should send the event again
   */
  receiveEvent: ((body: Buffer, signature: string) => Promise<'taken' | 'forged'>) | undefined
}

export interface BillingParts {
  readonly database: Database
  readonly log: Logger
  readonly observer: Observer
  readonly prices: PriceList
  /** undefined: the operator approves orders. */
  readonly stripe: StripeConfig | undefined
  /** Timeout of one request to Stripe. Default: 10 seconds. */
  readonly stripeTimeoutMs?: number | undefined
}

export function createBilling({
  database,
  log,
  observer,
  prices,
  stripe: settings,
  stripeTimeoutMs,
}: BillingParts): Billing {
  const payment = settings ? 'stripe' : 'manual'
  const stripe = settings && createStripePayments(settings, purchaseTitle, stripeTimeoutMs)

  const turns = createStripeTurns(database)
  if (!stripe) void warnOfOpenCheckouts(database, log)

  /** Runs the work while it holds the account's turn at Stripe. */
  async function inTurn(
    { accountId }: OrderingSession,
    work: () => Promise<OrderResult>,
  ): Promise<OrderResult> {
    const done = await turns.take(accountId, work)
    return done === 'busy' ? { ok: false, because: 'busy' } : done
  }

  /** Applies facts and returns the most serious outcome: `mismatch`, `unknown`, or `changed`. `ignored`: there are none. */
  async function applyAll(facts: readonly PaymentFact[]): Promise<FactOutcome | 'ignored'> {
    const outcomes = new Set<FactOutcome>()
    for (const fact of facts) {
      const applied = await applyPaymentFact(database, fact)
      outcomes.add(applied)
      if (applied === 'mismatch') {
        log.error({ purchase: fact.purchaseId, kind: fact.kind }, 'a payment does not match its purchase')
      }
    }
    const order = ['mismatch', 'unknown', 'changed', 'unchanged'] as const
    return order.find((outcome) => outcomes.has(outcome)) ?? 'ignored'
  }

  async function openCheckout(asking: OrderingSession, id: string): Promise<OrderResult> {
    const because = await refuseSession(database, asking)
    if (because !== undefined) return { ok: false, because }
    const purchase = await findOwnPurchase(database, asking.accountId, id)
    if (purchase?.state !== 'open') return { ok: false, because: 'closed' }
    if (purchase.payment === 'manual') return { ok: true, id }
    // Stripe is no longer configured. The session may still be paid, and only Stripe can end it.
    if (!stripe) return { ok: false, because: 'stripe' }
    if (purchase.checkout !== null) return { ok: true, id }
    return inTurn(asking, async () => {
      try {
        const checkout = await stripe.openCheckout(purchase)
        await database.query(
          `update purchases set checkout = $2, checkout_url = $3 where id = $1 and state = 'open' and checkout is null`,
          [purchase.id, checkout.id, checkout.url],
        )
        return { ok: true, id }
      } catch (error) {
        log.warn(
          { err: describePaymentError(error), purchase: id },
          'Stripe did not create a Checkout session',
        )
        const status = stripeErrorStatus(error)
        // Stripe repeats its response for the same key. A session that was not stored has no known URL, so a second session
        // cannot lead to a second payment.
        if (status !== undefined && status !== 409 && status !== 429) {
          await database.query(
            'update purchases set refused_checkouts = $2 + 1 where id = $1 and refused_checkouts = $2',
            [purchase.id, purchase.refusedCheckouts],
          )
        }
        return { ok: false, because: 'stripe' }
      }
    })
  }

  /** Waits for the session that the first request with the form is creating, possibly in another process. */
  async function awaitCheckout({ accountId }: OrderingSession, id: string): Promise<void> {
    const bounds = { attempts: CHECKOUT_WAIT_MS / CHECKOUT_POLL_MS, pauseMs: CHECKOUT_POLL_MS }
    await poll(async (attempt) => {
      const purchase = await findOwnPurchase(database, accountId, id)
      if (purchase?.state !== 'open' || purchase.checkout !== null) return true
      // The order may be stored before its turn begins.
      const mayBegin = (attempt - 1) * CHECKOUT_POLL_MS < MAX_TURN_WAIT_MS
      return mayBegin || (await turns.isTaken(accountId)) ? undefined : true
    }, bounds)
  }

  async function withdraw(asking: OrderingSession, id: string): Promise<OrderResult> {
    const because = await refuseSession(database, asking)
    if (because !== undefined) return { ok: false, because }
    const purchase = await findOwnPurchase(database, asking.accountId, id)
    if (purchase?.state !== 'open') return { ok: false, because: 'closed' }
    const { checkout } = purchase
    // A session that was not stored has no known URL.
    if (checkout === null) return withdrawPurchase(database, asking, id, null)
    if (!stripe) return { ok: false, because: 'stripe' }
    return inTurn(asking, async () => {
      try {
        if (await stripe.expireCheckout(checkout)) return withdrawPurchase(database, asking, id, checkout)
        // Stripe may not have delivered the event of the payment.
        await applyAll(await stripe.readCheckout(checkout))
        return { ok: false, because: 'paying' }
      } catch (error) {
        log.warn({ err: describePaymentError(error), purchase: id }, 'Stripe did not end a Checkout session')
        return { ok: false, because: 'stripe' }
      }
    })
  }

  return {
    async view(asking) {
      const current = await viewAccountState(database, asking)
      const { account } = current
      const shop = { payment, currency: prices.currency } as const
      if (!current.mayView) {
        const none = { hasOwnTerms: false, takesPacks: false, plans: [], packs: [], purchases: [] }
        return { ...shop, ...none, account: undefined, closedBecause: 'key' }
      }
      return {
        ...shop,
        account: {
          plan: plans[account.plan].title,
          creditsPerCycle: account.credits_per_cycle,
          cycleMonths: plans[account.plan].cycleMonths,
          renewsAt: account.renews_at,
          available: account.available,
          grantLeft: account.grant_left,
          isPrepaid: account.prepaid,
          next: account.next_plan && {
            plan: plans[account.next_plan.plan].title,
            byCustomer: account.next_plan.by_customer,
            isPaid: current.isNextPaid,
          },
        },
        closedBecause: account.status === 'suspended' ? 'suspended' : current.mayOrder ? undefined : 'key',
        hasOwnTerms: !current.hasPlanTerms,
        takesPacks: plans[account.plan].topUps,
        plans: planChoices(prices, current, payment),
        packs: prices.packs,
        purchases: await listOwnPurchases(database, asking.accountId),
      }
    },
    async order(asking, order) {
      const ordered = await orderPurchase(database, prices, payment, asking, order)
      if (!ordered.ok || !stripe) return ordered
      if (!ordered.isRepeated) return openCheckout(asking, ordered.id)
      await awaitCheckout(asking, ordered.id)
      return ordered
    },
    openCheckout,
    async checkPayment(asking, id) {
      // A key without the right to order must not use up turns of those that have it.
      if (stripe && (await refuseSession(database, asking)) !== undefined) return
      const purchase = await findOwnPurchase(database, asking.accountId, id)
      if (!stripe || purchase?.state !== 'open' || purchase.checkout === null) return
      const { checkout } = purchase
      await turns.take(asking.accountId, async () => {
        try {
          await applyAll(await stripe.readCheckout(checkout))
        } catch (error) {
          log.warn(
            { err: describePaymentError(error), purchase: id },
            'Stripe could not be asked about a payment',
          )
        }
      })
    },
    withdraw,
    downgrade: (asking, plan) => planDowngrade(database, prices, payment, asking, plan),
    withdrawDowngrade: (asking) => withdrawDowngrade(database, asking),
    receiveEvent:
      stripe &&
      (async (body, signature) => {
        try {
          const facts = await stripe.readEvent(body, signature)
          if (facts === 'forged') {
            observer.paymentEvent('forged')
            return 'forged'
          }
          observer.paymentEvent(await applyAll(facts))
          return 'taken'
        } catch (error) {
          observer.paymentEvent('failed')
          throw error
        }
      }),
  }
}

/** How long a repeated form waits for the session of its order. After that, the page of the order offers to create it. */
const CHECKOUT_WAIT_MS = 5_000
const CHECKOUT_POLL_MS = 100
const MAX_TURN_WAIT_MS = 1_000

/** Stripe events for these orders are not received while STRIPE_SECRET_KEY is not set. */
async function warnOfOpenCheckouts(database: Database, log: Logger): Promise<void> {
  try {
    const { rows } = await database.query<{ open: number }>(
      `select count(*)::integer as open from purchases where state = 'open' and payment = 'stripe'`,
    )
    const { open } = rows[0]!
    if (open > 0)
      log.warn({ open }, 'open orders wait for a payment at Stripe, but STRIPE_SECRET_KEY is not set')
  } catch (error) {
    log.warn({ err: describePaymentError(error as Error) }, 'open orders at Stripe could not be counted')
  }
}

/** Keeps only the name and status of an error: its request and headers must not be logged. */
function describePaymentError(error: unknown): {
  readonly name: string
  readonly status?: number
  readonly code?: string
} {
  const { name, statusCode, code } = error as Error & { statusCode?: number; code?: string }
  return { name, ...(statusCode !== undefined && { status: statusCode }), ...(code && { code }) }
}

function planChoices(
  prices: PriceList,
  current: OrderingAccount,
  payment: 'manual' | 'stripe',
): PlanChoice[] {
  const { account, hasPlanTerms, hasOpenPlan } = current
  const offered = (['free', 'monthly', 'annual'] as const).filter(
    (id) => id === 'free' || id === account.plan || prices.plans[id] !== undefined,
  )
  const changeOf = (plan: (typeof offered)[number]): PlanChoice['change'] => {
    if (!hasPlanTerms || hasOpenPlan || (plan !== 'free' && prices.plans[plan] === undefined)) return 'none'
    if (compareWith(account, plan) > 0) return 'upgrade'
    if (canPayInAdvance(current, plan, payment)) return 'advance'
    const isNext = account.next_plan?.plan === plan
    return !isNext && canDowngradeFree(current, plan, payment) ? 'downgrade' : 'none'
  }
  return offered.map((id) => {
    const { title, creditsPerCycle, rateLimitPerMinute, cycleMonths } = plans[id]
    return {
      id,
      title,
      price: id === 'free' ? 0 : prices.plans[id],
      credits: creditsPerCycle,
      ratePerMinute: rateLimitPerMinute,
      cycleMonths,
      change: changeOf(id),
      isCurrent: id === account.plan,
      isNext: account.next_plan?.plan === id,
    }
  })
}
