// Orders at Stripe that cannot be paid or ended, or that the session may not decide.

import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { SILENT_OBSERVER } from '../../../src/infrastructure/platform/observer.ts'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'
import { createVisitorLimits } from '../../../src/money/accounts/failed-keys.ts'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { createBilling } from '../../../src/money/billing/billing.ts'
import { refusePurchase } from '../../../src/money/billing/grant.ts'
import { readPriceList } from '../../../src/money/billing/price-list.ts'
import { STRIPE_QUEUE } from '../../../src/money/billing/stripe-turns.ts'
import { createVisitor, signedIn } from '../../interfaces/portal/visitor.ts'
import { startTestServer } from '../../setup/test-server.ts'
import { BILLING_FILE } from './prices.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from './stripe-server.ts'
import { type Customer, ORDERS, PARTS, withShop } from './stripe-shop.ts'

const shop = withShop()
const { testDatabase, stripe, server, env, customer, accountOf, purchasesOf, order } = shop
const { refusalOf, completed } = shop

const pathOf = ({ form }: { readonly form: URLSearchParams }) =>
  `/portal/billing/orders/${form.get('client_reference_id')}`

function billingOf(payments: 'manual' | 'stripe', lines: string[] = []) {
  return createBilling({
    database: testDatabase.database,
    observer: SILENT_OBSERVER,
    prices: readPriceList(BILLING_FILE),
    ...PARTS,
    log: pino({}, { write: (line: string) => lines.push(line) }),
    stripe:
      payments === 'manual'
        ? undefined
        : {
            secretKey: new Secret(SECRET_KEY),
            webhookSecret: new Secret(WEBHOOK_SECRET),
            apiUrl: stripe.url,
            publicUrl: server.url,
          },
  })
}

it('an order whose Checkout session failed gets one with another idempotency key, or is withdrawn', async () => {
  const who = await customer()
  stripe.mode = 'fail'
  expect(await refusalOf(who, 'small')).toBe('stripe')
  stripe.mode = 'answer'
  const [purchase] = await purchasesOf(who)
  const path = `/portal/billing/orders/${purchase!.id}`
  expect((await who.visitor.post(`${path}/checkout`)).to).toBe(path)
  expect(stripe.requests.at(-1)!.key).toBe(`lotline-purchase-${purchase!.id}-1`)
  await completed(stripe.sessionOf(purchase!.id))
  expect((await accountOf(who)).balance).toBe(1500)

  stripe.mode = 'fail'
  expect(await refusalOf(who, 'annual')).toBe('stripe')
  const [annual] = await purchasesOf(who)
  // Stripe still fails.
  const withdrawn = await who.visitor.post(`/portal/billing/orders/${annual!.id}/withdraw`)
  expect(withdrawn.to).toContain('done=withdrawn')
})

it('an order whose session is unknown to Stripe can be withdrawn', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  await testDatabase.database.query(`update purchases set checkout = 'cs_test_gone' where account_id = $1`, [
    who.accountId,
  ])
  expect((await who.visitor.post(`${pathOf(session)}/withdraw`)).to).toContain('done=withdrawn')
})

it('a paid order is fulfilled when the customer withdraws it before the event arrives', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  session.status = 'complete'
  expect((await who.visitor.post(`${pathOf(session)}/withdraw`)).to).toContain('refused=paying')
  expect((await accountOf(who)).balance).toBe(1500)
})

it('a refused order blocks no other, and is fulfilled if it is paid anyway', async () => {
  const who = await customer('free')
  const session = await order(who, 'monthly')
  const id = session.form.get('client_reference_id')!
  expect((await refusePurchase(testDatabase.database, id, 'Maria', 'Not paid')).done).toBe(true)
  await order(who, 'annual')
  await completed(session)
  expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000 })
  expect((await purchasesOf(who)).find((purchase) => purchase.id === id)).toMatchObject({
    state: 'paid',
    operator: null,
    reason: null,
    isGranted: true,
  })
})

it('a session without the right to order cancels nothing and sends nothing to Stripe', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  const few = await issueKey(testDatabase.database, who.accountId, { allowedOperations: ['getAccount'] })
  const visitor = await signedIn(server, few.key)
  const before = stripe.requests.length
  expect((await visitor.post(`${pathOf(session)}/withdraw`)).to).toContain('refused=key')
  expect((await visitor.post(`${pathOf(session)}/checkout`)).to).toContain('refused=key')
  expect((await visitor.get(`${pathOf(session)}?back=1`)).to).toBe(pathOf(session))
  const { rows: turns } = await testDatabase.database.query(
    'select from stripe_turns where account_id = $1',
    [who.accountId],
  )
  expect(turns).toEqual([])
  expect(session.status).toBe('open')
  expect(stripe.requests).toHaveLength(before)
})

it('a key without the right to call getAccount sees no plan, no balance, and no order', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  const pageFor = async (allowedOperations: readonly 'getAccount'[] | ['searchByCity']) => {
    const { key } = await issueKey(testDatabase.database, who.accountId, { allowedOperations })
    const visitor = await signedIn(server, key)
    return { page: (await visitor.get('/portal/billing')).text, order: await visitor.get(pathOf(session)) }
  }
  const hidden = await pageFor(['searchByCity'])
  expect(hidden.page).toContain('may not call getAccount')
  for (const text of ['Available now', 'Monthly', '$25.00', session.url])
    expect(hidden.page).not.toContain(text)
  expect(hidden.order.to).toBe('/portal/billing')
  const shown = await pageFor(['getAccount'])
  expect(shown.page).toContain('Available now')
  expect(shown.order.text).toContain(session.url)
})

it('the pages do not wait for the account lock, and each key has a limited rate of them', async () => {
  const who = await customer()
  await testDatabase.database.transaction(async (tx) => {
    await tx.query('select from accounts where id = $1 for no key update', [who.accountId])
    expect((await who.visitor.get('/portal/billing')).status).toBe(200)
  })

  let [underWay, most] = [0, 0]
  const counted: Database = {
    ...testDatabase.database,
    query: (async (...args: Parameters<Database['query']>) => {
      const isCounted = args[0].includes('renews_at <= now()')
      if (isCounted) most = Math.max(most, ++underWay)
      try {
        return await testDatabase.database.query(...args)
      } finally {
        if (isCounted) underWay--
      }
    }) as Database['query'],
  }
  const other = await startTestServer(
    { database: counted },
    { env: env(), parts: { ...PARTS, visitorLimits: createVisitorLimits(() => 0) } },
  )
  try {
    const there = ({ visitor: { cookie } }: Customer) => Object.assign(createVisitor(other), { cookie })
    const pages = await Promise.all(Array.from({ length: 62 }, () => there(who).get('/portal/billing')))
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(60)
    const refused = pages.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(2)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(most).toBe(1)
    // Another key is not delayed.
    expect((await there(await customer()).get('/portal/billing')).status).toBe(200)
  } finally {
    await other.close()
  }
})

it('a form that is sent twice concurrently makes one order with one session, also in two processes', async () => {
  const who = await customer()
  const other = await startTestServer(testDatabase, { env: env(), parts: PARTS })
  try {
    const page = (await who.visitor.get('/portal/billing')).text
    const form = /name="form" value="([\w-]{36})"/.exec(page)![1]!
    const there = Object.assign(createVisitor(other), { cookie: who.visitor.cookie })
    const answers = await Promise.all(
      [who.visitor, there, who.visitor, there].map((one) =>
        one.post('/portal/billing/orders', { ...ORDERS.small, form }, { origin: server.url }),
      ),
    )
    const [purchase, ...more] = await purchasesOf(who)
    expect(more).toEqual([])
    const path = `/portal/billing/orders/${purchase!.id}`
    expect(answers.map(({ to }) => to)).toEqual([path, path, path, path])
    const made = stripe.requests.filter(({ key }) => key === `lotline-purchase-${purchase!.id}`)
    expect(made).toHaveLength(1)
    // Both responses lead to the page of the same order.
    expect((await there.get(path)).text).toContain(`href="${stripe.sessionOf(purchase!.id).url}"`)
    await completed(stripe.sessionOf(purchase!.id))
    const again = await there.post(
      '/portal/billing/orders',
      { ...ORDERS.small, form },
      { origin: server.url },
    )
    expect(again.to).toBe(path)
    expect((await accountOf(who)).balance).toBe(1500)
  } finally {
    await other.close()
  }
})

it('all processes together send Stripe one request at a time per account, at a limited rate', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  const id = session.form.get('client_reference_id')!
  // Each stands for a process.
  const [here, there] = [billingOf('stripe'), billingOf('stripe')]
  const before = stripe.requests.length
  const release = stripe.hold()
  const first = here.checkPayment(who, id)
  await expect.poll(() => stripe.requests.length, { timeout: 20_000 }).toBe(before + 1)
  for (const billing of [here, there]) {
    expect(await billing.withdraw(who, id)).toEqual({ ok: false, because: 'busy' })
    await billing.checkPayment(who, id)
  }
  release()
  await first
  expect(stripe.requests).toHaveLength(before + 1)

  // The order and the first check used two turns.
  for (let at = 2; at < STRIPE_QUEUE.perHour; at++) await (at % 2 ? here : there).checkPayment(who, id)
  expect(stripe.requests).toHaveLength(before + STRIPE_QUEUE.perHour - 1)
  const budgets = async () =>
    (await testDatabase.database.query('select ctid::text, xmin::text from budgets order by 1, 2')).rows
  const usedUp = await budgets()
  for (const billing of [here, there, billingOf('stripe')]) {
    await billing.checkPayment(who, id)
    expect(await billing.withdraw(who, id)).toEqual({ ok: false, because: 'busy' })
  }
  expect(stripe.requests).toHaveLength(before + STRIPE_QUEUE.perHour - 1)
  // An account without turns writes nothing, however often it tries.
  expect(await budgets()).toEqual(usedUp)
  expect(session.status).toBe('open')
  // Another account is not delayed.
  await order(await customer(), 'small')
})

it('the Stripe lock of a killed process expires by itself', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  const id = session.form.get('client_reference_id')!
  const killed = (until: string) =>
    testDatabase.database.query(
      `insert into stripe_turns values ($1, gen_random_uuid(), now() + $2::interval)
       on conflict (account_id) do update set held_until = excluded.held_until`,
      [who.accountId, until],
    )
  await killed('2 minutes')
  expect(await billingOf('stripe').withdraw(who, id)).toEqual({ ok: false, because: 'busy' })
  await killed('0 seconds')
  expect(await billingOf('stripe').withdraw(who, id)).toEqual({ ok: true, id })
})

it('without Stripe settings, an order that is open at Stripe is not withdrawn, and the log reports it', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  const lines: string[] = []
  const billing = billingOf('manual', lines)
  const id = session.form.get('client_reference_id')!
  expect(await billing.withdraw(who, id)).toEqual({ ok: false, because: 'stripe' })
  expect(await purchasesOf(who)).toMatchObject([{ state: 'open' }])
  await expect
    .poll(() => lines.join(''), { timeout: 20_000 })
    .toContain('orders wait for a payment at Stripe')
})
