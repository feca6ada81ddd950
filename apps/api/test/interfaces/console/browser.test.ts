// The console in a real browser: each flow with script and without, no request to another host, no serious fault of accessibility in
// light and dark, nothing that runs because a customer wrote it. One browser, one server and one console for the file.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { orderPurchase } from '../../../src/money/billing/order.ts'
import { setCreditLimit } from '../../../src/money/operator/console-access.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { findFaults } from '../manual/axe.ts'
import { ATTACK, withPortalBrowser } from '../portal/portal-browser.ts'
import { fillService, withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, {
  env: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on', WEBHOOK_BACKOFF_MS: '100000' },
})
const console = withTestConsole(server)
const { open, foreign, complaints } = withPortalBrowser(
  console,
  'the console works in a browser and calls no other host',
  { maps: true },
)

/** Every page in every look. */
const FULL = process.env.LOTLINE_FULL === '1'
const LOOKS = [
  [1280, 'light'],
  [360, 'dark'],
  ...(FULL
    ? ([
        [360, 'light'],
        [1280, 'dark'],
      ] as const)
    : []),
] as const

type Page = Awaited<ReturnType<typeof open>>

async function signIn(page: Page, name = 'Ana'): Promise<void> {
  await page.goto(console.url + (await console.link(name)))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
}

describe.each([
  ['with script', true],
  ['without script', false],
] as const)('%s', (name, script) => {
  it('an operator signs in with a link once, and signs out', async () => {
    const link = console.url + (await console.link())
    const page = await open({ script })
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  })

  it('an operator approves one order and refuses another, and the trail records both', async () => {
    const { accountId, keyId } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const prices = { currency: 'usd', plans: {}, packs: [{ id: 'small', credits: 500, price: 2500 }] }
    const asking = [prices, 'manual', { accountId, keyId }] as const
    for (const _ of [1, 2]) {
      const order = { kind: 'pack', item: 'small', price: 2500 } as const
      expect((await orderPurchase(testDatabase.database, ...asking, order)).ok).toBe(true)
    }
    const page = await open({ script })
    await signIn(page, 'Maria')
    await page.getByRole('link', { name: 'Purchases' }).click()
    const orders = page.getByRole('row').filter({ hasText: accountId.slice(0, 8) })
    await orders.first().locator('summary').filter({ hasText: 'Approve' }).click()
    await orders.first().getByRole('button', { name: 'Approve order' }).click()
    await page.getByText('The order was approved').waitFor()
    await orders.first().locator('summary').filter({ hasText: 'Refuse' }).click()
    await orders.first().getByLabel('Reason, shown to the customer').fill(`No payment ${ATTACK}`)
    await orders.first().getByRole('button', { name: 'Refuse order' }).click()
    await page.getByText('The order was refused').waitFor()
    expect(await page.title()).toBe('Purchases · Lotline console')
    expect((await findAccount(testDatabase.database, accountId))!.balance).toBe(1500)
    const trail = await readTrail(testDatabase.database, { account: accountId, limit: 10 })
    expect(trail).toMatchObject([
      { action: 'purchases.refuse', operator: 'Maria', via: 'console', after: { state: 'refused' } },
      {
        action: 'purchases.approve',
        operator: 'Maria',
        via: 'console',
        after: { state: 'paid', balance: 1500 },
      },
    ])
  })

  it('an operator creates an account, finds it, tops it up, changes its plan, suspends and resumes it', async () => {
    const email = `${name.replaceAll(' ', '-')}@example.com`
    const page = await open({ script })
    await signIn(page, `Ana ${ATTACK}`)
    await page.getByRole('link', { name: 'Create account' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Plan').selectOption('monthly')
    await page.getByRole('button', { name: 'Create account' }).click()
    const key = await page.getByLabel('API key').inputValue()
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    // The browser sends the form again: no second account, and no key.
    await page.reload()
    await page.getByText('This form was sent before').waitFor()
    expect(await page.content()).not.toContain(key)

    await page.getByRole('link', { name: 'Accounts', exact: true }).first().click()
    await page.getByRole('searchbox').fill(email.slice(0, 12))
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: email }).click()
    const id = new URL(page.url()).pathname.split('/').at(-1)!

    await page.getByText('Top up', { exact: true }).click()
    await page.getByLabel('Credits to add').fill('2,500')
    await page.getByLabel('Reason').fill(`Invoice ${ATTACK}`)
    await page.getByRole('button', { name: 'Add credits' }).click()
    await page.getByText('The credits were added').waitFor()
    expect((await findAccount(testDatabase.database, id))?.balance).toBe(3500)

    await page.getByText('Change plan', { exact: true }).first().click()
    await page.getByLabel('Calls per minute and key').fill('400')
    await page.getByRole('button', { name: 'Change plan' }).click()
    await page.getByText('The plan was changed').waitFor()

    await page.getByText('Suspend', { exact: true }).click()
    await page.getByRole('button', { name: 'Suspend account' }).click()
    await page.getByText('The account is suspended').waitFor()
    await expect.poll(async () => (await server.get('/v1/me', { key })).code).toBe('account_suspended')
    await page.getByRole('button', { name: 'Resume account' }).click()
    await page.getByText('The account is active').waitFor()

    await page.getByRole('link', { name: 'Trail' }).click()
    for (const action of ['accounts.create', 'credits.topup', 'accounts.set-plan', 'accounts.suspend'])
      await page.getByText(action, { exact: true }).first().waitFor()
    const trail = await readTrail(testDatabase.database, { account: id, limit: 10 })
    expect(trail.map(({ action, via }) => `${action} ${via}`)).toEqual([
      'accounts.resume console',
      'accounts.suspend console',
      'accounts.set-plan console',
      'credits.topup console',
      'accounts.create console',
    ])
    expect(trail[2]).toMatchObject({
      before: { rate_limit_per_minute: 200 },
      after: { rate_limit_per_minute: 400 },
    })
    expect(await page.title()).toBe('Trail · Lotline console')
  })

  it('an operator runs an audit, and the page shows its result without a reload', async () => {
    const page = await open({ script })
    await signIn(page)
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('button', { name: 'Run an audit' }).click()
    await page.getByText('Every credit is accounted for, as of').waitFor()
    await page.getByText('Clean', { exact: true }).first().waitFor()
  })
})

it('every page fits wide and narrow screens and has no serious fault for assistive technology, in light and dark', async () => {
  const { accountId, key } = await server.openAccount({
    plan: 'monthly',
    email: `a${'b'.repeat(60)}@example.com`,
  })
  await server.get('/v1/me', { key })
  await fillService(server, `${'long'.repeat(50)} ${ATTACK}`)
  const page = await open()
  const check = async (path: string) => {
    await page.goto(console.url + path)
    // Forms are judged too.
    for (const summary of await page.locator('main .confirm > summary').all()) await summary.click()
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const looks = `${path}, ${width} pixels wide, ${colorScheme}`
      expect(await page.evaluate('document.documentElement.scrollWidth'), looks).toBe(width)
      expect(await findFaults(page), looks).toEqual([])
      expect(await page.title(), looks).toContain('Lotline console')
    }
  }
  await check('/')
  if (FULL) await check('/link/none')
  await signIn(page, `${'Name'.repeat(40)} ${ATTACK}`.slice(0, 200))
  for (const path of ['/accounts', '/accounts/new', `/accounts/${accountId}`, '/purchases']) await check(path)
  for (const path of FULL ? ['/accounts?q=none', '/none'] : []) await check(path)
  for (const path of ['/sources', '/data-set', '/providers', '/queues', '/webhooks', '/audit', '/trail'])
    await check(path)
  // Named operators, a request of one of them, and open sessions.
  const finance = await console.named('Finance Fred', 'finance')
  await setCreditLimit(testDatabase.database, { name: 'Root', via: 'command' }, 10)
  const form = { form: randomUUID(), amount: '500', reason: `Goodwill ${ATTACK}` }
  expect((await finance.post(`/accounts/${accountId}/top-up`, form)).to).toContain('done=waiting')
  for (const path of ['/approvals', '/operators']) await check(path)
  // The map is drawn, with script.
  await page.goto(`${console.url}/data-set`)
  await page.locator('#map[data-drawn]').waitFor()
})

it('another page cannot frame the console', async () => {
  const page = await open()
  await signIn(page)
  await page.goto(`${console.url}/assets/icon.svg`)
  await page.goto(`${console.url}/assets/portal.css`)
  await page.evaluate(`document.body.innerHTML = '<iframe src="/accounts"></iframe>'`)
  await expect.poll(() => complaints.some((line) => line.includes('frame-ancestors'))).toBe(true)
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !line.includes('frame')))
})

it('no page loaded anything from another host or violated its policy', async () => {
  expect(foreign).toEqual([])
  expect(complaints.filter((line) => /Content Security Policy|hacked/i.test(line))).toEqual([])
})
