// axe-core in a page, for pages with more than plain colors.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

/** The visible texts of the page whose contrast is below that of WCAG 2 AA, each with what axe-core says of it. */
export async function findLowContrast(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate(`axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'], preload: false }).then(({ violations }) =>
    violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => html.slice(0, 120) + ' ' + any[0].message)))`)
}

/** Serious and critical faults of the page, each with where it is. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate(`axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) =>
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))))`)
}
