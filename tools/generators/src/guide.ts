// The guide "Other languages". Its code blocks are compiled with the client of the generator that their section is about.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Generator } from './generator.ts'

const GUIDE = fileURLToPath(new URL('../../../apps/api/guides/other-languages.md', import.meta.url))

export interface Snippet {
  /** Of the section. */
  readonly heading: string
  readonly language: string
  readonly code: string
}

/** Every code block of the guide, in order. */
export async function readSnippets(): Promise<Snippet[]> {
  const sections = (await readFile(GUIDE, 'utf8')).split(/^## /m)
  return sections.flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code]) => ({
      heading,
      language: language!,
      code: code!,
    }))
  })
}

/** Writes the code of the generator's section below `folder`, as one program. */
export async function writeSnippets({ snippets }: Generator, folder: string): Promise<void> {
  const { heading, language, file } = snippets
  const blocks = (await readSnippets()).filter((one) => one.heading === heading && one.language === language)
  if (blocks.length === 0)
    throw new Error(`The guide has no ${language} code block below the heading "${heading}".`)
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), blocks.map(({ code }) => code).join('\n'))
}
