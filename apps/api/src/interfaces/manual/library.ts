// The pages of the manual and their order. The pages are Markdown files of apps/api/guides, read on demand.

import { readFile } from 'node:fs/promises'
import { asPublished } from '@lotline/contract/publication'

const GUIDES = new URL('../../../guides/', import.meta.url)
const DEPLOY = new URL('../../../deploy/', import.meta.url)

export type ManualPart = 'guides' | 'operations'

export interface ManualPage {
  /** The URL of the HTML page. */
  readonly path: string
  /** The URL of the Markdown source. */
  readonly source: string
  /** The file below apps/api/guides. */
  readonly file: string
  readonly part: ManualPart
}

/** Guides for developers who call the API, in reading order. */
const FOR_CALLERS = [
  'quick-start',
  'authentication',
  'search',
  'areas',
  'credits',
  'spending-limits',
  'jobs',
  'watches',
  'webhooks',
  'portal',
  'errors',
  'formats',
  'versioning',
  'python',
  'comparables',
  'price-per-square-foot',
  'other-languages',
  'agents',
]
/** Guides for operators of the service. */
const FOR_OPERATORS = [
  'listings',
  'boundaries',
  'feeds',
  'deployment',
  'configuration',
  'data',
  'keys',
  'payment',
  'console',
  'sign-up',
  'monitoring',
  'pgbouncer',
  'capacity',
]

/** The home page. */
export const LANDING: ManualPage = {
  path: '/docs',
  source: '/docs/index.md',
  file: 'index.md',
  part: 'guides',
}

export const PAGES: readonly ManualPage[] = [
  ...FOR_CALLERS.map((name) => pageOf('guides', `${name}.md`)),
  { ...pageOf('operations', 'operations/index.md'), path: '/docs/operations' },
  ...FOR_OPERATORS.map((name) => pageOf('operations', `operations/${name}.md`)),
]

function pageOf(part: ManualPart, file: string): ManualPage {
  return { path: `/docs/${file.replace(/\.md$/, '')}`, source: `/docs/${file}`, file, part }
}

/** The page's Markdown. */
export async function readPage({ file }: ManualPage): Promise<string> {
  return asPublished(await readFile(new URL(file, GUIDES), 'utf8'))
}

/** Configuration files in apps/api/deploy that the operators' pages link to. */
export const DEPLOY_FILES = [
  'Caddyfile',
  'nginx.conf',
  'prometheus.yaml',
  'alerts.yaml',
  'grafana-dashboard.json',
] as const

/** Pictures in apps/api/guides/pictures that the guides show. */
export const PICTURES = [
  ...['polygon', 'multipolygon', 'circle', 'bbox', 'place'].map((kind) => `area-${kind}.svg`),
  'comparables-1.svg',
  'price-per-square-foot-1.svg',
]

export function readPicture(name: string): Promise<string> {
  return readFile(new URL(`pictures/${name}`, GUIDES), 'utf8')
}

/** Screenshots of the portal and the console in apps/portal/screenshots, taken by `pnpm screenshots`. */
export const SCREENSHOTS = ['overview', 'usage', 'explore', 'console-accounts', 'console-account'].flatMap(
  (page) => [`${page}-wide.png`, `${page}-narrow.png`],
)

export function readScreenshot(name: string): Promise<Buffer> {
  return readFile(new URL(import.meta.resolve(`@lotline/portal/screenshots/${name}`)))
}

export function readDeployFile(name: (typeof DEPLOY_FILES)[number]): Promise<string> {
  return readFile(new URL(name, DEPLOY), 'utf8')
}

const LINKS = new Map([
  ...[LANDING, ...PAGES].map((page) => [new URL(page.file, GUIDES).href, page.path] as const),
  ...PICTURES.map((name) => [new URL(`pictures/${name}`, GUIDES).href, `/docs/pictures/${name}`] as const),
  ...SCREENSHOTS.map(
    (name) =>
      [new URL(`../../portal/screenshots/${name}`, GUIDES).href, `/docs/screenshots/${name}`] as const,
  ),
  ...DEPLOY_FILES.map((name) => [new URL(name, DEPLOY).href, `/docs/deploy/${name}`] as const),
])

/** Resolves a page's relative link: a link to a Markdown file becomes the URL of its page. Other links are unchanged. */
export function targetOf(href: string, page: ManualPage): string {
  if (/^(?:[a-z]+:|\/|#)/i.test(href)) return href
  const url = new URL(href, new URL(page.file, GUIDES))
  const { hash } = url
  url.hash = ''
  const path = LINKS.get(url.href)
  return path === undefined ? href : path + hash
}

/** The anchor of an operation in the reference: the part of the URL after the `#`. */
export function referenceAnchor(operation: {
  readonly method: string
  readonly path: string
  readonly tag: string
}): string {
  return `tag/${operation.tag.toLowerCase()}/${operation.method}${operation.path}`
}
