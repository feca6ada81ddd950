// The imports of a source file, as text: with names, bare, of types, or as a call. A path may stand on a line of its own.

import { posix } from 'node:path'
import { lineAt, type Source } from './source.ts'

export interface Import {
  /** As written. */
  readonly path: string
  readonly line: number
  /** The imported file, from the root of the repository; undefined for an import by package name. */
  readonly target: string | undefined
}

const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

export function importsOf({ file, text }: Source): Import[] {
  return [...text.matchAll(IMPORT)].map(({ 1: path, index }) => ({
    path: path!,
    line: lineAt(text, index),
    target: path!.startsWith('.') ? posix.join(posix.dirname(file), path!) : undefined,
  }))
}
