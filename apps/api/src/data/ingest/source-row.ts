// The rows of any kind of source: each with its record, not yet checked, or with the reason why there is none.

import type { RecordWarning } from '../listings/record-warnings.ts'
import type { StatedRights } from '../rights/row-rights.ts'

/** The content of a row, without its place. */
export type RowContent = {
  /** The rights that the row states in addition to its record. */
  readonly rights?: StatedRights
  /** Warnings from reading the row, in addition to those of its record. */
  readonly warnings?: readonly RecordWarning[]
} & (
  | { readonly record: unknown }
  /**
   * `fault` is the end of a sentence about the row: "is not JSON". `partial` is the readable part of its record, if its zpid or sourceKey
   * is certain.
   */
  | { readonly fault: string; readonly partial?: unknown }
)

export type SourceRow = RowPlace &
  RowContent & {
    /** Gives its text in the file, for the report of a rejected row. */
    readonly asRead?: () => string
  }

/** The content that was read of the row: its record, or a part of it if the row is rejected. */
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

/** The maximum length of a line in bytes. A longer line is skipped and never kept in memory. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024

/** The source as a whole cannot be imported. The message has the reason in one line. Nothing was changed. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure'
}

/** `line 3`, or `line 3 of b.ndjson` if there are several files. */
export function placeOf({ file, line }: RowPlace): string {
  return file === undefined ? `line ${line}` : `line ${line} of ${file}`
}
