// `lotline purchases sync` applies the effects of lost events once, even if the events arrive later.

import { expect, it } from 'vitest'
import { readConfig } from '../../../src/infrastructure/config/config.ts'
import { purchaseTitle } from '../../../src/money/billing/grant.ts'
import { createStripePayments } from '../../../src/money/billing/stripe.ts'
import { syncPurchases } from '../../../src/money/operator/sync-purchases.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import type { Session } from './stripe-server.ts'
import { type Customer, withShop } from './stripe-shop.ts'

const shop = withShop()
const { testDatabase, stripe, env, customer, accountOf, purchasesOf, spend, order, buy } = shop
const { completed, refunded, disputed, send, endCycle } = shop

const sync = (...args: readonly string[]) =>
  lotlineWith({ DATABASE_URL: testDatabase.url, ...env() })('purchases', 'sync', '--operator', 'Ana', ...args)
const balanceOf = async (who: Customer) => (await accountOf(who)).balance
const idOf = ({ form }: Session) => form.get('client_reference_id')!
const trailOf = ({ accountId }: Customer) =>
  readTrail(testDatabase.database, { account: accountId, limit: 10 })

/** The customer has paid, but no event arrives. */
async function pay(session: Session): Promise<void> {
  session.status = 'complete'
}

it('the effects of lost events are reported, then applied once, and events that arrive later change nothing', {
  timeout: 120_000,
}, async () => {
  const paid = await customer()
  const paidSession = await order(paid, 'small')
  await pay(paidSession)
  const planned = await customer('free')
  const plannedSession = await order(planned, 'monthly')
  await pay(plannedSession)
  const refundedOne = await customer()
  const refundedSession = await buy(refundedOne, 'small')
  await spend(refundedOne, 100)
  const refund = stripe.refund(refundedSession, 1250)
  const failedOne = await customer()
  const failedSession = await buy(failedOne, 'small')
  await refunded(failedSession, 2500)
  stripe.refund(failedSession, 2500).status = 'failed'
  const disputedOne = await customer()
  const disputedSession = await buy(disputedOne, 'small')
  stripe.dispute(disputedSession, 'du_lost', 'lost', 2500)
  stripe.dispute(disputedSession, 'du_asked', 'warning_closed', 2500)
  // Paid and refunded without an event.
  const bothSession = await order(paid, 'small')
  await pay(bothSession)
  stripe.refund(bothSession, 2500)
  const quiet = await customer()
  const [expired, processing, unpaid] = [
    await order(quiet, 'small'),
    await order(quiet, 'small'),
    await order(quiet, 'small'),
  ]
  expired.status = 'expired'
  Object.assign(processing, { status: 'complete', payment: 'processing' })
  Object.assign(unpaid, { status: 'complete', payment: 'requires_payment_method' })
  // Purchases that need no change: an open, a granted, and a withdrawn one.
  const openSession = await order(quiet, 'small')
  await buy(quiet, 'small')
  const withdrawn = await order(quiet, 'large')
  await quiet.visitor.post(`/portal/billing/orders/${idOf(withdrawn)}/withdraw`)

  const all = [paid, planned, refundedOne, failedOne, disputedOne, quiet]
  const balances = () => Promise.all(all.map(balanceOf))
  const before = [1000, 100, 1400, 1000, 1500, 1500]
  expect(await balances()).toEqual(before)

  const tried = await sync('--dry-run', '--json')
  expect(tried.stderr).toBe('')
  const changed = [
    paidSession,
    plannedSession,
    refundedSession,
    failedSession,
    disputedSession,
    bothSession,
    expired,
    unpaid,
  ]
  expect(tried.json).toMatchObject({ dry_run: true, checked: 11 })
  const found = tried.json.purchases as {
    purchase_id: string
    before: object
    after: object
    outcome: string
  }[]
  expect(found.map(({ purchase_id: id }) => id).sort()).toEqual(changed.map(idOf).sort())
  const one = (session: Session) => found.find(({ purchase_id: id }) => id === idOf(session))
  expect(one(plannedSession)).toMatchObject({
    outcome: 'changed',
    before: { state: 'open', granted: false, plan: 'free', balance: 100 },
    after: { state: 'paid', granted: true, plan: 'monthly', balance: 1000 },
  })
  expect(one(refundedSession)).toMatchObject({
    before: { paid_back: 0, deducted: 0 },
    after: { paid_back: 1250, deducted: 250, balance: 1150 },
  })
  expect(await balances()).toEqual(before)
  expect((await purchasesOf(paid)).map(({ state }) => state)).toEqual(['open', 'open'])
  expect(await trailOf(paid)).toEqual([])

  const synced = await sync()
  expect(synced).toMatchObject({ code: 0, stderr: '' })
  expect(synced.stdout).toContain('11 purchases compared with Stripe, 8 changed.')
  expect(synced.stdout).toMatch(/pack small +open → paid +\$0\.00 +0 +1000 → 1500 +changed/)
  const after = [1500, 1000, 1150, 1500, 1000, 1500]
  expect(await balances()).toEqual(after)
  expect((await accountOf(planned)).plan).toBe('monthly')
  const states = (await purchasesOf(quiet)).map(({ state }) => state)
  expect(states.sort()).toEqual(['cancelled', 'cancelled', 'failed', 'open', 'open', 'paid'])
  expect(await trailOf(refundedOne)).toMatchObject([
    {
      action: 'purchases.sync',
      operator: 'Ana',
      via: 'command',
      object: idOf(refundedSession),
      before: { deducted: 0, balance: 1400 },
      after: { deducted: 250, balance: 1150 },
    },
  ])
  const closed = (await trailOf(quiet)).map(({ object }) => object)
  expect(new Set(closed)).toEqual(new Set([idOf(expired), idOf(unpaid)]))

  // The events arrive late, and the command is repeated.
  for (const session of [paidSession, plannedSession, bothSession]) expect(await completed(session)).toBe(200)
  await refunded(refundedSession, 1250)
  await send('refund.failed', stripe.refund(failedSession, 0))
  await disputed(disputedSession, 'lost', 2500, 'du_lost')
  expect((await sync()).stdout).toBe('9 purchases compared with Stripe, 0 changed.\n')
  expect(await balances()).toEqual(after)
  expect(await trailOf(refundedOne)).toHaveLength(1)

  refund.status = 'failed'
  await pay(openSession)
  const single = await sync(idOf(openSession), '--json')
  expect(single.json).toMatchObject({ checked: 1, purchases: [{ purchase_id: idOf(openSession) }] })
  expect([await balanceOf(quiet), await balanceOf(refundedOne)]).toEqual([2000, 1150])
})

it('a payment is granted once, even if its events and several runs of the command are concurrent', async () => {
  const { stripe: settings } = readConfig({ ...env(), LOG_LEVEL: 'silent' }).billing!
  const parts = {
    database: testDatabase.database,
    stripe: createStripePayments(settings!, purchaseTitle),
    operator: { name: 'Ana', via: 'command' as const },
    dryRun: false,
  }
  for (let round = 0; round < (process.env.LOTLINE_FULL === '1' ? 10 : 1); round++) {
    const [who, subscriber] = [await customer(), await customer('free')]
    const sessions = [await order(who, 'small'), await order(subscriber, 'monthly')]
    const purchases = [...(await purchasesOf(who)), ...(await purchasesOf(subscriber))]
    for (const session of sessions) {
      await pay(session)
      stripe.refund(session, session === sessions[0] ? 500 : 490)
    }
    const reports = await Promise.all([
      ...purchases.flatMap((purchase) => [1, 2, 3].map(() => syncPurchases(parts, { purchase }))),
      ...sessions.flatMap((session) => [completed(session), completed(session), refunded(session, 400)]),
    ])
    expect(reports.filter((status) => typeof status === 'number' && status !== 200)).toEqual([])
    expect([await balanceOf(who), await balanceOf(subscriber)]).toEqual([1400, 900])
    for (const one of [who, subscriber]) expect((await trailOf(one)).length).toBeLessThanOrEqual(2)
  }
})

it('an ended cycle is not changed by a later sync', async () => {
  const who = await customer('free')
  const session = await buy(who, 'monthly')
  await buy(who, 'monthly')
  stripe.refund(session, 4900)
  await endCycle(who, 1)
  await sync(idOf(session))
  expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000, grant_left: 1000 })
})

it('a payment that does not match its order, or is unknown to Stripe, changes nothing and fails the command', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  session.form.set('line_items[0][price_data][unit_amount]', '100')
  await pay(session)
  const unfit = await sync(idOf(session))
  expect(unfit).toMatchObject({ code: 1, stdout: expect.stringContaining('does not fit') })
  expect(await purchasesOf(who)).toMatchObject([{ state: 'open' }])

  await testDatabase.database.query(`update purchases set checkout = 'cs_test_gone' where id = $1`, [
    idOf(session),
  ])
  const unknown = await sync(idOf(session))
  expect(unknown).toMatchObject({ code: 1, stdout: expect.stringContaining('Stripe answered 404') })
  stripe.mode = 'fail'
  const failed = await sync(idOf(session), '--json')
  expect(failed.code).toBe(1)
  expect(failed.json.purchases).toMatchObject([{ outcome: 'unanswered', stripe_status: 500 }])
  expect(failed.stdout + failed.stderr).not.toMatch(/sk_test|whsec/)
  expect(await balanceOf(who)).toBe(1000)

  const without = lotlineWith({ DATABASE_URL: testDatabase.url })
  expect(await without('purchases', 'sync')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Set STRIPE_SECRET_KEY'),
  })
  expect(await sync(crypto.randomUUID())).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no such purchase'),
  })
})
