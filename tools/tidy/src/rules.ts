// The code rules. Modules first: imports point down, so that the domain can be read, tested and reused
// without HTTP. Then the few things that exist in one place only, and the habits that reviews would otherwise repeat.

import { findDroppedWords } from './dropped-words.ts'
import { findImportCycles } from './import-cycles.ts'
import { LAWS } from './laws.ts'
import type { Modules } from './modules.ts'
import { findMissingFiles } from './named-files.ts'
import { findPackageBreaches, readPackages } from './package-breaches.ts'
import { findUnpinned, PINNING_FILE } from './pinned.ts'
import { type Breach, lineAt, type Source } from './source.ts'
import { createTree, type Tree } from './tree.ts'

/** Documents that customers, integrators, operators, and contributors read. */
const DOCUMENT = /(?:\.md|^spec\/.*\.yaml)$/
const SOURCE = /\.(?:[cm]?[jt]sx?|sql)$/
const MAX_LINES = 400
const EMPTY_NAMES = /(^|\/)(utils?|helpers?|common|misc|manager|service|impl)(\/|\.|-|$)/i
const MARKER = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`, 'g')

/** @param files of the whole tree, as paths from its root */
export function findBreaches(
  files: readonly string[],
  read: (file: string) => string,
  modules?: Modules,
): Breach[] {
  const tree = readTree(files, read, modules)
  const { sources } = tree
  const documents = files.filter((file) => DOCUMENT.test(file)).map((file) => ({ file, text: read(file) }))
  return [
    ...sources.flatMap(breachesOf),
    ...findImportCycles(sources),
    ...findPackageBreaches(sources, readPackages(files, read)),
    ...findMissingFiles(sources, files),
    ...LAWS.flatMap(({ check }) => check(tree)),
    ...findUnpinned(
      files.filter((file) => PINNING_FILE.test(file)).map((file) => ({ file, text: read(file) })),
    ),
    ...findDroppedWords([...sources, ...documents]),
  ]
}

/** The files that the laws judge: code and SQL that nothing generates. */
export function readTree(files: readonly string[], read: (file: string) => string, modules?: Modules): Tree {
  const judged = files.filter((file) => SOURCE.test(file) && !file.includes('/generated/'))
  return createTree(
    files,
    judged.map((file) => ({ file, text: read(file) })),
    read,
    modules,
  )
}

function breachesOf({ file, text }: Source): Breach[] {
  const breaches: Breach[] = []
  const add = (line: number, rule: string) => breaches.push({ file, line, rule })

  const lines = text.split('\n').length
  if (lines > MAX_LINES) add(lines, `a file has at most ${MAX_LINES} lines`)
  if (EMPTY_NAMES.test(file)) add(1, 'a name says what is inside, not that something is')
  for (const { index } of text.matchAll(MARKER)) add(lineAt(text, index), 'nothing is left for later')
  return breaches
}
