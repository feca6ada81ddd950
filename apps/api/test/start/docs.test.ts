// The manual in a real browser: it shows, and it talks to nobody but its own service.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadSample } from '../../src/providers/dataset/load-sample.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { findProgram } from './find-program.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

describe('/docs in a browser', () => {
  const executablePath = findProgram(NAMES, '/docs is readable in a browser and calls no other host')
  let profile: string
  let browser: BrowserContext | undefined

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'lotline-browser-'))
    if (executablePath) {
      browser = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS })
    }
  })
  afterAll(async () => {
    await browser?.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  })

  /** The opened manual, what it asked for, and what its console complained of. */
  async function openDocs({ width, colorScheme }: { width: number; colorScheme: 'light' | 'dark' }) {
    const page: Page = await browser!.newPage()
    onTestFinished(() => page.close())
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (line) => line.type() !== 'info' && complaints.push(line.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${server.url}/docs`)
    await page.getByRole('heading', { name: 'Lotline', exact: true }).first().waitFor()
    await page.getByRole('heading', { name: 'First call' }).first().waitFor()
    return { page, asked: () => asked.filter((url) => /^https?:/.test(url)), complaints }
  }

  it.each([
    { width: 1280, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'shows itself $width pixels wide and $colorScheme, from its own service alone',
    async (looks) => {
      if (!browser) return
      const { page, asked, complaints } = await openDocs(looks)
      expect(new Set(asked())).toEqual(
        new Set(['/docs', '/docs/', '/docs/js/scalar.js', '/openapi.json'].map((path) => server.url + path)),
      )
      expect(complaints).toEqual([])
      const body = page.locator('body')
      await expect.poll(() => body.getAttribute('class')).toContain(`${looks.colorScheme}-mode`)
      expect(await page.getByText(/Ask AI|Generate MCP|Developer Tools|Deploy/).count()).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(looks.width)
    },
  )

  it('calls the service with the reader’s key, and nobody else', async () => {
    if (!browser) return
    await loadSample(testDatabase.database, { homes: 20 })
    const { key } = await server.openAccount()
    const { page, asked, complaints } = await openDocs({ width: 1280, colorScheme: 'light' })
    await page.getByPlaceholder('Token').first().fill(key)
    await page.getByRole('link', { name: 'Look up a home by its zpid' }).first().click()
    const operation = page.locator('section', { hasText: 'The nine parts below this path' }).last()
    await operation.getByRole('button', { name: 'Test Request' }).first().click()
    await page.getByRole('button', { name: 'Send' }).first().click()
    await page.getByText('200 OK').first().waitFor()

    const { rows } = await testDatabase.database.query('select operation, credits_charged from usage_rows')
    expect(rows).toEqual([{ operation: 'getProperty', credits_charged: 1 }])
    expect(asked().filter((url) => !url.startsWith(`${server.url}/`))).toEqual([])
    expect(complaints).toEqual([])
  })

  it('cannot call anybody else, even if it wanted to', async () => {
    if (!browser) return
    let calls = 0
    const elsewhere = createServer((_request, response) => {
      calls++
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void elsewhere.close())
    const { page } = await openDocs({ width: 1280, colorScheme: 'light' })
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
    expect(await page.evaluate(`fetch('${url}').then(() => 'called', () => 'refused')`)).toBe('refused')
    await page.evaluate(
      `new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = '${url}' })`,
    )
    expect(calls).toBe(0)
  })
})

describe('what stays the same until the next release', () => {
  it.each([
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/openapi.yaml', 'application/yaml'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/js/scalar.js', 'application/javascript; charset=utf-8'],
  ])('%s is asked for again, and sent again only when it has changed', async (path, type) => {
    const first = await server.get(path)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe(type)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const tag = first.headers.get('etag')!
    const second = await fetch(server.url + path, { headers: { 'if-none-match': `"other", ${tag}` } })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(second.headers.get('etag')).toBe(tag)
    const third = await server.get(path, { headers: { 'if-none-match': '"other"' } })
    expect([third.status, third.text]).toEqual([200, first.text])
  })

  it('large answers are packed for who takes them so, and only for them', async () => {
    for (const path of ['/openapi.json', '/docs/js/scalar.js']) {
      const packed = await fetch(server.url + path, { headers: { 'accept-encoding': 'gzip, br' } })
      const plain = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } })
      expect(packed.headers.get('content-encoding')).toBe('gzip')
      expect(plain.headers.get('content-encoding')).toBe(null)
      for (const { headers } of [packed, plain]) expect(headers.get('vary')).toContain('Accept-Encoding')
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(
        Number(plain.headers.get('content-length')) / 3,
      )
      expect(await packed.text()).toBe(await plain.text())
    }
  })

  it('what changes is kept by nobody', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/me', '/docs/nothing']) {
      expect((await server.get(path)).headers.get('cache-control')).toBe('no-store')
    }
  })
})
