// The guides in a real browser: wide and narrow, light and dark, with the keyboard, and without any word to others.

import { describe, expect, it } from 'vitest'
import { LANDING, PAGES } from '../../../src/interfaces/manual/library.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { contrastsBelow } from './contrast.ts'
import { BACKGROUND, LOOKS, withBrowser } from './open-browser.ts'

const server = withTestServer(withTestDatabase())

const browser = withBrowser('the guides are readable in a browser and call no other host')

it('every page fits wide and narrow screens, has enough contrast in light and dark, and loads nothing from other hosts', async () => {
  const opened = await browser.open(LOOKS[0]!)
  const { page, asked, complaints } = opened
  for (const { path } of [LANDING, ...PAGES]) {
    await page.goto(server.url + path)
    for (const { width, colorScheme } of LOOKS) {
      const looks = `${path}, ${width} pixels wide, ${colorScheme}`
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate('document.documentElement.scrollWidth'), looks).toBe(width)
      expect(await page.evaluate(contrastsBelow(4.5)), looks).toEqual([])
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(background, looks).toBe(BACKGROUND[colorScheme])
    }
  }
  expect(complaints).toEqual([])
  expect(asked().filter((url) => !url.startsWith(`${server.url}/docs`))).toEqual([])
})

it('samples contain the address of this service', async () => {
  const opened = await browser.open(LOOKS[0]!)
  await opened.page.goto(`${server.url}/docs/quick-start`)
  const main = opened.page.locator('main')
  await expect.poll(() => main.textContent()).toContain(`export LOTLINE_BASE_URL=${server.url}`)
  expect(await main.textContent()).not.toContain('http://127.0.0.1:8080')
})

it('all controls are reachable by keyboard, with a visible focus', async () => {
  const opened = await browser.open(LOOKS[0]!)
  const { page } = opened
  await page.goto(`${server.url}/docs/credits`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the text')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('location.hash')).toBe('#main')
  for (let at = 0; at < 12; at++) {
    await page.keyboard.press('Tab')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline, await page.evaluate('document.activeElement.outerHTML')).toBe('solid')
  }
})

it('on a phone, a button opens the list of pages', async () => {
  const opened = await browser.open(LOOKS[2]!)
  const { page } = opened
  await page.goto(`${server.url}/docs`)
  await page.getByText('All pages', { exact: true }).click()
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Verify signatures' }).waitFor()
})

it.each([360, 1280])('code on the landing page is not cut off, %i pixels wide', async (width) => {
  const opened = await browser.open({ width, colorScheme: 'light' })
  const { page } = opened
  await page.goto(`${server.url}/docs`)
  const samples = page.locator('pre')
  expect(await samples.count()).toBeGreaterThan(2)
  for (const sample of await samples.all()) {
    const hidden = await sample.evaluate((pre) => pre.scrollWidth - pre.clientWidth)
    expect(hidden, (await sample.textContent()) ?? '').toBe(0)
  }
})

describe('the search in the header', () => {
  it.each(['/docs/jobs', '/docs/reference/'])('finds both guides and operations, on %s', async (path) => {
    const opened = await browser.open(LOOKS[0]!)
    const { page, complaints } = opened
    await page.goto(server.url + path)
    const field = page.getByRole('searchbox', { name: 'Search guides and reference' })
    const results = page.getByRole('list', { name: 'Search results' })
    expect(await page.getByRole('searchbox').count(), 'no second search').toBe(1)
    await field.fill('out_of_credits')
    await expect
      .poll(() => results.getByRole('link').first().getAttribute('href'))
      .toBe('/docs/errors#out_of_credits')
    await field.fill('price history')
    const operation = results.getByRole('link', { name: 'Read the price history of a home' })
    await operation.click()
    await expect.poll(() => page.url()).toContain('/docs/reference/#tag/properties/GET/v1/properties/')
    await page.getByRole('heading', { name: 'Read the price history of a home' }).first().waitFor()
    expect(complaints).toEqual([])
  })

  it('works with the keyboard alone, and reports an empty result', async () => {
    const opened = await browser.open(LOOKS[2]!)
    const { page } = opened
    await page.goto(`${server.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('zzzqqq')
    await page.getByText('Nothing found for “zzzqqq”.').waitFor()
    const field = page.getByRole('searchbox')
    await field.fill('signature')
    await page.getByRole('list', { name: 'Search results' }).getByRole('link').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(LOOKS[2]!.width)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/docs/webhooks')
  })
})
