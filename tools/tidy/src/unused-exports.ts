// No unused export: a value that only its own file uses is not exported, so that a reader knows what other files may depend on, and
// that the linter finds what has no use any more. Types may be exported with the functions that they describe.

import { type Breach, lineAt, type Source } from './source.ts'
import { readTokens } from './texts.ts'
import { codeOf, type Law } from './tree.ts'

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const enum|const|let|var|function\*?|class|enum) ([A-Za-z_$][\w$]*)/gm
/** `export { a, b as c }`, also from another file, and `export const { a, b: c } = …`. */
const LISTED = /^export (?:(?:const|let) )?\{([^}]*)\}/gm
const CHECKED = /^(?:apps|packages|tools)\/[^/]+\/src\/.*\.ts$/

/**
 * Goes by the name alone: a name that another file has in its code, for whatever it means there, counts as used. A comment uses nothing.
 *
 * @param sources all of the tree, tests too
 */
export function findUnusedExports(sources: readonly Source[]): Breach[] {
  const filesOf = new Map<string, number>()
  for (const source of sources) {
    for (const name of namesIn(source)) filesOf.set(name, (filesOf.get(name) ?? 0) + 1)
  }
  return sources
    .filter(({ file }) => CHECKED.test(file))
    .flatMap((source) => {
      const code = codeOf(source)
      const declared = [...code.matchAll(DECLARED)].map(({ index, 1: name }) => ({ index, name: name! }))
      const listed = [...code.matchAll(LISTED)].flatMap(({ index, 1: names }) =>
        names!
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => ({ index, name: name.split(/\s+as\s+|\s*:\s*/).at(-1)! })),
      )
      return [...declared, ...listed]
        .filter(({ name }) => filesOf.get(name) === 1)
        .map(({ index, name }) => ({
          file: source.file,
          line: lineAt(source.text, index),
          rule: `${RULE}: ${name} is used in its file alone`,
        }))
    })
}
const RULE = 'an export has a use'

function namesIn(source: Source): Set<string> {
  // Texts count: programs that tests write name what they import. A comment does not.
  const code = readTokens(source).filter(({ kind }) => kind !== 'comment')
  return new Set(code.flatMap(({ raw }) => raw.match(/[A-Za-z_$][\w$]*/g) ?? []))
}

const plant = (what: string, name: string, text: string) => ({
  what,
  file: `packages/contract/src/plant-${name}.ts`,
  text,
})

/** Put together, because a text that names an export uses it. */
const NAME = ['plan', 'ted'].join('')

export const EXPORT_LAWS: readonly Law[] = [
  {
    rule: RULE,
    check: ({ sources }) => findUnusedExports(sources),
    plants: [
      plant('a function', 'function', `export async function ${NAME}Function() {}`),
      plant('an enumeration', 'enum', `export enum ${NAME}Enum {}`),
      plant('a list', 'list', `const ${NAME} = 1\nexport { ${NAME} as ${NAME}Other }`),
      plant('an object taken apart', 'apart', `export const { ${NAME}Part } = read()`),
      plant(
        'a name that a comment uses',
        'comment',
        `// See ${NAME}Comment.\nexport const ${NAME}Comment = 1`,
      ),
    ],
  },
]
