// Which pages the manual has, and in which order. The pages are Markdown files of apps/api/guides, read when a client
// asks for one and not before.

import { readFile } from 'node:fs/promises'
import { asPublished } from '@lotline/contract/publication'

const GUIDES = new URL('../../../guides/', import.meta.url)
const DEPLOY = new URL('../../../deploy/', import.meta.url)

export type ManualPart = 'guides' | 'operations'

export interface ManualPage {
  /** Where the page is as HTML. */
  readonly path: string
  /** Where it is as it was written. */
  readonly source: string
  /** Its file below apps/api/guides. */
  readonly file: string
  readonly part: ManualPart
}

/** For those who call the service: what stands first is read first. */
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
/** For those who run it. */
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

/** The entrance. */
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

/** Ready-made configuration that the operators' pages link to, by its file name in apps/api/deploy. */
export const DEPLOY_FILES = [
  'Caddyfile',
  'nginx.conf',
  'prometheus.yaml',
  'alerts.yaml',
  'grafana-dashboard.json',
] as const

/** Pictures that the guides show, by their file name in apps/api/guides/pictures. */
export const PICTURES = [
  ...['polygon', 'multipolygon', 'circle', 'bbox', 'place'].map((kind) => `area-${kind}.svg`),
  'comparables-1.svg',
  'price-per-square-foot-1.svg',
]

export function readPicture(name: string): Promise<string> {
  return readFile(new URL(`pictures/${name}`, GUIDES), 'utf8')
}

/** Pages of the portal and the console as `pnpm screenshots` takes them, by their file name in apps/portal/screenshots. */
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

/**
 * Where a link of a page leads, whose target is written as a file beside it: the page of that file. Links to anything
 * else stay as they are.
 */
export function targetOf(href: string, page: ManualPage): string {
  if (/^(?:[a-z]+:|\/|#)/i.test(href)) return href
  const url = new URL(href, new URL(page.file, GUIDES))
  const { hash } = url
  url.hash = ''
  const path = LINKS.get(url.href)
  return path === undefined ? href : path + hash
}

/** Where the reference shows an operation: the part of its address after the `#`. */
export function referenceAnchor(operation: {
  readonly method: string
  readonly path: string
  readonly tag: string
}): string {
  return `tag/${operation.tag.toLowerCase()}/${operation.method}${operation.path}`
}
