// The subscription of a watch in a real browser: the mails as HTML, the pages behind their links, and the page of the watch.

import { beforeAll, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import {
  confirmPathIn,
  subscriberTools,
  unsubscribePathIn,
} from '../../work/watches/subscribers/subscriber-tools.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { ATTACK, expectUsable, withPortalBrowser } from './portal-browser.ts'

const testDatabase = withTestDatabase()
const tools = subscriberTools(testDatabase)
const { open, signIn, complaints } = withPortalBrowser(
  {
    get url() {
      return tools.server.url
    },
  },
  'subscriptions work in a browser',
)

const described = homes(1, 4, {
  city: 'Seattle',
  state: 'WA',
  zipcode: '98109',
  bedrooms: 3,
  bathrooms: 2.5,
  livingArea: 1840,
  homeType: 'SINGLE_FAMILY',
}).map((home, at) => ({ ...home, streetAddress: at === 2 ? ATTACK : `${2114 + at} Bigelow Ave N` }))

beforeAll(() => tools.importHomes(described))

it('a person confirms, reads a digest, and unsubscribes; every page and mail is usable, and no text becomes markup', async () => {
  const { key } = await tools.server.openAccount()
  const email = 'ana.lee@example.com'
  const { id, asked } = await tools.subscribe(key, email, { name: `Queen Anne ${ATTACK}`.slice(0, 100) })
  const page = await open()
  await page.setContent(asked.html!)
  await expectUsable(page)
  await page.goto(tools.server.url + confirmPathIn(asked))
  await expectUsable(page)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Your subscription is confirmed' }).waitFor()
  await expectUsable(page)

  await tools.importHomes(described.map((home, at) => ({ ...home, price: 480_000 - at * 7_500 })))
  await tools.evaluateTo(id, 3)
  const [digest] = await tools.sendDigests(id, email)
  // The policy of the portal's pages, which forbids styles in elements, is not that of a mail program.
  await page.goto('about:blank')
  await page.setContent(digest!.html!)
  await expectUsable(page)
  for (const text of ['2114 Bigelow Ave N', '3 beds · 2.5 baths · 1,840 sq ft', '$500,000 → $480,000'])
    expect(await page.textContent('body')).toContain(text)
  expect(await page.title()).not.toBe('hacked')

  await page.goto(tools.server.url + unsubscribePathIn(digest!))
  await expectUsable(page)
  await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  await expectUsable(page)

  await signIn(page, key)
  await page.goto(`${tools.server.url}/portal/watches/${id}`)
  await expectUsable(page)
  expect(await page.textContent('dl')).toMatch(/Subscriber\s*ana\.lee@example\.com, daily\s+unsubscribed/i)
  expect(complaints).toEqual([])
})
