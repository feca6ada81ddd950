// The rows that a reader of any kind of source gives, one after the other: each with the record as the source has it, not yet
// checked, or with the reason why there is none.

import type { StatedRights } from '../rights/row-rights.ts'

/** What a row is, without its place. */
export type RowContent = {
  /** What it says about the rights to show it, beside what its record says. */
  readonly rights?: StatedRights
} & (
  | { readonly record: unknown }
  /**
   * `fault` is the end of a sentence about the row: "is not JSON". `partial` is what could be read of its record, if its zpid or
   * sourceKey is surely its own.
   */
  | { readonly fault: string; readonly partial?: unknown }
)

export type SourceRow = RowPlace & RowContent

/** What was read of the row: its record, or a part of it if the row is rejected. */
export function contentOf(row: SourceRow): unknown {
  return 'record' in row ? row.record : row.partial
}

/** In their order, one by one or several at a time: a promise for each row would cost more than reading it. */
export type SourceRows = AsyncIterable<SourceRow | readonly SourceRow[]> | Iterable<SourceRow>

export interface RowPlace {
  /** The name of the file, if the source has several. */
  readonly file?: string
  /** Counted from 1 in each file. */
  readonly line: number
}

/** The longest line of a file, in bytes; a longer one is skipped and never kept in memory. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024

/** The source as a whole cannot be imported, for the stated reason in one line. Nothing was changed. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure'
}

/** `line 3`, or `line 3 of b.ndjson` where there are several files. */
export function placeOf({ file, line }: RowPlace): string {
  return file === undefined ? `line ${line}` : `line ${line} of ${file}`
}
