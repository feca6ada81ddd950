// What the search of the manual finds: each section of the guides, each operation and each event of the reference. The
// browser makes its index of these texts, so that no search is work for the service.

import { openapi, operationIds, operations } from '@lotline/contract'
import type { ManualEntry } from './layout.ts'
import { referenceAnchor } from './library.ts'
import type { Document } from './markdown.ts'

/** One place of the manual, by the names that search.js reads. */
export interface SearchText {
  /** Where it is; also its id. */
  readonly href: string
  readonly title: string
  /** The page or the part of the reference that it belongs to. */
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
