// What every kind of source is read into: one row after the other, each with a record as the source has it, still
// unjudged, or with the reason why there is none.

export type SourceRow = RowPlace &
  (
    | { readonly record: unknown }
    /** `fault` is the end of a sentence about the row: "is not JSON". */
    | { readonly fault: string }
  )

export interface RowPlace {
  /** As the source has it: one of several files. */
  readonly file?: string
  /** Counted from 1 in each file. */
  readonly line: number
}

/** The longest line of a file, in bytes; a longer one is passed over and never held. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024

/** The source as a whole cannot be imported, for the stated reason in one line. Nothing was changed. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure'
}
