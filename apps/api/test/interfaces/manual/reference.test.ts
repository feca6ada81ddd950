// The reference in a real browser: it shows, and it connects only to its own service.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadSample } from '../../../src/data/ingest/load-sample.ts'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { findLowContrast } from './axe.ts'
import { BACKGROUND, LOOKS, type Looks, type OpenedPage, withBrowser } from './open-browser.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

describe('/docs/reference in a browser', () => {
  const browser = withBrowser('/docs/reference is readable in a browser and calls no other host')

  /** The opened reference, what it asked for, and what its console complained of. */
  async function openReference(looks: Looks): Promise<OpenedPage> {
    const opened = await browser.open(looks)
    await opened.page.goto(`${server.url}/docs/reference`)
    await opened.page.getByRole('heading', { name: 'Lotline', exact: true }).first().waitFor()
    await opened.page.getByRole('heading', { name: 'First call' }).first().waitFor()
    return opened
  }

  // Each takes seconds to show itself.
  const looks = process.env.LOTLINE_FULL === '1' ? LOOKS : [LOOKS[0]!, LOOKS[3]!]
  it.each(looks)('renders at $width pixels in $colorScheme, only from its own service', async (looks) => {
    const opened = await openReference(looks)
    const { page, asked, complaints } = opened
    const own = [
      '/docs/demo-key',
      '/docs/header.css',
      '/docs/icon.svg',
      '/docs/openapi.json',
      '/docs/reference',
    ]
    own.push('/docs/reference.css', '/docs/reference.js', '/docs/reference/', '/docs/reference/js/scalar.js')
    own.push('/docs/search.js')
    const paths = new Set(asked().map((url) => url.replace(server.url, '')))
    expect([...paths].filter((path) => !own.includes(path))).toEqual([])
    expect(complaints).toEqual([])
    const body = page.locator('body')
    await expect.poll(() => body.getAttribute('class')).toContain(`${looks.colorScheme}-mode`)
    expect(await page.getByText(/Ask AI|Generate MCP|Developer Tools|Deploy/).count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(looks.width)
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(background, 'as in the guides').toBe(BACKGROUND[looks.colorScheme])
    expect(await page.locator('.site-header').getByRole('link').allTextContents()).toEqual([
      'Lotline',
      'Guides',
      'Reference',
      'Operators',
    ])
    await page.evaluate(`location.hash = 'tag/properties/GET/v1/properties/{zpid}'`)
    await page.getByText('curl -G "$LOTLINE_BASE_URL/v1/properties/48749425"').first().waitFor()
    expect(await findLowContrast(page)).toEqual([])
  })

  it('sends the first call with one click on the machine of the first start, with the demo key filled in', async () => {
    await loadSample(testDatabase.database, { homes: 20 })
    const { key, accountId } = await server.openAccount()
    server.app.demoKey = new Secret(key)
    onTestFinished(() => {
      server.app.demoKey = undefined
    })
    const opened = await openReference(LOOKS[0]!)
    const { page } = opened
    const sent: { readonly url: string; readonly tag: string | undefined }[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/'))
        sent.push({ url: request.url(), tag: request.headers()['if-none-match'] })
    })
    await page.getByRole('link', { name: 'Look up a home by its zpid' }).first().click()
    const operation = page.locator('section', { hasText: 'The nine sub-resources of this path' }).last()
    await operation.getByRole('button', { name: 'Test Request' }).first().click()
    await page.getByRole('button', { name: /^Send/ }).first().click()
    await page.getByText('200 OK').first().waitFor()
    const { rows } = await testDatabase.database.query(
      'select operation, credits_charged from usage_rows where account_id = $1',
      [accountId],
    )
    expect(rows).toEqual([{ operation: 'getProperty', credits_charged: 1 }])
    // Nothing but what is required.
    expect(sent).toEqual([{ url: `${server.url}/v1/properties/48749425`, tag: undefined }])
  })

  it('starts a new job with each click, with a fresh Idempotency-Key', async () => {
    const { key, accountId } = await server.openAccount()
    server.app.demoKey = new Secret(key)
    onTestFinished(() => {
      server.app.demoKey = undefined
    })
    const { page } = await openReference(LOOKS[0]!)
    const keys: (string | undefined)[] = []
    page.on('request', (sent) => {
      if (sent.method() === 'POST') keys.push(sent.headers()['idempotency-key'])
    })
    await page.goto(`${server.url}/docs/reference#tag/properties/POST/v1/properties/batch`)
    const operation = page.locator('section', { hasText: 'Looks up as many as 500 homes by URL' }).last()
    await operation.getByRole('button', { name: 'Test Request' }).first().click()
    const send = page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first()
    for (const clicks of [1, 2]) {
      await send.click()
      await expect.poll(() => keys.length).toBe(clicks)
      await page.getByText('202 Accepted').first().waitFor()
    }
    expect(new Set(keys).size).toBe(2)
    for (const each of keys) expect(each).toMatch(/^[0-9a-f-]{36}$/)
    const countJobs = async () => {
      const { rows } = await testDatabase.database.query<{ count: number }>(
        'select count(*) from jobs where account_id = $1',
        [accountId],
      )
      return Number(rows[0]!.count)
    }
    await expect.poll(countJobs).toBe(2)
  })

  it('sends the reader’s key to the service and to no other host', async () => {
    const opened = await openReference(LOOKS[0]!)
    const { page, asked, complaints } = opened
    await loadSample(testDatabase.database, { homes: 20 })
    const { key, accountId } = await server.openAccount()
    await page.getByPlaceholder('Token').first().fill(key)
    await page.getByRole('link', { name: 'Look up a home by its zpid' }).first().click()
    // Guides link to an operation by this address; beside it stand its samples.
    await expect
      .poll(() => page.url())
      .toMatch(/#tag\/properties\/GET\/v1\/properties\/(?:\{|%7B)zpid(?:\}|%7D)$/)
    await page.getByText('curl -G "$LOTLINE_BASE_URL/v1/properties/48749425"').first().waitFor()
    const operation = page.locator('section', { hasText: 'The nine sub-resources of this path' }).last()
    await operation.getByRole('button', { name: 'Test Request' }).first().click()
    await page.getByRole('button', { name: /^Send/ }).first().click()
    await page.getByText('200 OK').first().waitFor()

    const { rows } = await testDatabase.database.query(
      'select operation, credits_charged from usage_rows where account_id = $1',
      [accountId],
    )
    expect(rows).toEqual([{ operation: 'getProperty', credits_charged: 1 }])
    expect(asked().filter((url) => !url.startsWith(`${server.url}/`))).toEqual([])
    expect(complaints).toEqual([])
  })

  it('cannot call another host, because of its content security policy', async () => {
    const { page } = await browser.open(LOOKS[0]!)
    // What it may call is in the header of the page, whatever it has shown so far.
    await page.goto(`${server.url}/docs/reference/`, { waitUntil: 'commit' })
    let calls = 0
    const elsewhere = createServer((_request, response) => {
      calls++
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void elsewhere.close())
    await once(elsewhere, 'listening')
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
    expect(await page.evaluate(`fetch('${url}').then(() => 'called', () => 'refused')`)).toBe('refused')
    await page.evaluate(
      `new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = '${url}' })`,
    )
    expect(calls).toBe(0)
  })
})

describe('static responses', () => {
  it.each([
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/openapi.yaml', 'application/yaml'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/jobs', 'text/html; charset=utf-8'],
    ['/docs/jobs.md', 'text/markdown; charset=utf-8'],
    ['/docs/page.css', 'text/css; charset=utf-8'],
    ['/docs/search.json', 'application/json; charset=utf-8'],
    ['/docs/minisearch.js', 'text/javascript; charset=utf-8'],
    ['/docs/openapi.json', 'application/json; charset=utf-8'],
    ['/docs/reference/', 'text/html; charset=utf-8'],
    ['/docs/reference/js/scalar.js', 'application/javascript; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
  ])('include %s, which browsers revalidate and get again only after a change', async (path, type) => {
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

  it('are compressed if large, and only for clients that accept it', async () => {
    for (const path of ['/openapi.json', '/docs/jobs', '/docs/reference/js/scalar.js']) {
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

  it('exclude pages that can change, which are not cached', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/me', '/docs/nothing', '/docs/demo-key']) {
      expect((await server.get(path)).headers.get('cache-control')).toBe('no-store')
    }
  })
})
