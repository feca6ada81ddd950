// A payment by Stripe in a real browser, with script and without: a customer orders a pack, is led to Stripe, and has the credits when
// Stripe has said that it is paid.

import { expect, it } from 'vitest'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { withShop } from '../../money/billing/stripe-shop.ts'
import { expectUsable, withPortalBrowser } from './portal-browser.ts'

const shop = withShop()
const { open, signIn, foreign, complaints } = withPortalBrowser(shop.server, 'customers pay in a browser')

it.each([
  ['with script', true],
  ['without script', false],
])('%s, a customer orders a pack, pays at Stripe, and returns to the purchase', async (_name, script) => {
  const { key } = await openAccount(shop.testDatabase.database, { plan: 'monthly' })
  const page = await open({ script })
  await signIn(page, key)
  await page.getByRole('link', { name: 'Plan and credits' }).click()
  await page.getByLabel('Buy 500 credits').click()
  await page.getByRole('row').filter({ hasText: '$25.00' }).getByRole('button', { name: 'Order' }).click()
  const payment = page.getByRole('link', { name: 'Continue to payment' })
  await payment.waitFor()
  const session = shop.stripe.sessionOf(new URL(page.url()).pathname.split('/').at(-1)!)
  expect(await payment.getAttribute('href')).toBe(session.url)
  if (script) await expectUsable(page)

  expect(await shop.completed(session)).toBe(200)
  // Where Stripe sends a customer who has paid.
  await page.goto(session.form.get('success_url')!)
  await page.getByText('Paid', { exact: true }).waitFor()
  expect(await payment.count()).toBe(0)
  if (script) await expectUsable(page)
  expect((await shop.server.get('/v1/me', { key })).json.data.credits.balance).toBe(1_500)
})

it('no page loaded anything from another host or violated its policy', () => {
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
})
