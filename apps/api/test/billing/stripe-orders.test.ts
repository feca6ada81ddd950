// Orders at Stripe that cannot be paid, cannot be ended, or are not the session's to decide.

import { pino } from 'pino'
import { expect, it } from 'vitest'
import { issueKey } from '../../src/accounts/keys.ts'
import { createBilling } from '../../src/billing/billing.ts'
import { refusePurchase } from '../../src/billing/grant.ts'
import { readPriceList } from '../../src/billing/price-list.ts'
import { SILENT } from '../../src/platform/observer.ts'
import { Secret } from '../../src/platform/secret.ts'
import { signedIn } from '../portal/visitor.ts'
import { BILLING_FILE } from './prices.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from './stripe-server.ts'
import { withShop } from './stripe-shop.ts'

const shop = withShop()
const { testDatabase, stripe, server, customer, accountOf, purchasesOf, order, refusalOf, completed } = shop

const pathOf = ({ form }: { readonly form: URLSearchParams }) =>
  `/portal/billing/orders/${form.get('client_reference_id')}`

function billingOf(payments: 'manual' | 'stripe', lines: string[] = []) {
  return createBilling({
    ...{ database: testDatabase.database, observer: SILENT, prices: readPriceList(BILLING_FILE) },
    log: pino({}, { write: (line: string) => lines.push(line) }),
    stripe:
      payments === 'manual'
        ? undefined
        : {
            ...{ secretKey: new Secret(SECRET_KEY), webhookSecret: new Secret(WEBHOOK_SECRET) },
            ...{ apiUrl: stripe.url, publicUrl: server.url },
          },
  })
}

it('an order for which Stripe has failed gets its session with another idempotency key, or is withdrawn', async () => {
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

it('an order whose session Stripe does not know is withdrawn', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  await testDatabase.database.query(`update purchases set checkout = 'cs_test_gone' where account_id = $1`, [
    who.accountId,
  ])
  expect((await who.visitor.post(`${pathOf(session)}/withdraw`)).to).toContain('done=withdrawn')
})

it('an order that is paid is given when the customer withdraws it before its event', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  session.status = 'complete'
  expect((await who.visitor.post(`${pathOf(session)}/withdraw`)).to).toContain('refused=paying')
  expect((await accountOf(who)).balance).toBe(1500)
})

it('an order that the operator has refused blocks no other, and is given if it is paid all the same', async () => {
  const who = await customer('free')
  const session = await order(who, 'monthly')
  const id = session.form.get('client_reference_id')!
  expect((await refusePurchase(testDatabase.database, id, 'Maria', 'Not paid')).done).toBe(true)
  await order(who, 'annual')
  await completed(session)
  expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000 })
  expect((await purchasesOf(who)).find((purchase) => purchase.id === id)).toMatchObject({
    ...{ state: 'paid', operator: null, reason: null, isGranted: true },
  })
})

it('a session that may not order ends no order and asks Stripe nothing', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  const few = await issueKey(testDatabase.database, who.accountId, { allowedOperations: ['getAccount'] })
  const visitor = await signedIn(server, few.key)
  const before = stripe.requests.length
  expect((await visitor.post(`${pathOf(session)}/withdraw`)).to).toContain('refused=key')
  expect((await visitor.post(`${pathOf(session)}/checkout`)).to).toContain('refused=key')
  expect(session.status).toBe('open')
  expect(stripe.requests).toHaveLength(before)
})

it('Stripe is asked for an account by one request at a time, and a bounded number of times', async () => {
  const who = await customer()
  const session = await order(who, 'small')
  const id = session.form.get('client_reference_id')!
  const billing = billingOf('stripe')
  const before = stripe.requests.length
  await Promise.all(Array.from({ length: 5 }, () => billing.checkPayment(who, id)))
  expect(stripe.requests.length - before).toBeLessThan(5)
  for (let at = 0; at < 70; at++) await billing.checkPayment(who, id)
  expect(stripe.requests).toHaveLength(before + 60)
  expect(await billing.withdraw(who, id)).toEqual({ ok: false, because: 'busy' })
  expect(session.status).toBe('open')
})

it('without Stripe, an order that can be paid there is not withdrawn, and the log says that it waits', async () => {
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
