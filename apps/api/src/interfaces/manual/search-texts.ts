// The search texts of the manual: each section of the guides, and each operation and event of the reference. The browser builds its index
// from them, so searching costs the service nothing.

import { openapi, operationIds, operations } from '@lotline/contract'
import type { ManualEntry } from './layout.ts'
import { referenceAnchor } from './library.ts'
import type { Document } from './markdown.ts'

/** One search result, with the field names that search.js reads. */
export interface SearchText {
  /** The URL, which is also the id. */
  readonly href: string
  readonly title: string
  /** Its page, or its part of the reference. */
  readonly within: string
  readonly text: string
}

export function textsOfGuide({ path }: ManualEntry, document: Document): SearchText[] {
  return document.sections.map((text, at) => {
    const heading = document.headings[at - 1]
    return heading === undefined
      ? { href: path, title: document.title, within: 'Guide', text }
      : { href: `${path}#${heading.id}`, title: plainText(heading.html), within: document.title, text }
  })
}

export function textsOfReference(): SearchText[] {
  return operationIds.map((id) => {
    const { method, path, tag } = operations[id]
    const { summary = id, description = '' } = openapi.paths[path]![method.toLowerCase()] as {
      readonly summary?: string
      readonly description?: string
    }
    return {
      href: `/docs/reference/#${referenceAnchor(operations[id])}`,
      title: summary,
      within: `${method} ${path}`,
      text: `${id} ${tag} ${description}`,
    }
  })
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
