// Whose code is in the bundle, and under which terms: found from the files that went in, so that none is forgotten. A
// package whose licence is none of those that may be passed on like this, or that does not say it, fails the build.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutputChunk } from 'rolldown'

interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly licenses?: readonly { readonly type: string }[]
  readonly author?: string | { readonly name: string }
}

const PERMISSIVE_LICENSES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]
/** Packages that come inside another one's files, where nothing says whose they are. */
const EMBEDDED_NOTICES: Readonly<Record<string, string>> = {
  drange: 'drange (MIT), Copyright (c) 2014 David Tudury',
  randexp: 'randexp (MIT), Copyright (C) 2011 by fent',
  ret: 'ret (MIT), Copyright (C) 2011 by fent',
  yaml: 'yaml (ISC), Copyright 2018 Eemeli Aro <eemeli@gmail.com>',
}
const LICENSE_FILE_NAME = /^(licen[cs]e|copying|notice)([.-].*)?$/i
const SEPARATOR_LINE = '-'.repeat(80)

export async function writeNotices(chunks: readonly OutputChunk[], file: string): Promise<void> {
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(findPackageFolders)))
  const notices = await Promise.all([...folders].map(readNotice))
  const head = 'The mock contains code of the following packages, each under its own terms.\n'
  const entries = [...new Set(notices)].sort()
  await writeFile(file, [head, ...entries, embeddedNotice(chunks)].join(`\n${SEPARATOR_LINE}\n\n`))
}

function embeddedNotice(chunks: readonly OutputChunk[]): string {
  const found = chunks.flatMap(({ code }) => [...code.matchAll(/"node_modules\/((?:@[^/"]+\/)?[^/"]+)\//g)])
  const notices = [...new Set(found.map(([, name = '']) => name))].sort().map((name) => {
    if (EMBEDDED_NOTICES[name]) return `${EMBEDDED_NOTICES[name]}\n`
    throw new Error(
      `${name} is bundled inside another package. Look up its license, and add it to EMBEDDED_NOTICES.`,
    )
  })
  return `Some of these packages contain others, under the MIT or the ISC licence as printed above:\n\n${notices.join('')}`
}

/** The innermost package that a file is in; none for our own files and those that the bundler makes. */
function findPackageFolders(id: string): string[] {
  const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
  return found === undefined ? [] : [found]
}

async function readNotice(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageManifest
  const { name, version, license = manifest.licenses?.[0]?.type } = manifest
  if (!PERMISSIVE_LICENSES.some((known) => license?.split(/[() ]+/).includes(known))) {
    throw new Error(`${name} ${version} has the license ${license ?? '(none stated)'}: may it be bundled?`)
  }
  const files = (await readdir(folder)).filter((entry) => LICENSE_FILE_NAME.test(entry)).sort()
  const texts = await Promise.all(files.map((entry) => readFile(join(folder, entry), 'utf8')))
  const terms = texts.length > 0 ? texts : [await termsInReadme(folder, manifest)]
  return `${name} ${version} (${license})\n\n${terms.map((text) => text.trim()).join('\n\n')}\n`
}

/** Not every package has its licence in a file of its own. */
async function termsInReadme(folder: string, { author }: PackageManifest): Promise<string> {
  const name = (await readdir(folder)).find((entry) => /^readme(\.|$)/i.test(entry))
  const readme = name === undefined ? '' : await readFile(join(folder, name), 'utf8')
  const sections = readme.split(/^(?=#)|^(?=.+\n[-=]{3,}$)/m)
  const section = sections.find((text) => /^#*\s*(the\s+)?licen[cs]e/i.test(text))
  const holder = typeof author === 'string' ? author : author?.name
  return [section, holder && `Author: ${holder}`].filter(Boolean).join('\n')
}
