// The guides in a real browser: wide and narrow, light and dark, with the keyboard, and without any word to others.

import { expect, it } from 'vitest'
import { LANDING, PAGES } from '../../src/manual/library.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { contrastsBelow } from './contrast.ts'
import { LOOKS, withBrowser } from './open-browser.ts'

const server = withTestServer(withTestDatabase())
const BACKGROUND = { light: 'rgb(255, 255, 255)', dark: 'rgb(17, 22, 20)' }

const browser = withBrowser('the guides are readable in a browser and call no other host')

it('every page fits wide and narrow, reads well light and dark, and asks nobody else', async () => {
  const opened = await browser.open(LOOKS[0]!)
  if (!opened) return
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

it('samples name the service that shows them', async () => {
  const opened = await browser.open(LOOKS[0]!)
  if (!opened) return
  await opened.page.goto(`${server.url}/docs/quick-start`)
  const main = opened.page.locator('main')
  await expect.poll(() => main.textContent()).toContain(`export LOTLINE_BASE_URL=${server.url}`)
  expect(await main.textContent()).not.toContain('http://127.0.0.1:8080')
})

it('all of it is reached by keyboard, and what has the focus shows it', async () => {
  const opened = await browser.open(LOOKS[0]!)
  if (!opened) return
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

it('on a phone, all pages are behind one button', async () => {
  const opened = await browser.open(LOOKS[2]!)
  if (!opened) return
  const { page } = opened
  await page.goto(`${server.url}/docs`)
  await page.getByText('All pages').click()
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Verify it' }).waitFor()
})
