// The samples of the guides: their code blocks and the output that the guide promises for each.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const GUIDES = join(import.meta.dirname, '../../../guides')

export const GUIDE_NAMES = [
  'index',
  'quick-start',
  'authentication',
  'search',
  'areas',
  'credits',
  'spending-limits',
  'jobs',
  'watches',
  'webhooks',
  'errors',
  'formats',
  'versioning',
  'python',
  'other-languages',
  'agents',
  // Notebooks, which packages/client-python executes.
  'comparables',
  'price-per-square-foot',
] as const
export type GuideName = (typeof GUIDE_NAMES)[number]

export interface Sample {
  readonly lang: string
  readonly code: string
  /** The block that follows at once, if it is `text` or `json`. */
  readonly printed: { readonly lang: 'text' | 'json'; readonly text: string } | undefined
}

export function readGuide(name: GuideName): string {
  return readFileSync(join(GUIDES, `${name}.md`), 'utf8')
}

const BLOCK = /^```(\w+)\n(.*?)^```$/gms

export function samplesOf(name: GuideName): Sample[] {
  const markdown = readGuide(name)
  const blocks = [...markdown.matchAll(BLOCK)].map((match) => ({
    lang: match[1]!,
    code: match[2]!,
    from: match.index,
    to: match.index + match[0].length,
  }))
  return blocks
    .filter(({ lang }) => lang !== 'text' && lang !== 'json')
    .map(({ lang, code, to }) => {
      const next = blocks.find(({ from }) => from > to)
      const follows = next && markdown.slice(to, next.from).trim() === ''
      const printed =
        follows && (next.lang === 'text' || next.lang === 'json')
          ? { lang: next.lang, text: next.code }
          : undefined
      return { lang, code, printed } as Sample
    })
}
