// Explore in a real browser: the map, the price before the search, what is charged, and the record of a home.

import { readSample } from '@lotline/sample'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { findFaults } from '../manual/axe.ts'
import { ATTACK, expectUsable, withPortalBrowser } from './portal-browser.ts'
import { signedIn } from './visitor.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const { open, signIn, foreign, complaints } = withPortalBrowser(server, 'Explore works in a browser', {
  maps: true,
})

const DETAILS = {
  description: ATTACK,
  priceHistory: [
    { date: '2020-03-01', event: 'Sold', price: 400_000 },
    { date: '2024-05-01', event: 'Listed for sale', price: 500_000 },
  ],
  taxHistory: [{ time: Date.UTC(2023, 6, 1), taxPaid: 4_321, value: 410_000 }],
  photos: [
    { url: 'https://photos.example.com/1.jpg', caption: `Front ${ATTACK}` },
    { url: 'javascript:document.title="hacked"', caption: 'Trap' },
  ],
}
const HOMES = homes(1, 41, {
  ...DETAILS,
  streetAddress: `1 Main St ${ATTACK}`,
  city: 'Seattle',
  state: 'WA',
  zipcode: '98109',
})

/** Homes of the sample with a whole life: the longest history, and one that was both sold and rented out. */
const LIVED_IN = await livedIn()

beforeAll(async () => {
  await importListings(testDatabase.database, rowsOf([...HOMES, ...LIVED_IN] as never[]), { source: 'mls' })
})

interface HomeHistory {
  readonly zpid: string
  readonly priceHistory: readonly { readonly price: number | null; readonly postingIsRental: boolean }[]
  readonly taxHistory: readonly unknown[]
}

async function livedIn(): Promise<readonly HomeHistory[]> {
  const sample: HomeHistory[] = []
  for await (const record of readSample()) sample.push(record as unknown as HomeHistory)
  const inOrder = sample
    .filter(({ priceHistory, taxHistory }) => priceHistory?.length && taxHistory?.length)
    .toSorted((a, b) => b.priceHistory.length - a.priceHistory.length)
  const countOf = (home: HomeHistory, isRental: boolean) =>
    home.priceHistory.filter(({ postingIsRental }) => postingIsRental === isRental).length
  const both = inOrder.find((home) => countOf(home, true) > 1 && countOf(home, false) > 1)
  return [inOrder[0]!, both!]
}

/** Over all of the map, which shows the United States. */
async function drawBox(page: Page): Promise<void> {
  await page.locator('#map[data-ready]').waitFor()
  await page.getByRole('button', { name: 'Box' }).click()
  const { x, y, width, height } = (await page.locator('#map').boundingBox())!
  await page.mouse.move(x + 5, y + 5)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.move(x + width - 5, y + height - 5)
  await page.mouse.up()
  await expect
    .poll(() => page.locator('#bbox').inputValue())
    .toMatch(/^-\d+\.\d+,\d+\.\d+,-\d+\.\d+,\d+\.\d+$/)
}

it.each([
  ['with script', true],
  ['without script', false],
])(
  '%s, a customer sees the price of a search, pays at most that price, and opens the record of a home',
  async (_name, script) => {
    const { key } = await server.openAccount()
    const page = await open({ script })
    await signIn(page, key)
    await page.getByRole('link', { name: 'Explore' }).click()
    if (script) {
      await drawBox(page)
    } else {
      await page.getByLabel('City, ZIP code or place').fill('Seattle, WA')
    }
    await page.getByLabel('Lowest price').fill('300000')
    await page.getByRole('button', { name: 'Show price' }).click()
    // The price is in sight, also below a long form, and so far, nothing was spent.
    const price = page.getByText('10 credits for this search')
    await expect
      .poll(async () => {
        const { y, height } = (await price.boundingBox())!
        return y >= 0 && y + height <= page.viewportSize()!.height
      })
      .toBe(true)
    expect((await server.get('/v1/usage/summary', { key })).json.meta.total.credits_charged).toBe(0)
    await page.getByRole('button', { name: 'Search for 10 credits' }).click()
    await page.getByRole('heading', { name: '40 homes' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(11)
    expect((await server.get('/v1/usage/summary', { key })).json.meta.total.credits_charged).toBe(10)
    if (script) await expectUsable(page)
    await page.getByRole('button', { name: 'Next rows for up to 10 credits' }).click()
    await page.getByRole('heading', { name: '40 homes' }).waitFor()
    expect((await server.get('/v1/usage/summary', { key })).json.meta.total.credits_charged).toBe(20)

    await page.getByRole('button', { name: 'Open for 1 credit' }).first().click()
    await page.getByRole('heading', { name: 'Price history' }).waitFor()
    await page.getByText('$4,321', { exact: true }).waitFor()
    expect(await page.getByRole('img', { name: /^(Prices of the home|Property tax)/ }).count()).toBe(2)
    expect(await page.title()).toContain('1 Main St')
    // Photos are links to where they are, and only links that lead to a page.
    const photos = page.locator('.photos').getByRole('link')
    expect(await photos.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      'https://photos.example.com/1.jpg',
    ])
    if (script) expect(await findFaults(page)).toEqual([])
    expect((await server.get('/v1/usage/summary', { key })).json.meta.total.credits_charged).toBe(21)
  },
)

it('the record of a home shows its whole history as charts and tables, and is usable wide and narrow, in light and dark', async () => {
  const { key } = await server.openAccount()
  const page = await open()
  await signIn(page, key)
  for (const { zpid, priceHistory, taxHistory } of LIVED_IN) {
    await page.goto(`${server.url}/portal/explore`)
    // As the button of a row does.
    await page.evaluate(`{
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/portal/explore/homes/${zpid}'
      form.append(document.querySelector('[name=csrf]').cloneNode())
      document.body.append(form)
      form.submit()
    }`)
    await page.getByRole('heading', { name: 'Tax history' }).waitFor()
    const rowsOfTable = (name: RegExp) =>
      page.getByRole('table', { name }).locator('tbody').getByRole('row').count()
    expect(await rowsOfTable(/^Price history/)).toBe(priceHistory.length)
    expect(await rowsOfTable(/^Tax history/)).toBe(taxHistory.length)
    for (const [isRental, name] of [
      [false, /^Prices of the home/],
      [true, /^Monthly rents of the home/],
    ] as const) {
      const points = priceHistory.filter(
        ({ price, postingIsRental }) => price !== null && postingIsRental === isRental,
      )
      const chart = page.getByRole('img', { name })
      if (points.length < 2) {
        expect(await chart.count()).toBe(0)
        continue
      }
      const drawn = (await chart.locator('polyline.line').first().getAttribute('points'))!.split(' ')
      expect(drawn).toHaveLength(points.length)
    }
    const bars = page.getByRole('img', { name: /^Property tax from/ }).locator('.bar')
    expect(await bars.count()).toBe(taxHistory.length)
    // Of the longest one. It has all that the other one has.
    if (zpid !== LIVED_IN[0]!.zpid) continue
    for (const width of [1280, 360]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        const looks = `${zpid}, ${width} pixels wide, ${colorScheme}`
        expect(await page.evaluate('document.documentElement.scrollWidth'), looks).toBe(width)
        expect(await findFaults(page), looks).toEqual([])
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }
})

it('a search spends nothing unless the page has shown its price', async () => {
  const { key } = await server.openAccount()
  const visitor = await signedIn(server, key)
  const { status, text } = await visitor.post('/portal/explore', { where: 'Seattle, WA' })
  expect(status).toBe(402)
  expect(text).toContain('max_credits_exceeded')
  expect((await server.get('/v1/usage/summary', { key })).json.meta.total.credits_charged).toBe(0)
})

it('no page loaded anything from another host or violated its policy', () => {
  expect(foreign).toEqual([])
  expect(complaints.filter((line) => /Content Security Policy|hacked/i.test(line))).toEqual([])
})
