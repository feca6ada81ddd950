// Areas that are drawn on the map of Explore, with the mouse, by touch, and with the keyboard: what is drawn is what is searched.

import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { home } from '../../work/watches/watch-tools.ts'
import { withPortalBrowser } from './portal-browser.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const { open, signIn, foreign, complaints } = withPortalBrowser(server, 'areas are drawn in a browser', {
  maps: true,
})

const SIDE = 7
/** A grid of homes, one in each 0.01 degrees. */
const HOMES = Array.from({ length: SIDE * SIDE }, (_, at) =>
  home(101 + at, {
    longitude: -100.06 + (at % SIDE) * 0.01,
    latitude: 40 + Math.floor(at / SIDE) * 0.01,
  }),
)
/** The map shows the grid, and no area is drawn yet. */
const AROUND = '/portal/explore?bbox=-100.07,39.99,-99.99,40.07&max_items=50'

beforeAll(async () => {
  await importListings(testDatabase.database, rowsOf(HOMES as never[]), { source: 'mls' })
})

/** Opens the map over the grid and takes a tool. Returns where a fraction of the map is on the screen. */
async function take(page: Page, tool: string): Promise<(x: number, y: number) => [number, number]> {
  await page.goto(server.url + AROUND)
  await page.locator('#map[data-drawn]').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: tool, exact: true }).click()
  expect(await page.locator('#bbox').inputValue()).toBe('')
  await page.locator('#map').scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await page.locator('#map').boundingBox())!
  return (across, down) => [x + width * across, y + height * down]
}

const field = (page: Page, name: string) => page.locator(`#${name}`)
const numbers = (text: string) => text.split(/[,;]/).map(Number)
const isDrawn = (page: Page) => page.getByText('The area is drawn.').waitFor()

/** Shows the price, searches, and returns the homes that are listed. Nothing is charged above the price. */
async function searchAndCompare(page: Page, key: string, area: object): Promise<string[]> {
  const spent = async () =>
    (await server.get('/v1/usage/summary', { key })).json.meta.total.credits_charged as number
  const before = await spent()
  await page.getByRole('button', { name: 'Show price' }).click()
  const button = page.getByRole('button', { name: /^Search for/ })
  const price = Number(/(\d+) credits?$/.exec((await button.textContent())!)![1])
  expect(await spent()).toBe(before)
  await button.click()
  await page.getByRole('heading', { name: /homes?$/ }).waitFor()
  expect((await spent()) - before).toBeLessThanOrEqual(price)
  const ids = await page.locator('[id^="home-"]').evaluateAll((all) => all.map(({ id }) => id.slice(5)))
  const found = await server.post(
    '/v1/search',
    { filters: { status: 'for_sale', area }, maxItems: 50 },
    { key },
  )
  expect(found.status, found.text).toBe(200)
  expect(ids.toSorted()).toEqual(found.json.data.map(({ zpid }: { zpid: string }) => zpid).toSorted())
  return ids
}

it('a circle and a polygon drawn with the mouse are searched as filters.area, without their surroundings', async () => {
  const { key } = await server.openAccount()
  const page = await open({ width: 560 })
  await signIn(page, key)

  const inCircle = await take(page, 'Circle')
  await page.mouse.move(...inCircle(0.5, 0.5))
  await page.mouse.down()
  await page.mouse.move(...inCircle(0.5, 0.6))
  await page.mouse.move(...inCircle(0.5, 0.75))
  await page.mouse.up()
  await isDrawn(page)
  const center = numbers(await field(page, 'near').inputValue())
  const radius_m = Number(await field(page, 'radius_m').inputValue())
  expect(center[0]).toBeCloseTo(-100.03, 2)
  expect(center[1]).toBeCloseTo(40.03, 2)
  const circle = await searchAndCompare(page, key, { type: 'circle', center, radius_m })
  // The home in the middle, and none of a corner of the grid.
  expect(circle).toContain('125')
  expect(circle.length).toBeLessThan(HOMES.length)
  expect(circle).not.toContain('101')

  const inPolygon = await take(page, 'Polygon')
  const corners = [
    [0.4, 0.2],
    [0.6, 0.25],
    [0.55, 0.8],
  ] as const
  for (const [across, down] of [...corners, corners[0]]) await page.mouse.click(...inPolygon(across, down))
  await isDrawn(page)
  const drawn = await field(page, 'polygon').inputValue()
  const ring = drawn.split(';').map((corner) => numbers(corner))
  expect(ring).toHaveLength(3)
  expect(await field(page, 'near').inputValue()).toBe('')
  const triangle = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
  const inside = await searchAndCompare(page, key, triangle)
  expect(inside.length).toBeGreaterThan(0)
  expect(inside.length).toBeLessThan(HOMES.length)
})

it('a self-intersecting polygon is refused with the message of the API, and costs nothing', async () => {
  const { key } = await server.openAccount()
  const page = await open({ width: 560 })
  await signIn(page, key)
  const at = await take(page, 'Polygon')
  for (const [across, down] of [
    [0.3, 0.2],
    [0.7, 0.8],
    [0.7, 0.2],
    [0.3, 0.8],
  ] as const) {
    await page.mouse.click(...at(across, down))
  }
  const polygon = await field(page, 'polygon').inputValue()
  const refused = await server.get(`/v1/listings?polygon=${encodeURIComponent(polygon)}`, { key })
  expect(refused.code).toBe('invalid_filters')
  await page.getByRole('button', { name: 'Show price' }).click()
  const shown = await page.getByRole('alert').textContent()
  expect(shown).toContain(refused.json.error.message)
  expect(shown).toContain('edges meet only at their ends')
  expect(await page.getByRole('button', { name: /^Search for/ }).count()).toBe(0)
  // It is kept, so that it can be corrected.
  expect(await field(page, 'polygon').inputValue()).toBe(polygon)
  expect((await server.get('/v1/usage/summary', { key })).json.meta.total.credits_charged).toBe(0)
})

it('a box can be drawn without dragging: with two clicks, or with the keyboard alone', async () => {
  const { key } = await server.openAccount()
  const page = await open({ width: 560 })
  await signIn(page, key)
  const at = await take(page, 'Box')
  await page.mouse.click(...at(0.4, 0.3))
  await page.mouse.move(...at(0.45, 0.4))
  await page.mouse.click(...at(0.6, 0.7))
  await isDrawn(page)
  const [west, south, east, north] = numbers(await field(page, 'bbox').inputValue())
  expect(west).toBeLessThan(east!)
  expect(south).toBeLessThan(north!)

  await page.getByRole('button', { name: 'Clear' }).focus()
  await page.keyboard.press('Enter')
  expect(await field(page, 'bbox').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Box' }).focus()
  await page.keyboard.press('Enter')
  while (!(await page.evaluate('document.activeElement.matches("#map canvas")'))) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => field(page, 'bbox').inputValue(), { timeout: 20_000 }).not.toBe('')
  await page.keyboard.press('ArrowDown')
  // The map moves for a moment.
  await expect
    .poll(
      async () => {
        const [, low, , high] = numbers(await field(page, 'bbox').inputValue())
        return high! - low!
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0.005)
  await page.keyboard.press('Enter')
  await isDrawn(page)
  const box = numbers(await field(page, 'bbox').inputValue())
  expect(box[0]).toBeCloseTo(-100.03, 2)
  expect(box[3]).toBeCloseTo(40.03, 2)
  await searchAndCompare(page, key, {
    type: 'bbox',
    west: box[0],
    south: box[1],
    east: box[2],
    north: box[3],
  })
})

it('on a phone, areas are drawn with taps and by dragging one finger', async () => {
  const { key } = await server.openAccount()
  const page = await open({ phone: true })
  await signIn(page, key)
  const inPolygon = await take(page, 'Polygon')
  const corners = [
    [0.3, 0.3],
    [0.7, 0.35],
    [0.5, 0.7],
  ] as const
  for (const [across, down] of [...corners, corners[0]]) {
    await page.touchscreen.tap(...inPolygon(across, down))
  }
  await isDrawn(page)
  expect((await field(page, 'polygon').inputValue()).split(';')).toHaveLength(3)

  const inCircle = await take(page, 'Circle')
  const finger = await page.context().newCDPSession(page)
  const touch = (type: string, ...positions: [number, number][]) =>
    finger.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: positions.map(([x, y]) => ({ x, y })),
    })
  await touch('touchStart', inCircle(0.5, 0.5))
  await touch('touchMove', inCircle(0.5, 0.6))
  await touch('touchMove', inCircle(0.5, 0.7))
  await touch('touchEnd')
  await isDrawn(page)
  const center = numbers(await field(page, 'near').inputValue())
  const radius_m = Number(await field(page, 'radius_m').inputValue())
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await searchAndCompare(page, key, { type: 'circle', center, radius_m })
})

it('no page loaded anything from another host, and no script failed', () => {
  expect(foreign).toEqual([])
  expect(complaints.filter((line) => !line.includes('status of 4'))).toEqual([])
})
