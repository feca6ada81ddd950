// A browser of this machine for the tests of the manual, and pages in it that remember what they asked for and what their
// console complained of.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, onTestFinished, vi } from 'vitest'
import { findProgram } from '../../process/start/find-program.ts'

export const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Looks {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

export const LOOKS: readonly Looks[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
]

/** The background of every page of the manual. */
export const BACKGROUND = { light: 'rgb(255, 255, 255)', dark: 'rgb(17, 22, 20)' } as const

export interface OpenedPage {
  readonly page: Page
  /** Addresses asked for over the network. */
  asked(): string[]
  readonly complaints: string[]
}

export interface TestBrowser {
  open(looks: Looks): Promise<OpenedPage>
}

/**
 * A browser that lives as long as the test file (or `describe`) that calls this at its top. Where none is installed, all
 * tests there are reported as skipped.
 */
export function withBrowser(proof: string): TestBrowser {
  // A browser on a loaded machine takes its time; what takes longer than this is broken.
  vi.setConfig({ testTimeout: 180_000 })
  const executablePath = findProgram(NAMES, proof)
  let profile: string
  let browser: BrowserContext | undefined
  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'lotline-browser-'))
    if (executablePath)
      browser = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS })
  })
  beforeEach(({ skip }) => {
    if (!executablePath) skip('chromium is not installed')
  })
  afterAll(async () => {
    await browser?.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  })
  return {
    async open({ width, colorScheme }) {
      const page = await browser!.newPage()
      page.setDefaultTimeout(90_000)
      onTestFinished(() => page.close())
      const asked: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (line) => line.type() !== 'info' && complaints.push(line.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      return { page, asked: () => asked.filter((url) => /^https?:/.test(url)), complaints }
    },
  }
}
