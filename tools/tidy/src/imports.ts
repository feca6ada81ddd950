// The imports of a source file, as text: with names, bare, of types, as a call, or with require. The path may be in any
// quotes and on a line of its own.

import { posix } from 'node:path'
import { lineAt, type Source } from './source.ts'

export interface Import {
  /** As written. */
  readonly path: string
  readonly line: number
  /** The imported file, from the root of the repository; undefined for an import by package name. */
  readonly target: string | undefined
}

/** White space and comments, which may be anywhere between the words of an import. */
const GAP = String.raw`(?:\s|/\*[^]*?\*/)*`
const IMPORT = new RegExp(
  String.raw`\b(?:from|import|require|require\.resolve|import\.meta\.resolve)${GAP}\(?${GAP}(['"\x60])([^'"\x60$\n]+)\1`,
  'g',
)
export function importsOf({ file, text }: Source): Import[] {
  return [...text.matchAll(IMPORT)].map(({ 2: path, index }) => ({
    path: path!,
    line: lineAt(text, index),
    target: path!.startsWith('.') ? posix.join(posix.dirname(file), path!) : undefined,
  }))
}
