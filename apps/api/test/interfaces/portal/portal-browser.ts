// A browser for the tests of the portal: pages with and without script, wide and narrow, light and dark, that remember what they asked
// other hosts for and what their console complained of. It lives as long as the test file.

import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { findProgram } from '../../process/start/find-program.ts'
import type { TestServer } from '../../setup/test-server.ts'
import { findFaults } from '../manual/axe.ts'
import { FLAGS, NAMES } from '../manual/open-browser.ts'
import { signedIn } from './visitor.ts'

/** It would run if it became an element or a script. */
export const ATTACK = `"><img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`

/** Maps are drawn by the processor: a machine for tests has no graphics card. All else is drawn without that detour. */
const FLAGS_FOR_MAPS = [
  ...FLAGS.filter((flag) => flag !== '--disable-gpu'),
  '--enable-unsafe-swiftshader',
  '--use-angle=swiftshader',
  '--disable-gpu-rasterization',
]

export interface Look {
  readonly script?: boolean
  /** A phone: a narrow screen that is touched. */
  readonly phone?: boolean
  /** Pixels. A small map is drawn faster. */
  readonly width?: number
}

export interface PortalBrowser {
  /** URLs of other hosts that pages asked for. */
  readonly foreign: string[]
  readonly complaints: string[]
  open(look?: Look): Promise<Page>
  /** With the cookie of a sign-in over HTTP. */
  signIn(page: Page, key: string): Promise<void>
}

/** Wide and light, narrow and dark. */
const LOOKS = [
  [1280, 'light'],
  [360, 'dark'],
] as const

/** Checks that the page fits its screen and has no serious fault for assistive technology. Ends wide and light. */
export async function expectUsable(page: Page): Promise<void> {
  for (const [width, colorScheme] of [...LOOKS].reverse()) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const looks = `${new URL(page.url()).pathname}, ${width} pixels wide, ${colorScheme}`
    expect(await page.evaluate('document.documentElement.scrollWidth'), looks).toBe(width)
    expect(await findFaults(page), looks).toEqual([])
  }
}

/**
 * Where no browser is installed, all tests of the file are reported as skipped.
 *
 * @param options `maps`: whether pages draw maps, for which the browser needs flags that make everything slower
 */
export function withPortalBrowser(
  server: Pick<TestServer, 'url'>,
  proof: string,
  { maps = false }: { readonly maps?: boolean } = {},
): PortalBrowser {
  vi.setConfig({ testTimeout: 180_000 })
  const executablePath = findProgram(NAMES, proof)
  const foreign: string[] = []
  const complaints: string[] = []
  let browser: Browser | undefined
  beforeAll(async () => {
    if (executablePath)
      browser = await chromium.launch({ executablePath, args: maps ? FLAGS_FOR_MAPS : FLAGS })
  })
  beforeEach(({ skip }) => {
    if (!executablePath) skip('chromium is not installed')
  })
  afterAll(() => browser?.close())
  return {
    foreign,
    complaints,
    async open({ script = true, phone = false, width = phone ? 360 : 1280 } = {}) {
      const viewport = { width, height: phone ? 740 : 900 }
      const context = await browser!.newContext({ javaScriptEnabled: script, viewport, hasTouch: phone })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(90_000)
      page.on('request', (request) => {
        const url = request.url()
        if (/^https?:/.test(url) && !url.startsWith(`${server.url}/`)) foreign.push(url)
      })
      page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      return page
    },
    async signIn(page, key) {
      const [name, value] = (await signedIn(server, key)).cookie.split('=') as [string, string]
      await page.context().addCookies([{ name, value, url: server.url }])
      await page.goto(`${server.url}/portal`)
    },
  }
}
