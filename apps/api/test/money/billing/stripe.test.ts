// Payment by Stripe: for any events in any order, each payment grants its credits once, a refund deducts unspent credits, and the
// ledger shows it.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/money/accounts/change-plan.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { createVisitor } from '../../interfaces/portal/visitor.ts'
import { startTestServer } from '../../setup/test-server.ts'
import { callOf } from '../credits/money.ts'
import { BILLING_FILE } from './prices.ts'
import { SECRET_KEY, type Session, sendEvent, signedEvent, WEBHOOK_SECRET } from './stripe-server.ts'
import { withShop } from './stripe-shop.ts'

const shop = withShop()
const { testDatabase, stripe, server, customer, accountOf, purchasesOf, spend, order, refusalOf } = shop
const { send, completed, refunded, disputed, buy } = shop

describe('a pack', () => {
  it('is paid at Stripe, and its credits are added once, however often the events arrive', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    const [purchase] = await purchasesOf(who)
    const page = await who.visitor.get(`/portal/billing/orders/${purchase!.id}`)
    expect(page.text).toContain(`href="${session.url}"`)
    expect(session.form.get('success_url')).toBe(`${server.url}/portal/billing/return?order=${purchase!.id}`)
    expect(stripe.requests.at(-1)).toMatchObject({
      key: `lotline-purchase-${purchase!.id}`,
      authorization: `Bearer ${SECRET_KEY}`,
    })
    expect((await accountOf(who)).balance).toBe(1000)

    const event = signedEvent('checkout.session.completed', stripe.sessionObject(session))
    const statuses = await Promise.all([
      ...Array.from({ length: 6 }, () => sendEvent(server.url, event)),
      send('checkout.session.async_payment_succeeded', stripe.sessionObject(session)),
    ])
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await sendEvent(server.url, event)).toBe(200)
    expect((await accountOf(who)).balance).toBe(1500)
    expect(await purchasesOf(who)).toMatchObject([{ state: 'paid', isGranted: true }])
    expect((await who.visitor.get(`/portal/billing/orders/${purchase!.id}`)).text).not.toContain(session.url)
  })

  it('is fulfilled when the customer returns before the event, even if the event never arrives', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    const { pathname, search } = new URL(session.form.get('success_url')!)
    // Without a cookie: the browser comes from another site.
    const { text } = await createVisitor(server).get(pathname + search)
    const path = /content="0;url=([^"]+)"/.exec(text)![1]!
    const back = await who.visitor.get(path)
    expect(back.to).toBe(path.replace('?back=1', ''))
    expect((await accountOf(who)).balance).toBe(1000)
    session.status = 'complete'
    const stranger = await customer()
    await stranger.visitor.get(path)
    expect((await accountOf(who)).balance).toBe(1000)
    await who.visitor.get(path)
    expect((await accountOf(who)).balance).toBe(1500)
    await completed(session)
    await who.visitor.get(path)
    expect((await accountOf(who)).balance).toBe(1500)
    const odd = await createVisitor(server).get(`${pathname}?order=${encodeURIComponent('"><script>')}`)
    expect(odd.text).toContain('0;url=/portal/billing"')
  })

  it('with a slow payment method is fulfilled when the money arrives, and not if it fails', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    expect(await completed(session, { payment_status: 'unpaid' })).toBe(200)
    expect((await accountOf(who)).balance).toBe(1000)
    await send('checkout.session.async_payment_succeeded', stripe.sessionObject(session))
    await send('checkout.session.async_payment_failed', stripe.sessionObject(session))
    expect((await accountOf(who)).balance).toBe(1500)

    const second = await order(who, 'small')
    await completed(second, { payment_status: 'unpaid' })
    await send(
      'checkout.session.async_payment_failed',
      stripe.sessionObject(second, { payment_status: 'unpaid' }),
    )
    expect((await accountOf(who)).balance).toBe(1500)
    expect((await purchasesOf(who)).map(({ state }) => state).sort()).toEqual(['failed', 'paid'])
  })

  it('adds its credits even if the plan became Free during the payment', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    await changePlan(testDatabase.database, who.accountId, { plan: 'free', atOnce: true })
    const { balance } = await accountOf(who)
    await completed(session)
    expect((await accountOf(who)).balance).toBe(balance + 500)
  })

  it('that is refunded loses the refunded part of its unspent credits, once', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    await refunded(session, 500)
    await refunded(session, 500)
    // A fifth of the price is a fifth of the credits.
    expect((await accountOf(who)).balance).toBe(1400)
    // Calls spend the credits of the plan first, and then 250 of the pack.
    const call = callOf({ ...who, key: '' }, 'listListings', 1250)
    expect((await server.app.ledger.settle(call)).charged).toBe(1250)
    expect((await accountOf(who)).balance).toBe(150)
    await refunded(session, 2500)
    expect((await accountOf(who)).balance).toBe(0)
    await refunded(session, 1000)
    await refunded(session, 2500)
    expect((await accountOf(who)).balance).toBe(0)
    // Later purchases are not deducted in place of spent credits.
    await buy(who, 'small')
    await refunded(session, 2500)
    expect((await accountOf(who)).balance).toBe(500)
  })

  it('never loses the credits of the plan', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    // An adjustment takes what carries over first.
    await spend(who, 450)
    expect(await accountOf(who)).toMatchObject({ balance: 1050, grant_left: 1000 })
    await refunded(session, 2500)
    expect(await accountOf(who)).toMatchObject({ balance: 1000, grant_left: 1000 })
  })

  it('that is refunded before the event of its payment arrives leaves no credits', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    expect(await refunded(session, 2500)).toBe(200)
    expect(await purchasesOf(who)).toMatchObject([{ state: 'open' }])
    await completed(session)
    expect((await accountOf(who)).balance).toBe(1000)
    expect(await purchasesOf(who)).toMatchObject([{ state: 'paid', isGranted: true }])

    const half = await order(who, 'small')
    await Promise.all([refunded(half, 1250), completed(half), refunded(half, 1250), completed(half)])
    expect((await accountOf(who)).balance).toBe(1250)
  })

  it('that is disputed loses its unspent credits, and a won dispute restores exactly those', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    await disputed(session, 'warning_needs_response', 2500)
    expect((await accountOf(who)).balance).toBe(1500)
    await spend(who, 100)
    await disputed(session, 'needs_response', 2500)
    await disputed(session, 'needs_response', 2500)
    expect((await accountOf(who)).balance).toBe(1000)
    await disputed(session, 'won', 2500)
    await disputed(session, 'won', 2500)
    // The event of its beginning comes late.
    await disputed(session, 'needs_response', 2500)
    expect((await accountOf(who)).balance).toBe(1400)

    const lost = await buy(who, 'small')
    await disputed(lost, 'lost', 1250)
    expect((await accountOf(who)).balance).toBe(1650)
  })

  it('that is refunded and disputed loses its credits once, whichever comes first', async () => {
    const who = await customer()
    for (const isRefundFirst of [true, false]) {
      const session = await buy(who, 'small')
      if (isRefundFirst) await refunded(session, 2500)
      await disputed(session, 'needs_response', 2500)
      if (!isRefundFirst) await refunded(session, 2500)
      expect((await accountOf(who)).balance).toBe(1000)
      // The refund keeps what the dispute gives back.
      await disputed(session, 'won', 2500)
      expect((await accountOf(who)).balance).toBe(1000)
    }
  })
})

describe('events in any order, duplicated and concurrent', () => {
  const paid = (session: Session) => completed(session)
  const refund = (amount: number) => (session: Session) => refunded(session, amount)
  const dispute = (status: string, amount: number) => (session: Session) => disputed(session, status, amount)
  // Of 500 credits for 2,500 hundredths.
  const FACTS = [
    ['a refund in two parts', [paid, refund(500), refund(2500)], 0],
    [
      'a refund and a dispute that is won',
      [paid, refund(1250), dispute('needs_response', 2500), dispute('won', 2500)],
      250,
    ],
    [
      'a refund and a dispute that is lost',
      [paid, refund(1250), dispute('needs_response', 2500), dispute('lost', 2500)],
      0,
    ],
    ['parts that do not overlap', [paid, refund(500), dispute('lost', 1250)], 150],
  ] as const

  it.each(FACTS)('have the same result: %s', { timeout: 300_000 }, async (_name, events, left) => {
    const sequences = fc.shuffledSubarray([...events, ...events], { minLength: 2 * events.length })
    await fc.assert(
      fc.asyncProperty(sequences, fc.integer({ min: 1, max: 4 }), async (sequence, atATime) => {
        const who = await customer()
        const session = await order(who, 'small')
        for (let at = 0; at < sequence.length; at += atATime) {
          const statuses = await Promise.all(sequence.slice(at, at + atATime).map((event) => event(session)))
          expect(new Set(statuses)).toEqual(new Set([200]))
        }
        expect((await accountOf(who)).balance).toBe(1000 + left)
      }),
      { numRuns: process.env.LOTLINE_FULL === '1' ? 20 : 3 },
    )
  })
})

describe('an event changes nothing', () => {
  it('if it is forged, stale, unsigned, too large, or signed with another secret', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    const object = stripe.sessionObject(session)
    const good = signedEvent('checkout.session.completed', object)
    const minutesAgo = Math.floor(Date.now() / 1000) - 400
    for (const sent of [
      { ...good, body: good.body.replace('2500', '2501') },
      { ...good, signature: '' },
      { ...good, signature: 'nonsense' },
      signedEvent('checkout.session.completed', object, { secret: 'whsec_of_another' }),
      signedEvent('checkout.session.completed', object, { at: minutesAgo }),
    ]) {
      expect(await sendEvent(server.url, sent)).toBe(400)
    }
    const large = signedEvent('checkout.session.completed', { ...object, padding: 'x'.repeat(600_000) })
    expect(await sendEvent(server.url, large)).toBe(413)
    expect((await accountOf(who)).balance).toBe(1000)
    expect(await purchasesOf(who)).toMatchObject([{ state: 'open' }])
  })

  it('if its amount, currency, account, session, or reference differs from the order', async () => {
    const who = await customer()
    const other = await customer()
    const session = await order(who, 'small')
    const second = await order(who, 'large')
    const [purchase] = (await purchasesOf(who)).filter(({ item }) => item === 'small')
    const metadata = { purchase_id: purchase!.id, account_id: who.accountId }
    for (const over of [
      { amount_total: 100 },
      { currency: 'eur' },
      { metadata: { ...metadata, account_id: other.accountId } },
      { client_reference_id: second.form.get('client_reference_id') },
      { id: second.id },
      { payment_intent: null },
    ]) {
      expect(await completed(session, over)).toBe(200)
      expect((await accountOf(who)).balance, JSON.stringify(over)).toBe(1000)
    }
    await send('refund.created', { ...stripe.refund(session, 2500), currency: 'eur' })
    await completed(session)
    expect((await accountOf(who)).balance).toBe(1500)
    expect((await accountOf(other)).balance).toBe(1000)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/lotline_payment_events_total\{outcome="mismatch"\} 7/)
  })

  it('if it is of another kind, or about payments of another product', async () => {
    expect(await send('customer.created', { id: 'cus_1', object: 'customer' })).toBe(200)
    const session = { id: 'cs_1', metadata: { purchase_id: 'a book' }, payment_status: 'paid' }
    expect(await send('checkout.session.completed', session)).toBe(200)
    const unknown = { ...session, metadata: { purchase_id: '00000000-0000-4000-8000-000000000000' } }
    expect(await send('checkout.session.completed', { ...unknown, amount_total: 1, currency: 'usd' })).toBe(
      200,
    )
    const charge = { payment_intent: 'pi_other_1', amount_refunded: 5, currency: 'usd' }
    expect(await send('charge.refunded', charge)).toBe(200)
  })
})

describe('an order', () => {
  it('is kept when Stripe does not answer, and eventually has one session', async () => {
    const who = await customer()
    stripe.mode = 'disconnect'
    expect(await refusalOf(who, 'small')).toBe('stripe')
    const [purchase] = await purchasesOf(who)
    expect(purchase).toMatchObject({ state: 'open', checkout: null })
    stripe.mode = 'answer'
    const path = `/portal/billing/orders/${purchase!.id}`
    expect((await who.visitor.get(path)).text).toContain('Prepare the payment')
    expect((await who.visitor.post(`${path}/checkout`)).to).toBe(path)
    const mine = stripe.sessions.filter(({ form }) => form.get('client_reference_id') === purchase!.id)
    expect(mine).toHaveLength(1)
    // The event finds the purchase also if the process was killed before it had stored the session.
    await testDatabase.database.query(
      'update purchases set checkout = null, checkout_url = null where id = $1',
      [purchase!.id],
    )
    await completed(mine[0]!)
    expect((await accountOf(who)).balance).toBe(1500)
  })

  it('that is withdrawn can no longer be paid, and one that is being paid cannot be withdrawn', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    const path = `/portal/billing/orders/${session.form.get('client_reference_id')}/withdraw`
    expect((await who.visitor.post(path)).to).toContain('done=withdrawn')
    expect(session.status).toBe('expired')
    expect(await purchasesOf(who)).toMatchObject([{ state: 'cancelled' }])

    const paying = await order(who, 'small')
    paying.status = 'complete'
    const second = `/portal/billing/orders/${paying.form.get('client_reference_id')}/withdraw`
    expect((await who.visitor.post(second)).to).toContain('refused=paying')
    await completed(paying)
    expect((await accountOf(who)).balance).toBe(1500)
  })

  it('is withdrawn when its session expires', async () => {
    const who = await customer()
    const session = await order(who, 'small')
    session.status = 'expired'
    const event = stripe.sessionObject(session, { payment_status: 'unpaid', payment_intent: null })
    await send('checkout.session.expired', event)
    expect(await purchasesOf(who)).toMatchObject([{ state: 'cancelled' }])
  })
})

it('Stripe secrets appear in no page, response, or log line', async () => {
  const lines: string[] = []
  const { Writable } = await import('node:stream')
  const { pino } = await import('pino')
  const { createBilling } = await import('../../../src/money/billing/billing.ts')
  const { readPriceList } = await import('../../../src/money/billing/price-list.ts')
  const { SILENT_OBSERVER } = await import('../../../src/infrastructure/platform/observer.ts')
  const { Secret } = await import('../../../src/infrastructure/platform/secret.ts')
  const log = pino(
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    }),
  )
  const billing = createBilling({
    database: testDatabase.database,
    log,
    observer: SILENT_OBSERVER,
    prices: readPriceList(BILLING_FILE),
    stripe: {
      secretKey: new Secret(SECRET_KEY),
      webhookSecret: new Secret(WEBHOOK_SECRET),
      apiUrl: stripe.url,
      publicUrl: server.url,
    },
  })
  const account = await openAccount(testDatabase.database, { plan: 'monthly' })
  stripe.mode = 'fail'
  expect(await billing.order(account, { kind: 'pack', item: 'small', price: 2500 })).toMatchObject({
    because: 'stripe',
  })
  expect(lines.join('')).toContain('Stripe did not create a Checkout session')
  expect(lines.join('')).not.toMatch(/sk_test|whsec/)
  // An event that needs an answer of Stripe is sent again.
  const session = { payment_intent: 'pi_other_2', amount_refunded: 5, currency: 'usd' }
  const answer = await fetch(`${server.url}/billing/stripe`, {
    method: 'POST',
    headers: { 'stripe-signature': signedEvent('charge.refunded', session).signature },
    body: signedEvent('charge.refunded', session).body,
  })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(await answer.text()).not.toMatch(/sk_test|whsec/)
})

it('without Stripe settings there is no endpoint for events', async () => {
  const without = await startTestServer(testDatabase, { env: { BILLING_FILE } })
  try {
    expect(await sendEvent(without.url, signedEvent('customer.created', {}))).toBe(404)
  } finally {
    await without.close()
  }
})
