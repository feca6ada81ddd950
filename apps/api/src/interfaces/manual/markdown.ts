// Converts Markdown to HTML with linkable headings, syntax highlighting, and links between pages. An operation that is named in code links
// to the reference.

import { operations } from '@lotline/contract'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './escape-html.ts'
import { referenceAnchor } from './library.ts'

for (const [name, grammar] of Object.entries({ bash, go, http, ini, json, python, typescript, yaml })) {
  hljs.registerLanguage(name, grammar)
}
hljs.registerAliases(['sh', 'console'], { languageName: 'bash' })
hljs.registerAliases(['ts', 'js'], { languageName: 'typescript' })

/** The display names of languages. */
const LABELS: Readonly<Record<string, string>> = {
  sh: 'Shell',
  console: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  http: 'HTTP',
  python: 'Python',
  go: 'Go',
  text: 'Output',
  yaml: 'YAML',
  ini: 'INI',
}

export interface Heading {
  readonly id: string
  /** The page as HTML. */
  readonly html: string
  readonly depth: number
}

export interface Document {
  /** The first heading, as text. */
  readonly title: string
  /** The first paragraph, as text. */
  readonly lead: string
  readonly html: string
  /** Second- and third-level headings. */
  readonly headings: readonly Heading[]
  /** For the search: the source text under each of these headings, and first the text before them. */
  readonly sections: readonly string[]
}

/** @param resolve resolves the target of a link */
export function renderMarkdown(markdown: string, resolve: (href: string) => string): Document {
  const headings: Heading[] = []
  const ids = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${html}</h1>\n`
        const id = uniqueId(slugOf(text), ids)
        if (depth < 4) headings.push({ id, html: html.replace(/<\/?a\b[^>]*>/g, ''), depth })
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      code: ({ text, lang = '' }) => renderCode(text, lang),
      codespan: ({ text }) => renderCodeSpan(text),
      link({ href, tokens }) {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(resolve(href))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      table(token) {
        return renderTable(token, (tokens) => this.parser.parseInline(tokens))
      },
    },
  })
  const tokens = marked.lexer(markdown)
  return {
    title: textOf(tokens.find((token) => token.type === 'heading')),
    lead: textOf(tokens.find((token) => token.type === 'paragraph')),
    html: marked.parser(tokens),
    headings,
    sections: sectionsOf(tokens),
  }
}

function sectionsOf(tokens: readonly Token[]): string[] {
  const sections = ['']
  for (const token of tokens) {
    if (token.type === 'heading' && (token.depth === 2 || token.depth === 3)) sections.push('')
    else sections[sections.length - 1] += token.raw
  }
  return sections
}

function renderCode(text: string, lang: string): string {
  const known = hljs.getLanguage(lang)
  const html = known ? hljs.highlight(text, { language: lang }).value : escapeHtml(text)
  const label = LABELS[lang]
  const head = label ? `<figcaption>${label}</figcaption>` : ''
  // Focusable by keyboard, because the code may need to be scrolled.
  return `<figure class="code">${head}<pre tabindex="0"><code>${html}\n</code></pre></figure>\n`
}

function renderCodeSpan(text: string): string {
  const code = `<code>${escapeHtml(text)}</code>`
  const anchor = REFERENCE_ANCHORS.get(text)
  return anchor === undefined ? code : `<a class="operation" href="/docs/reference/#${anchor}">${code}</a>`
}

/** Finds the operation that a text such as `GET /v1/me` names. */
const REFERENCE_ANCHORS: ReadonlyMap<string, string> = new Map(
  Object.values(operations).map((operation) => [
    `${operation.method} ${operation.path}`,
    referenceAnchor(operation),
  ]),
)

/** Each cell carries the name of its column, for narrow screens without columns. The first cell is the exception: it names its row. */
function renderTable({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const labels = header.map(({ text }, at) =>
    at === 0 || text === '' ? '' : ` data-label="${escapeHtml(text)}"`,
  )
  const side = ({ align }: Tokens.TableCell) => (align ? ` class="${align}"` : '')
  const head = header.map((cell) => `<th role="columnheader"${side(cell)}>${inline(cell.tokens)}</th>`)
  const body = rows.map((cells) => {
    const filled = cells.map(
      (cell, at) =>
        `<td role="cell"${cell.text === '' ? '' : labels[at]}${side(cell)}>${inline(cell.tokens)}</td>`,
    )
    return `<tr role="row">${filled.join('')}</tr>`
  })
  // A header row of empty cells exists only because Markdown requires one.
  const named = header.some(({ text }) => text !== '')
  return [
    '<div class="table" tabindex="0"><table role="table">',
    ...(named ? [`<thead><tr role="row">${head.join('')}</tr></thead>`] : []),
    `<tbody>${body.join('\n')}</tbody></table></div>\n`,
  ].join('\n')
}

function textOf(token: Token | undefined): string {
  if (token === undefined) return ''
  if ('tokens' in token && token.tokens) return token.tokens.map(textOf).join('')
  return 'text' in token ? String(token.text).replaceAll('\n', ' ') : ''
}

/** The id that GitHub generates for a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function uniqueId(slug: string, ids: Map<string, number>): string {
  const seen = ids.get(slug) ?? 0
  ids.set(slug, seen + 1)
  return seen === 0 ? slug : `${slug}-${seen}`
}
