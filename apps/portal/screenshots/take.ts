// `pnpm screenshots` takes the pictures of the portal and the console beside this file, wide and narrow. It starts a service with the
// sample and an empty database, makes some calls with the demo key and some accounts, and opens the pages in Chromium. CHROMIUM sets
// another program than `chromium`.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'

const HERE = import.meta.dirname
const MAIN = join(HERE, '../../api/src/process/main.ts')
const COMMAND = join(HERE, '../../api/src/interfaces/cli/main.ts')
/** The console needs a port that is known beforehand. */
const ADMIN_PORT = '18911'
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 720 } }
const PAGES = [
  ['overview', '/portal'],
  ['usage', '/portal/usage?by=operation'],
  ['keys', '/portal/keys'],
  ['billing', '/portal/billing'],
  ['explore', '/portal/explore?bbox=-123.0,47.1,-121.5,48.2'],
] as const
const FLAGS = ['--headless', '--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader']
const PATIENCE_MS = 300_000

const PRICES = `currency: usd
plans: { monthly: 49, annual: 490 }
packs:
  - { id: small, credits: 500, price: 25 }
  - { id: large, credits: 5000, price: 199 }
`

const directory = await mkdtemp(join(tmpdir(), 'lotline-screenshots-'))
const [dataDir, BILLING_FILE] = [join(directory, 'data'), join(directory, 'prices.yaml')]
await writeFile(BILLING_FILE, PRICES)
const env = {
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  BILLING_FILE,
  PORT: '0',
  ADMIN_PORT,
  LOG_LEVEL: 'error',
}
const service = spawn(process.execPath, [MAIN], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const { url, key } = await readGreeting()
  await makeCalls(url, key)
  const account = await makeAccounts()
  await takeAll(url, key, account)
} finally {
  service.kill('SIGTERM')
  if (service.exitCode === null) await once(service, 'exit')
  await rm(directory, { recursive: true, force: true })
}

/** The URL and the demo key that the service prints. */
async function readGreeting(): Promise<{ readonly url: string; readonly key: string }> {
  for await (const line of createInterface(service.stdout)) {
    const found = /Bearer (lot_\w+)' (http:\/\/[^/]+)\//.exec(line)
    if (found) return { key: found[1]!, url: found[2]! }
  }
  throw new Error('The service exited before it wrote a demo key.')
}

/** Creates data for the pages to show. The calls cost 29 of the 100 credits of the demo key. */
async function makeCalls(url: string, key: string): Promise<void> {
  const send = async (path: string, body?: object) => {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${await response.text()}`)
  }
  await send('/v1/listings?city=Seattle,%20WA&max_items=25')
  for (let at = 0; at < 4; at++) await send('/v1/properties/48749425')
  await send('/v1/keys', { name: 'Nightly report', credit_limit: { credits: 50, per: 'month' } })
}

/** Creates data for the console to show. Returns the id of an account with a history. */
async function makeAccounts(): Promise<string> {
  const make = async (email: string, plan: string): Promise<string> =>
    JSON.parse(await lotline('accounts', 'create', '--email', email, '--plan', plan, '--json')).account_id
  await make('marco@example.org', 'free')
  const suspended = await make('team@homes.example', 'monthly')
  await lotline('accounts', 'suspend', suspended, '--operator', 'Ana Lopez')
  const account = await make('maria@realty.example', 'annual')
  await lotline(
    'credits',
    'topup',
    '--account',
    account,
    '--amount',
    '2500',
    '--reference',
    'Invoice 2026-117',
    '--operator',
    'Ana Lopez',
  )
  return account
}

/** Runs a command and returns its output. */
async function lotline(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [COMMAND, ...args], { env })).stdout
}

async function takeAll(url: string, key: string, account: string): Promise<void> {
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
    const { url: link } = JSON.parse(await lotline('console', 'link', '--name', 'Ana Lopez', '--json'))
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const console = `http://127.0.0.1:${ADMIN_PORT}`
    await take(page, 'console-accounts', `${console}/accounts`)
    await take(page, 'console-account', `${console}/accounts/${account}`)
  } finally {
    await browser.close()
  }
}

/** Each page is loaded once, because the free plan has 20 calls a minute. The map is drawn again for each size. */
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
