// The layout of each page of the manual: head, navigation, table of contents, and links to the previous and next pages.

import { escapeHtml } from './escape-html.ts'
import type { ManualPage, ManualPart } from './library.ts'
import type { Document } from './markdown.ts'

export interface ManualEntry extends ManualPage {
  readonly title: string
  readonly lead: string
}

const PARTS: Readonly<Record<ManualPart, string>> = { guides: 'Guides', operations: 'For operators' }

/** The page as HTML, with links to the others. */
export function layOut(page: ManualPage, document: Document, entries: readonly ManualEntry[]): string {
  return skeleton({
    title: `${document.title} · Lotline`,
    description: document.lead,
    source: page.source,
    kind: 'guide',
    navigation: navigationOf(entries, page),
    contents: contentsOf(document),
    main: document.html + neighboursOf(entries, page),
  })
}

/** The home page: its text, followed by all guides with their summaries. */
export function layOutLanding(page: ManualPage, document: Document, entries: readonly ManualEntry[]): string {
  const card = (path: string, title: string, lead: string) =>
    `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(lead)}</p></li>`
  const guides = entries.filter(({ part }) => part === 'guides')
  return skeleton({
    title: 'Lotline: the manual',
    description: document.lead,
    source: page.source,
    kind: 'landing',
    navigation: navigationOf(entries, page),
    contents: '',
    main: [
      document.html,
      '<h2 id="guides">Guides</h2>',
      `<ul class="cards">${guides.map(({ path, title, lead }) => card(path, title, lead)).join('\n')}</ul>`,
      '<h2 id="more">Reference and more</h2>',
      `<ul class="cards">${[
        card(
          '/docs/reference/',
          'API reference',
          'Every operation, with its price, limits, errors and samples. You can call the service from the page.',
        ),
        card(
          '/docs/operations',
          'For operators',
          'Deploy Lotline, load your listings, watch it, back it up, grow it.',
        ),
        card(
          '/openapi.json',
          'OpenAPI document',
          'The contract for clients as OpenAPI 3.1; also as YAML at /openapi.yaml, and as OpenAPI 3.0 for generators at /openapi-3.0.json.',
        ),
        card('/llms.txt', 'llms.txt', 'The same manual as Markdown, for language models and for a terminal.'),
      ].join('\n')}</ul>`,
    ].join('\n'),
  })
}

/** The page for an unknown path below /docs. */
export function layOutUnknown(entries: readonly ManualEntry[]): string {
  return skeleton({
    title: 'Page not found · Lotline',
    description: 'The manual has no page at this address.',
    source: '/llms.txt',
    kind: 'guide',
    navigation: navigationOf(entries, { path: '', source: '', file: '', part: 'guides' }),
    contents: '',
    main:
      '<h1>Page not found</h1><p>The manual has no page at this address. Go to <a href="/docs">the start of the manual</a> ' +
      'or to the <a href="/docs/reference/">reference</a>.</p>',
  })
}

interface Skeleton {
  readonly title: string
  readonly description: string
  readonly source: string
  readonly kind: 'guide' | 'landing'
  readonly navigation: string
  readonly contents: string
  readonly main: string
}

function skeleton(page: Skeleton): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
${HEADER_FILES}
<link rel="stylesheet" href="/docs/page.css">
<link rel="stylesheet" href="/docs/text.css">
<link rel="alternate" href="${page.source}" type="text/markdown">
<script src="/docs/page.js" defer></script>
</head>
<body class="${page.kind}">
<a class="skip" href="#main">Skip to the text</a>
${HEADER}
<details class="menu"><summary>All pages</summary>${page.navigation}</details>
<div class="columns">
<aside class="pages">${page.navigation}</aside>
<main id="main" tabindex="-1">
${page.main}
<footer><a href="${page.source}">This page as Markdown</a></footer>
</main>
<aside class="contents">${page.contents}</aside>
</div>
</body>
</html>
`
}

function navigationOf(entries: readonly ManualEntry[], current: ManualPage): string {
  const item = ({ path, title }: { readonly path: string; readonly title: string }) =>
    `<li><a href="${path}"${path === current.path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`
  const parts = Object.entries(PARTS).map(([part, name]) => {
    const items = entries.filter((entry) => entry.part === part).map(item)
    return `<p>${name}</p><ul>${items.join('')}</ul>`
  })
  const reference = `<p>Reference</p><ul>${item({ path: '/docs/reference/', title: 'All operations' })}</ul>`
  return `<nav aria-label="Pages">${[parts[0], reference, ...parts.slice(1)].join('')}</nav>`
}

function contentsOf({ headings }: Document): string {
  if (headings.length < 2) return ''
  const items = headings.map(
    ({ id, html, depth }) => `<li class="depth-${depth}"><a href="#${id}">${html}</a></li>`,
  )
  return `<nav aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}

function neighboursOf(entries: readonly ManualEntry[], page: ManualPage): string {
  const at = entries.findIndex(({ path }) => path === page.path)
  const link = (entry: ManualEntry | undefined, rel: string, arrow: (title: string) => string) =>
    entry ? `<a rel="${rel}" href="${entry.path}">${arrow(escapeHtml(entry.title))}</a>` : '<span></span>'
  return `<nav class="neighbours" aria-label="Before and after">${link(entries[at - 1], 'prev', (title) => `← ${title}`)}${link(entries[at + 1], 'next', (title) => `${title} →`)}</nav>`
}

// The header of every page of the manual, including the reference: links to its sections, and the search.

/** Elements that the header needs in the page's head. */
export const HEADER_FILES = `<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/header.css">
<script src="/docs/search.js" type="module"></script>`

export const HEADER = `<header class="site-header">
<a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="20" height="20">Lotline</a>
<nav aria-label="Manual"><a href="/docs/quick-start">Guides</a><a href="/docs/reference/">Reference</a><a href="/docs/operations">Operators</a></nav>
<form class="search" role="search"><input type="search" name="q" placeholder="Search guides and reference" aria-label="Search guides and reference" autocomplete="off" spellcheck="false"><div class="results" hidden></div></form>
</header>`
