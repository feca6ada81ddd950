// Tiles below the outlines of the map: only an operator's setting brings them, and only from where it says.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '../../../src/infrastructure/config/config.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer, withTestServer } from '../../setup/test-server.ts'
import { archiveOf, RED_PNG, WATER_TILE } from './pmtiles.ts'
import { withPortalBrowser } from './portal-browser.ts'
import { signedIn } from './visitor.ts'

const asked: IncomingMessage[] = []
/** Two servers of tiles: the one that the operator chose, and one of somebody else. */
const [chosen, other] = await Promise.all([startTiles(), startTiles()])
afterAll(() => Promise.all([chosen, other].map(({ close }) => close())))

const testDatabase = withTestDatabase()
const plain = withTestServer(testDatabase)
const { open, foreign, complaints } = withPortalBrowser(plain, 'the map shows tiles only as configured', {
  maps: true,
})

const POLICY =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const SEATTLE = '/portal/explore?bbox=-122.4,47.5,-122.2,47.7'

async function startTiles(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    asked.push(request)
    response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(RED_PNG)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = () =>
    new Promise<void>((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** A service with these settings, a page of it that shows the map, and the policy of that page. */
async function showMap(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly server: TestServer; readonly page: Page; readonly policy: string }> {
  const server = Object.keys(env).length === 0 ? plain : await startTestServer(testDatabase, { env })
  if (server !== plain) onTestFinished(() => (server as TestServer & { close(): Promise<void> }).close())
  const { key } = await server.openAccount()
  const page = await open({ width: 560 })
  const visitor = await signedIn(server, key)
  expect((await visitor.get('/portal')).headers.get('content-security-policy')).toBe(POLICY)
  const [name, value] = visitor.cookie.split('=') as [string, string]
  await page.context().addCookies([{ name, value, url: server.url }])
  const response = await page.goto(server.url + SEATTLE)
  await page.locator('#map[data-drawn]').waitFor()
  return { server, page, policy: response!.headers()['content-security-policy']! }
}

/** Whether the page may fetch a tile from there. */
const mayFetch = (page: Page, origin: string): Promise<boolean> =>
  page.evaluate(`fetch('${origin}/1/1/1.png').then(() => true, () => false)`)

/** The color of the map beside its middle, as red, green and blue. The outline of a county may be in the middle. */
async function colorOf(page: Page): Promise<number[]> {
  const picture = (await page.locator('#map').screenshot()).toString('base64')
  const blank = await page.context().newPage()
  try {
    return await blank.evaluate(`new Promise((done) => {
      const image = new Image()
      image.onload = () => {
        const canvas = new OffscreenCanvas(image.width, image.height)
        const context = canvas.getContext('2d')
        context.drawImage(image, 0, 0)
        done([...context.getImageData(20, 20, 1, 1).data].slice(0, 3))
      }
      image.src = 'data:image/png;base64,${picture}'
    })`)
  } finally {
    await blank.close()
  }
}

/** What the browser complained of while a test broke the policy on purpose. */
function forgetComplaints(origin: string): number {
  const kept = complaints.filter((line) => !line.includes(origin))
  const count = complaints.length - kept.length
  complaints.splice(0, complaints.length, ...kept)
  return count
}

it('without a setting, the page with the map may load nothing from another host', async () => {
  const { page, policy } = await showMap({})
  expect(policy).toBe(POLICY)
  expect(await mayFetch(page, chosen.origin)).toBe(false)
  expect(forgetComplaints(chosen.origin)).toBeGreaterThan(0)
  expect(await page.locator('.attribution').count()).toBe(0)
  expect(asked).toHaveLength(0)
})

it('with a URL in MAP_TILES, the page with the map may load from exactly that origin, and the map shows its tiles', async () => {
  foreign.length = 0
  const { page, policy, server } = await showMap({
    MAP_TILES: `${chosen.origin}/{z}/{x}/{y}.png?key=7 | © <b>Surveyors</b>`,
  })
  expect(policy).toBe(`${POLICY}; connect-src 'self' ${chosen.origin}; img-src 'self' ${chosen.origin}`)
  expect(asked.length).toBeGreaterThan(0)
  for (const { url, headers } of asked) {
    expect(url).toMatch(/^\/\d+\/\d+\/\d+\.png\?key=7$/)
    // The server of the tiles learns neither who looks at the map nor where.
    expect([headers.cookie, headers.referer]).toEqual([undefined, undefined])
  }
  const elsewhere = foreign.filter((url) => !url.startsWith(`${server.url}/`))
  expect(elsewhere.every((url) => url.startsWith(`${chosen.origin}/`))).toBe(true)
  expect(await colorOf(page)).toEqual([255, 0, 0])
  expect(await page.locator('.attribution').textContent()).toBe('Map: © <b>Surveyors</b>')
  expect(await mayFetch(page, chosen.origin)).toBe(true)
  expect(await mayFetch(page, other.origin)).toBe(false)
  expect(forgetComplaints(other.origin)).toBeGreaterThan(0)
})

it.each([
  ['pictures', 'png', RED_PNG, (color: number[]) => expect(color).toEqual([255, 0, 0])],
  // Blue, as water is.
  ['vector layers', 'mvt', WATER_TILE, ([red, , blue]: number[]) => expect(blue! - red!).toBeGreaterThan(15)],
] as const)(
  'with a file in MAP_TILES, the service serves the %s of the file, and the policy is unchanged',
  async (_name, type, tile, check) => {
    const directory = await mkdtemp(join(tmpdir(), 'lotline-tiles-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const file = join(directory, 'map.pmtiles')
    await writeFile(file, archiveOf(tile, type))
    foreign.length = 0
    const { page, policy, server } = await showMap({ MAP_TILES: file })
    expect(policy).toBe(POLICY)
    expect(foreign.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([])
    check(await colorOf(page))
    const tileAt = (path: string) => fetch(`${server.url}/portal/tiles/${path}`)
    const found = await tileAt('0/0/0')
    expect(found.headers.get('content-type')).toBe(
      type === 'png' ? 'image/png' : 'application/vnd.mapbox-vector-tile',
    )
    expect(Buffer.from(await found.arrayBuffer())).toEqual(tile)
    for (const path of ['1/0/0', '0/0/1', '0/-1/0', '99/0/0', 'a/b/c', '0/0/0.5', '0/0/1e0'])
      expect((await tileAt(path)).status, path).toBe(404)
  },
)

it('a service with a missing or invalid tile file does not start', async () => {
  const start = (file: string) => startTestServer(testDatabase, { env: { MAP_TILES: file } })
  await expect(start('/nowhere/map.pmtiles')).rejects.toThrow(ConfigError)
  await expect(start('/nowhere/map.pmtiles')).rejects.toThrow(/^MAP_TILES cannot be read: ENOENT/)
  await expect(start(import.meta.filename)).rejects.toThrow(/^MAP_TILES must be a PMTiles file/)
})

it('no page violated its policy unless a test did so on purpose', () => {
  expect(complaints).toEqual([])
})
