// biome-ignore-all lint/nursery/noMisusedPromises: Fastify waits for its plugins, which the linter does not know.
// Serves the manual: each page as HTML and as Markdown, and all pages as one text for language models. Nothing is read or rendered
// before the first request.

import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { layOut, layOutLanding, layOutUnknown, type ManualEntry } from './layout.ts'
import {
  DEPLOY_FILES,
  LANDING,
  type ManualPage,
  PAGES,
  PICTURES,
  readDeployFile,
  readPage,
  readPicture,
  readScreenshot,
  SCREENSHOTS,
  targetOf,
} from './library.ts'
import { fullText, summary } from './llms.ts'
import { once, serveReference } from './reference.ts'
import { textsOfGuide, textsOfReference } from './search-texts.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  // The texts of the search.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

const manual = once(loadManual)

/** Redirects a browser from `/` to the manual, and shows a page for unknown paths of /docs. False: nothing was sent. */
export async function answerBrowser(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  if (request.method !== 'GET' || !/\btext\/html\b/i.test(request.headers.accept ?? '')) return false
  const [path] = request.url.split('?', 1)
  if (path === '/') {
    reply.header('vary', 'Accept').redirect('/docs', 302)
    return true
  }
  if (!path?.startsWith('/docs/')) return false
  const page = layOutUnknown((await manual()).entries)
  reply.code(404).header('content-security-policy', POLICY).header('vary', 'Accept').type(HTML).send(page)
  return true
}

async function servePages(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', POLICY)
  })
  const serve = (path: string, type: string, text: () => Promise<string | Buffer>) =>
    server.get(path, async (_request, reply) => reply.type(type).send(await text()))

  for (const page of [LANDING, ...PAGES]) {
    const html = once(async () => (await manual()).html(page))
    serve(page.path, HTML, html)
    serve(`${page.path}/`, HTML, html)
    serve(page.source, MARKDOWN, () => readPage(page))
  }
  serve('/llms.txt', TEXT, async () => summary((await manual()).entries))
  serve('/llms-full.txt', TEXT, async () => fullText(await Promise.all(PAGES.map(readPage))))
  for (const name of DEPLOY_FILES) serve(`/docs/deploy/${name}`, TEXT, () => readDeployFile(name))
  for (const name of PICTURES) serve(`/docs/pictures/${name}`, 'image/svg+xml', () => readPicture(name))
  for (const name of SCREENSHOTS) {
    serve(`/docs/screenshots/${name}`, 'image/png', () => readScreenshot(name))
  }
  for (const [name, type] of Object.entries(ASSETS)) {
    serve(`/docs/${name}`, type, () => readAsset(name as keyof typeof ASSETS))
  }
  serve('/docs/minisearch.js', 'text/javascript; charset=utf-8', readSearchLibrary)
  serve('/docs/search.json', 'application/json; charset=utf-8', async () => (await manual()).searchTexts())
}

interface Manual {
  readonly entries: readonly ManualEntry[]
  html(page: ManualPage): Promise<string>
  /** JSON: an array of `SearchText`. */
  searchTexts(): Promise<string>
}

/** The renderer is loaded here and not at the start of the process: most processes never serve the manual. */
async function loadManual(): Promise<Manual> {
  const { renderMarkdown } = await import('./markdown.ts')
  const render = async (page: ManualPage) =>
    renderMarkdown(await readPage(page), (href) => targetOf(href, page))
  const entries = await Promise.all(
    PAGES.map(async (page) => {
      const { title, lead } = await render(page)
      return { ...page, title, lead }
    }),
  )
  return {
    entries,
    async html(page) {
      const document = await render(page)
      return page === LANDING ? layOutLanding(page, document, entries) : layOut(page, document, entries)
    },
    async searchTexts() {
      const ofGuides = await Promise.all(
        entries.map(async (entry) => textsOfGuide(entry, await render(entry))),
      )
      return JSON.stringify([...textsOfReference(), ...ofGuides.flat()])
    },
  }
}

const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

/** Files of this folder that are served as they are, with their media types. */
export const ASSETS = {
  'header.css': CSS,
  'page.css': CSS,
  'text.css': CSS,
  'reference.css': CSS,
  'page.js': SCRIPT,
  'search.js': SCRIPT,
  'reference.js': SCRIPT,
  'icon.svg': 'image/svg+xml',
} as const

function readAsset(name: keyof typeof ASSETS): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8')
}

/** The search library, as a module for browsers. */
function readSearchLibrary(): Promise<string> {
  return readFile(new URL(import.meta.resolve('minisearch')), 'utf8')
}

/**
 * Serves the manual at /docs: guides, and a reference over our own copy of the contract. It loads nothing from other hosts, and nothing is
 * in memory before the first request.
 */
export async function serveDocs(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer')
  })
  await server.register(servePages)
  await server.register(serveReference)
}
