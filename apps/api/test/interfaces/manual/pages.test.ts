// The pages of the manual, and their agreement with the contract: every error code, every price, every plan.

import { readFile } from 'node:fs/promises'
import {
  type ErrorCode,
  errorDocUrl,
  errorMeanings,
  errorStatuses,
  messageForms,
  openapi,
  operations,
  price,
  priceOfStage,
} from '@lotline/contract'
import { listParameters } from '@lotline/contract/nodes'
import { describe, expect, it } from 'vitest'
import { findOutdated } from '../../../guides/area-pictures.ts'
import { isUpToDate as hasErrorTexts, withErrorTexts } from '../../../guides/error-texts.ts'
import { isUpToDate } from '../../../guides/price-table.ts'
import {
  DEPLOY_FILES,
  LANDING,
  PAGES,
  PICTURES,
  SCREENSHOTS,
} from '../../../src/interfaces/manual/library.ts'
import { plans } from '../../../src/money/accounts/plans.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { readGuide } from './samples.ts'

const server = withTestServer(withTestDatabase())
const ALL = [LANDING, ...PAGES]

describe('the guides on the portal and the console', () => {
  it('show each screenshot, wide and narrow, and the README shows the main ones', async () => {
    const guides = [await server.get('/docs/portal'), await server.get('/docs/operations/console')]
    const text = guides.map((guide) => guide.text).join('')
    const shown = [...text.matchAll(/<img src="(\/docs\/screenshots\/[^"]+)" alt="([^"]+)"/g)]
    expect(shown.map(([, path]) => path).toSorted()).toEqual(
      SCREENSHOTS.map((name) => `/docs/screenshots/${name}`).toSorted(),
    )
    for (const [, path] of shown) {
      const picture = await fetch(server.url + path)
      expect(picture.headers.get('content-type')).toBe('image/png')
      const bytes = Buffer.from(await picture.arrayBuffer())
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      expect(bytes.readUInt32BE(16), path).toBe(path!.includes('-wide') ? 1280 : 360)
    }
    const readme = await readFile(new URL('../../../../../README.md', import.meta.url), 'utf8')
    for (const name of ['overview-wide', 'overview-narrow', 'explore-wide', 'explore-narrow'])
      expect(readme).toContain(`(apps/portal/screenshots/${name}.png)`)
  })
})

describe('each page', () => {
  it.each(ALL.map(({ path, source }) => [path, source]))(
    '%s is served as HTML and as Markdown',
    async (path, source) => {
      const html = await server.get(path)
      expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(html.headers.get('referrer-policy')).toBe('no-referrer')
      expect(html.text.match(/<h1>/g)).toHaveLength(1)
      expect(html.text).not.toMatch(/(?:src|href)="http:|<script>|style="|(?<!<code>)undefined/)
      const markdown = await server.get(source)
      expect([markdown.status, markdown.headers.get('content-type')]).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ])
      expect(markdown.text).toMatch(/^# /)
    },
  )

  it('has the section that each error links to', async () => {
    for (const code of Object.keys(errorStatuses) as ErrorCode[]) {
      const [path, anchor] = errorDocUrl(code).split('#')
      expect((await server.get(path!)).text, code).toContain(`id="${anchor}"`)
    }
  })

  it('links only to existing pages, sections, files, and operations', async () => {
    const anchors = new Map<string, ReadonlySet<string>>()
    const pages = new Map<string, string>()
    for (const { path } of ALL) {
      const { text } = await server.get(path)
      pages.set(path, text)
      anchors.set(path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)))
    }
    const known = new Set<string>()
    for (const [page, text] of pages) {
      for (const [, href] of text.matchAll(/href="([^"]+)"/g)) {
        const [path, anchor] = href!.split('#') as [string, string?]
        if (/^https:/.test(href!)) continue
        // A link to a file of the repository, which readers do not have.
        expect(href, page).toMatch(/^[/#]/)
        if (path === '/docs/reference/' && anchor) expect(isOperation(anchor), `${page}: ${href}`).toBe(true)
        else if (anchor) expect(anchors.get(path || page), `${page}: ${href}`).toContain(anchor)
        if (path === '' || known.has(path)) continue
        expect((await server.get(path)).status, `${page}: ${href}`).toBe(200)
        known.add(path)
      }
    }
    expect([...known]).toEqual(expect.arrayContaining(DEPLOY_FILES.map((name) => `/docs/deploy/${name}`)))
  })
})

function isOperation(anchor: string): boolean {
  return Object.values(operations).some(
    ({ method, path, tag }) => anchor === `tag/${tag.toLowerCase()}/${method}${path}`,
  )
}

describe('llms.txt', () => {
  it('is Markdown with a link to the Markdown of every guide', async () => {
    const { text, headers } = await server.get('/llms.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^# Lotline\n\n> /)
    for (const { source } of PAGES) expect(text).toContain(`(${source})`)
    for (const { method, path } of Object.values(operations)) expect(text).toContain(`\`${method} ${path}\``)
    for (const [, href] of text.matchAll(/\]\((\/[^)]*)\)/g))
      expect((await server.get(href!)).status, href).toBe(200)
  })

  it('comes with a text of all guides', async () => {
    const { text } = await server.get('/llms-full.txt')
    for (const { source } of PAGES) expect(text).toContain((await server.get(source)).text.trim())
  })
})

describe('the guide on errors', () => {
  const sections = readGuide('errors').split(/^## /m).slice(1)
  const bySection = sections.flatMap((section) => {
    const statuses = [...section.slice(0, section.indexOf('\n')).matchAll(/\d{3}/g)].map(([status]) =>
      Number(status),
    )
    return [...section.matchAll(/^### (\w+)\n+((?:(?!### ).*\n?)+)/gm)].map(([, code, text]) => ({
      code: code as ErrorCode,
      text: text!,
      statuses,
    }))
  })

  it('lists every error code of the contract once, and no other', () => {
    expect(bySection.map(({ code }) => code).sort()).toEqual(Object.keys(errorStatuses).sort())
  })

  it('has the meaning, the remedy, and the messages of each code, verbatim as in the reference', async () => {
    expect(hasErrorTexts(), 'run: pnpm generate').toBe(true)
    const reference = await server.get('/docs/openapi.json')
    const { description } = JSON.parse(reference.text).components.schemas.ErrorCode
    for (const { code, text } of bySection) {
      const { meaning, remedy } = errorMeanings[code]
      expect(text).toContain(`${meaning} ${remedy}`)
      expect(description).toContain(`| ${meaning} | ${remedy} |`)
      for (const message of messageForms(code)) {
        expect(text).toContain(`- \`${message}\``)
        expect(description).toContain(`- \`${message}\``)
      }
    }
  })

  it('cannot omit a code: a guide without a section for it is refused', async () => {
    const guide = await readFile(new URL('../../../guides/errors.md', import.meta.url), 'utf8')
    const without = guide.replace('<!-- missing_api_key:', '<!--')
    expect(() => withErrorTexts(without)).toThrow('lacks <!-- missing_api_key')
  })

  it('lists each code under its status, with its meaning and remedy', () => {
    for (const { code, text, statuses } of bySection) {
      const own = errorStatuses[code]
      for (const status of own) expect(statuses, code).toContain(status)
      // Where several statuses share a section, each code names its own.
      if (statuses.length > 1) for (const status of own) expect(text, code).toContain(`**${status}**`)
      expect(text.split(/\s+/).length, code).toBeGreaterThan(8)
    }
  })
})

describe('the guide on search', () => {
  const guide = readGuide('search')
  const { SearchFilters, SearchUrl } = openapi.components.schemas as unknown as {
    readonly SearchFilters: { readonly properties: object }
    readonly SearchUrl: { readonly properties: { readonly url: { readonly description: string } } }
  }

  it('lists every filter of the contract, for bodies and queries', () => {
    for (const name of Object.keys(SearchFilters.properties)) expect(guide).toContain(`\`${name}\``)
    for (const { name } of listParameters('listListings').filter((one) => one.in === 'query')) {
      // Of these, format and shape say how rows are written: the guide on formats has them.
      if (!['format', 'location', 'shape'].includes(name)) {
        expect(guide, name).toMatch(new RegExp(`\\b${name.replace(/_(min|max)$/, '(_(min|max))?')}\\b`))
      }
    }
  })

  it('lists every key of a search URL that the contract says is read', () => {
    const { description } = SearchUrl.properties.url
    const [, keys] = /spelling:\n\n(.*?)\n\n/s.exec(description)!
    const names = [...keys!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(35)
    for (const name of names) expect(guide).toContain(`\`${name}\``)
  })
})

describe('the guide on areas', () => {
  it('shows a picture of each kind, drawn from the sample, in HTML and in Markdown', async () => {
    expect(await findOutdated(), 'run: node apps/api/guides/area-pictures.ts').toEqual([])
    const { text } = await server.get('/docs/areas')
    const shown = [...text.matchAll(/<img src="([^"]+)" alt="([^"]+)"/g)].map(([, path, alt]) => [
      path!,
      alt!,
    ])
    const ofAreas = PICTURES.filter((name) => name.startsWith('area-'))
    expect(shown.map(([path]) => path)).toEqual(ofAreas.map((name) => `/docs/pictures/${name}`))
    for (const [path] of shown) {
      const picture = await server.get(path!)
      expect(picture.headers.get('content-type')).toBe('image/svg+xml')
      expect(picture.text).toMatch(/returned: [1-9]\d*<[\s\S]*not in the area: [1-9]/)
      expect(readGuide('areas')).toContain(`](${path!.replace('/docs/', '')})`)
    }
  })
})

describe('the worked example of the guide on areas', () => {
  it.each(['comparables', 'price-per-square-foot'] as const)(
    '%s shows the picture of its notebook',
    async (name) => {
      const { text } = await server.get(`/docs/${name}`)
      const [, path, alt] = /<img src="([^"]+)" alt="([^"]+)"/.exec(text)!
      expect([path, alt]).toEqual([
        `/docs/pictures/${name}-1.svg`,
        expect.stringMatching(/^The (picture|map)$/),
      ])
      const picture = await server.get(path!)
      expect(picture.headers.get('content-type')).toBe('image/svg+xml')
      expect(picture.text).toContain('</svg>')
    },
  )
})

describe('the guide on credits', () => {
  const guide = readGuide('credits')

  it('has the prices of the contract', () => {
    expect(isUpToDate(), 'run: node apps/api/guides/price-table.ts').toBe(true)
  })

  it('computes its example as the ledger would', () => {
    const rows = [...guide.matchAll(/^\| It .* \| `(\w+) (\S+)` \| ([\d +]+|failed) \| (\d+) \|$/gm)]
    expect(rows.length).toBeGreaterThan(9)
    let together = 0
    for (const [line, method, path, units, credits] of rows) {
      const entry = Object.entries(operations).find(([, one]) => one.method === method && one.path === path)
      expect(entry, line).toBeDefined()
      const { stages } = entry![1].price
      const counts = units === 'failed' ? [] : units!.split(' + ').map(Number)
      if (counts.length > 0) expect(counts, line).toHaveLength(stages.length)
      const cost = counts.reduce((sum, count, at) => sum + priceOfStage(stages[at]!, count), 0)
      expect(cost, line).toBe(Number(credits))
      together += cost
    }
    expect(guide).toContain(`| Together | | | ${together} |`)
    expect(guide).toContain(
      `begins its month with ${plans.monthly.creditsPerCycle.toLocaleString('en')} credits`,
    )
    expect(guide).toContain(`So ${plans.monthly.creditsPerCycle - together} are left.`)
    expect(price('searchListings', null, 0)).toBe(1)
  })
})

it('the guide on keys lists the plans of the service', () => {
  const guide = readGuide('authentication')
  for (const [id, plan] of Object.entries(plans)) {
    const [, rate, credits] = new RegExp(`^\\| ${id} \\| (.*) \\| (.*) \\|$`, 'm').exec(guide)!
    if (id === 'custom') expect([rate, credits]).toEqual(['as agreed', 'as agreed'])
    else {
      expect(Number(rate)).toBe(plan.rateLimitPerMinute)
      expect(credits).toMatch(new RegExp(`^${plan.creditsPerCycle.toLocaleString('en')}\\b`))
    }
  }
})
