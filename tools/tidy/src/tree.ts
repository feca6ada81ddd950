// The files of the repository, read once. The laws judge them.

import { isMigration, type Place } from './folders.ts'
import { MODULES, type Modules } from './modules.ts'
import { type Breach, lineAt, type Source } from './source.ts'
import { readFunctions, type SqlFunction } from './sql.ts'
import { type Constants, readConstants, readTokens, type Text, textsOf } from './texts.ts'

export interface Tree {
  readonly files: readonly string[]
  /** Code and SQL, without what is generated. */
  readonly sources: readonly Source[]
  readonly migrations: readonly Source[]
  /** The modules of the service with their folders. */
  readonly modules: Modules
  read(file: string): string
  /** Functions of the schema. */
  functions(): readonly SqlFunction[]
  texts(source: Source): readonly Text[]
}

/** A file that breaks a law. The test of the laws plants each of them in a copy of the tree and expects its report. */
export interface Plant {
  readonly what: string
  /** The path of the file from the root. */
  readonly file: string
  readonly text: string
  /** Other files that it needs, by path. */
  readonly with?: Readonly<Record<string, string>>
}

export interface Law {
  /** How the report of each breach begins. */
  readonly rule: string
  readonly check: (tree: Tree) => readonly Breach[]
  readonly plants: readonly Plant[]
  /** Files and folders that it does not hold for. */
  readonly except?: readonly Place[]
}

export function createTree(
  files: readonly string[],
  sources: readonly Source[],
  read: (file: string) => string,
  modules: Modules = MODULES,
): Tree {
  const migrations = sources
    .filter(({ file }) => isMigration(file))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
  let constants: Constants | undefined
  let functions: readonly SqlFunction[] | undefined
  const texts = new Map<Source, readonly Text[]>()
  return {
    files,
    sources,
    migrations,
    modules,
    read,
    functions: () => (functions ??= readFunctions(migrations)),
    texts(source) {
      constants ??= readConstants(sources.filter(({ file }) => /^apps\/api\/src\/.*\.[cm]?ts$/.test(file)))
      const known = texts.get(source) ?? textsOf(source, constants)
      texts.set(source, known)
      return known
    },
  }
}

/** The same text with its comments and texts blanked out, line for line. The values in templates stay. */
export function codeOf(source: Source): string {
  const { text } = source
  let code = ''
  for (const { kind, index, raw, parts } of readTokens(source)) {
    code += blank(text.slice(code.length, index))
    if (kind === 'template') {
      for (const part of parts) {
        code += blank(text.slice(code.length, part.index))
        code += part.kind === 'code' ? part.raw : blank(part.raw)
      }
      code += blank(text.slice(code.length, index + raw.length))
    } else code += kind === 'text' || kind === 'comment' || kind === 'pattern' ? blank(raw) : raw
  }
  return code + blank(text.slice(code.length))
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** A breach for each match of a global pattern. */
export function matchesOf(source: Source, text: string, pattern: RegExp, rule: string): Breach[] {
  return [...text.matchAll(pattern)].map(({ index }) => ({
    file: source.file,
    line: lineAt(source.text, index),
    rule,
  }))
}
