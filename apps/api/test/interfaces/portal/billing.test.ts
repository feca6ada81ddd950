// Plan and credits in a real browser, with script and without: a customer orders, the operator approves, the credits are there.

import { describe, expect, it } from 'vitest'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { approvePurchase } from '../../../src/money/billing/grant.ts'
import { listOwnPurchases } from '../../../src/money/billing/purchases.ts'
import { BILLING_FILE } from '../../money/billing/prices.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { findFaults } from '../manual/axe.ts'
import { withPortalBrowser } from './portal-browser.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: { BILLING_FILE } })
const { open, signIn, foreign, complaints } = withPortalBrowser(
  server,
  'customers order plans and packs in a browser',
)

/** Otherwise two of the four states are judged, which together have everything that the others have but their texts. */
const FULL = process.env.LOTLINE_FULL === '1'

async function approve(accountId: string): Promise<void> {
  const purchases = await listOwnPurchases(testDatabase.database, accountId)
  const { id } = purchases.find(({ state }) => state === 'open')!
  expect((await approvePurchase(testDatabase.database, id, 'Maria')).done).toBe(true)
}

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_name, script) => {
  it('a customer upgrades, buys a pack, and plans a downgrade, and every state of the page is accessible', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'free' })
    const page = await open({ script })
    const check = async (state: string, always = false) => {
      // axe needs script in the page.
      if (!script || !(always || FULL)) return
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [360, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate('document.documentElement.scrollWidth'), state).toBe(width)
        expect(await findFaults(page), `${state}, ${width} pixels wide, ${colorScheme}`).toEqual([])
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    }
    await signIn(page, key)
    await page.getByRole('link', { name: 'Plan and credits' }).click()
    await page.getByText('Packs are for paid plans').waitFor()
    await check('the free plan')
    await page.getByLabel('Upgrade to Monthly').click()
    await page.getByText('$49.00 for one month with 1,000 credits.').waitFor()
    await check('an open question')
    await page.getByRole('button', { name: 'Order' }).first().click()
    await page.getByText('Your order was sent').waitFor()
    await page.getByRole('heading', { name: 'Open orders' }).waitFor()
    await check('an open order', true)
    await approve(accountId)

    await page.getByRole('link', { name: 'Plan and credits' }).click()
    await page.getByText('Paid', { exact: true }).waitFor()
    await page.getByLabel('Buy 500 credits').click()
    await page.getByText('500 credits for $25.00.').waitFor()
    await page.getByRole('row').filter({ hasText: '$25.00' }).getByRole('button', { name: 'Order' }).click()
    await page.getByText('Your order was sent').waitFor()
    await approve(accountId)
    await page.getByRole('link', { name: 'Plan and credits' }).click()
    await page.getByText('1,500').waitFor()
    expect((await server.get('/v1/me', { key })).json.data.credits.balance).toBe(1500)

    await page.getByLabel('Downgrade to Free').click()
    await page.getByRole('button', { name: 'Plan the downgrade' }).click()
    await page.getByText('Your plan changes to Free').waitFor()
    await check('a planned downgrade', true)
    await page.getByRole('button', { name: 'Keep Monthly instead of Free' }).click()
    await page.getByText('Your plan stays as it is').waitFor()
  })
})

it('no page loaded anything from another host or violated its policy', () => {
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
})
