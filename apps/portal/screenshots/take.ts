// `pnpm screenshots` takes the pictures of the portal beside this file, wide and narrow: it starts a service with the sample and an empty
// database, makes some calls with the demo key, and opens the pages in Chromium. CHROMIUM names another program than `chromium`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'

const HERE = import.meta.dirname
const MAIN = join(HERE, '../../api/src/main.ts')
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 720 } }
const PAGES = [
  ['overview', '/portal'],
  ['usage', '/portal/usage?by=operation'],
  ['keys', '/portal/keys'],
  ['explore', '/portal/explore?bbox=-123.0,47.1,-121.5,48.2'],
] as const
const FLAGS = ['--headless', '--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader']
const PATIENCE_MS = 300_000

const dataDir = await mkdtemp(join(tmpdir(), 'lotline-screenshots-'))
const service = spawn(process.execPath, [MAIN], {
  env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const { url, key } = await readGreeting()
  await makeCalls(url, key)
  await takeAll(url, key)
} finally {
  service.kill('SIGTERM')
  if (service.exitCode === null) await once(service, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}

/** The address and the demo key, as the service prints them. */
async function readGreeting(): Promise<{ readonly url: string; readonly key: string }> {
  for await (const line of createInterface(service.stdout)) {
    const found = /Bearer (lot_\w+)' (http:\/\/[^/]+)\//.exec(line)
    if (found) return { key: found[1]!, url: found[2]! }
  }
  throw new Error('The service ended without a demo key.')
}

/** So that the pages have something to show. They cost 29 of the 100 credits of the demo key. */
async function makeCalls(url: string, key: string): Promise<void> {
  const send = async (path: string, body?: object) => {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  }
  await send('/v1/listings?city=Seattle,%20WA&max_items=25')
  for (let at = 0; at < 4; at++) await send('/v1/properties/48749425')
  await send('/v1/keys', { name: 'Nightly report', credit_limit: { credits: 50, per: 'month' } })
}

async function takeAll(url: string, key: string): Promise<void> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS })
  try {
    const page = await browser.newPage({ colorScheme: 'light' })
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${url}/portal`)
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('credits available').waitFor()
    for (const [name, path] of PAGES) await take(page, name, url + path)
  } finally {
    await browser.close()
  }
}

/** A page is loaded once: the free plan has 20 calls in a minute. The map is drawn anew for each size. */
async function take(page: Page, name: string, url: string): Promise<void> {
  const isMap = name === 'explore'
  await page.setViewportSize(SIZES.wide)
  if (!isMap) await page.goto(url)
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    if (isMap) {
      await page.goto(url)
      await page.locator('#map[data-drawn]').waitFor()
    }
    // The price is below the filters.
    const fullPage = isMap && size === 'wide'
    await page.screenshot({ path: join(HERE, `${name}-${size}.png`), fullPage })
  }
}
