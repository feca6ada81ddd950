// No unused export: a value that only its own file uses is not exported, so that a reader knows what other files may depend on, and
// that the linter finds what has no use any more. Types may be exported with the functions that they describe.

import { type Breach, lineAt, type Source } from './source.ts'

const EXPORTED = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class) ([A-Za-z_$][\w$]*)/gm
const CHECKED = /^(?:apps|packages|tools)\/[^/]+\/src\/.*\.ts$/

/**
 * Goes by the name alone: a name that another file has, for whatever it means there, counts as used.
 *
 * @param sources all of the tree, tests too
 */
export function findUnusedExports(sources: readonly Source[]): Breach[] {
  const filesOf = new Map<string, number>()
  for (const { text } of sources) {
    for (const name of new Set(text.match(/[A-Za-z_$][\w$]*/g)))
      filesOf.set(name, (filesOf.get(name) ?? 0) + 1)
  }
  return sources
    .filter(({ file }) => CHECKED.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(EXPORTED)]
        .filter(({ 1: name }) => filesOf.get(name!) === 1)
        .map(({ index, 1: name }) => ({
          file,
          line: lineAt(text, index),
          rule: `nothing else uses ${name}: it needs no export`,
        })),
    )
}
