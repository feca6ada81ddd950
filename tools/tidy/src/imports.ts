// The imports of a source file, as text: with names, bare, of types, as a call, or with require. The path may be in any
// quotes and on a line of its own.

import { posix } from 'node:path'
import { lineAt, type Source } from './source.ts'

export interface Import {
  /** The path as written in the import. */
  readonly path: string
  readonly line: number
  /** The imported file, from the root of the repository; undefined for an import by package name. */
  readonly target: string | undefined
  /** The names that it takes from the file. undefined: all of them, or unknown ones. */
  readonly names: readonly ImportedName[] | undefined
  /** The statement is `export … from`, which re-exports the names. */
  readonly isPassedOn: boolean
}

export interface ImportedName {
  /** The name in the imported file. */
  readonly name: string
  /** The name in this file, or in files that import from it. */
  readonly as: string
}

/** White space and comments, which may be anywhere between the words of an import. */
const GAP = String.raw`(?:\s|/\*[^]*?\*/)*`
const IMPORT = new RegExp(
  String.raw`\b(?:from|import|require|require\.resolve|import\.meta\.resolve)${GAP}\(?${GAP}(['"\x60])([^'"\x60$\n]+)\1`,
  'g',
)
/** The words before `from`. */
const TAKEN =
  /\b(import|export)\b(?:\s+type\b(?=\s*[\w${*]))?\s*(?:([\w$]+)\s*,?\s*)?(?:\{([^{}]*)\}|(\*)(?:\s*as\s+[\w$]+)?)?\s*$/
/** No clause is longer. */
const MAX_CLAUSE = 4_000

export function importsOf({ file, text }: Source): Import[] {
  return [...text.matchAll(IMPORT)].map(({ 0: whole, 2: path, index }) => ({
    path: path!,
    line: lineAt(text, index),
    target: path!.startsWith('.') ? posix.join(posix.dirname(file), path!) : undefined,
    ...takenBefore(whole.startsWith('from') ? text.slice(Math.max(0, index - MAX_CLAUSE), index) : ''),
  }))
}

function takenBefore(text: string): Pick<Import, 'names' | 'isPassedOn'> {
  const [, verb, whole, listed, all] = TAKEN.exec(text) ?? []
  const isPassedOn = verb === 'export'
  if (verb === undefined || all !== undefined) return { names: undefined, isPassedOn }
  return {
    names: [...(whole === undefined ? [] : [{ name: 'default', as: whole }]), ...namesIn(listed ?? '')],
    isPassedOn,
  }
}

/** @param list such as `a, type B, c as d` */
function namesIn(list: string): ImportedName[] {
  return list
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .split(',')
    .map((one) => one.trim().replace(/^type\s+(?=[\w$]+(?:\s+as\b|$))/, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [name, as = name] = one.split(/\s+as\s+/)
      return { name: name!, as: as! }
    })
}
