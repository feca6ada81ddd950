// A service that sells through Stripe, with customers and payment events. The ledger is audited after each test.

import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect } from 'vitest'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import type { PlanId } from '../../../src/money/accounts/plans.ts'
import { listOwnPurchases, type Purchase } from '../../../src/money/billing/purchases.ts'
import { adjustCredits } from '../../../src/money/credits/adjust.ts'
import { signedIn, type Visitor } from '../../interfaces/portal/visitor.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { driftOf } from '../credits/drift.ts'
import { freePort } from '../oauth/oauth-client.ts'
import { BILLING_FILE } from './prices.ts'
import {
  SECRET_KEY,
  type Session,
  sendEvent,
  signedEvent,
  WEBHOOK_SECRET,
  withStripeServer,
} from './stripe-server.ts'

export const ORDERS = {
  small: { kind: 'pack', item: 'small', price: '2500' },
  large: { kind: 'pack', item: 'large', price: '19999' },
  monthly: { kind: 'plan', item: 'monthly', price: '4900' },
  annual: { kind: 'plan', item: 'annual', price: '49000' },
} as const

/** On a busy machine, a late response must not repeat a request to Stripe. */
export const PARTS = { stripeTimeoutMs: 110_000 }

export interface Customer {
  readonly accountId: string
  readonly keyId: string
  readonly visitor: Visitor
}

/** Runs for the duration of the test file. */
export function withShop() {
  const testDatabase = withTestDatabase()
  const stripe = withStripeServer()
  let port = 0
  beforeAll(async () => {
    port = await freePort()
  })
  const env = () => ({
    BILLING_FILE,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  })
  const server = withTestServer(testDatabase, {
    parts: PARTS,
    get port() {
      return port
    },
    get env() {
      return env()
    },
  })

  afterEach(async () => {
    stripe.mode = 'answer'
    expect(await driftOf(testDatabase.database)).toEqual([])
  })

  async function customer(plan: PlanId = 'monthly'): Promise<Customer> {
    const { accountId, keyId, key } = await openAccount(testDatabase.database, { plan })
    return { accountId, keyId, visitor: await signedIn(server, key) }
  }

  async function accountOf({ accountId }: Customer) {
    return (await findAccount(testDatabase.database, accountId))!
  }

  async function purchasesOf({ accountId }: Customer): Promise<Purchase[]> {
    return listOwnPurchases(testDatabase.database, accountId)
  }

  /** Spends the credits that carry over first. */
  async function spend({ accountId }: Customer, credits: number): Promise<void> {
    await adjustCredits(testDatabase.database, accountId, -credits, 'Spent by a test')
  }

  /** Sends the form of a page that was just rendered. */
  const post = (who: Customer, what: keyof typeof ORDERS) =>
    who.visitor.post('/portal/billing/orders', { ...ORDERS[what], form: randomUUID() })

  /** Orders something and returns Stripe's session for it. */
  async function order(who: Customer, what: keyof typeof ORDERS): Promise<Session> {
    const { to } = await post(who, what)
    const id = /^\/portal\/billing\/orders\/([\w-]{36})$/.exec(to!)?.[1]
    if (!id) throw new Error(`The order led to ${to}.`)
    return stripe.sessionOf(id)
  }

  async function refusalOf(who: Customer, what: keyof typeof ORDERS): Promise<string | null> {
    const { to } = await post(who, what)
    return new URL(to!, server.url).searchParams.get('refused')
  }

  const send = (type: string, object: object) => sendEvent(server.url, signedEvent(type, object))
  const completed = (session: Session, over: object = {}) =>
    send('checkout.session.completed', stripe.sessionObject(session, over))
  const refunded = (session: Session, total: number) => {
    stripe.refund(session, total)
    return send('charge.refunded', stripe.chargeObject(session, total))
  }
  const disputed = (session: Session, status: string, amount: number, id = 'du_1') =>
    send(
      status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed',
      stripe.dispute(session, `${id}_${session.id}`, status, amount),
    )

  async function buy(who: Customer, what: keyof typeof ORDERS): Promise<Session> {
    const session = await order(who, what)
    expect(await completed(session)).toBe(200)
    return session
  }

  /** Ends the running cycle of an account. */
  async function endCycle({ accountId }: Customer, months: number): Promise<void> {
    await testDatabase.database.query(
      `update accounts set current_period_start = now() - make_interval(months => $2::integer),
         cycle_anchor = now() - make_interval(months => $2::integer), renews_at = now() where id = $1`,
      [accountId, months],
    )
  }

  return {
    testDatabase,
    stripe,
    server,
    env,
    customer,
    accountOf,
    purchasesOf,
    spend,
    order,
    refusalOf,
    send,
    completed,
    refunded,
    disputed,
    buy,
    endCycle,
  }
}
