// The messages of an import about single rows: rejected and withheld rows, warnings, and duplicates. All are counted, the first of each
// kind are kept for the report, and every one goes to `onNote`, so that memory use stays the same.

import { type RecordWarning, WARNINGS, type WarningCode } from '../listings/record-warnings.ts'
import type { RowPlace } from './source-row.ts'

export interface RowRejection extends RowPlace {
  /** The end of a sentence about the row. */
  readonly reason: string
  /** Its text in the file, at most 1,000 characters. undefined: the source has no texts. */
  readonly row?: string
}

export interface NotedRow extends RowPlace {
  readonly zpid: string
}

export interface ImportWarning {
  readonly code: WarningCode
  /** The effect on the homes that have the warning. */
  readonly meaning: string
  readonly count: number
  /** The first 100 rows. */
  readonly rows: readonly (NotedRow & { readonly reason: string })[]
  /** The rows by reason, the first 100 reasons. */
  readonly reasons: readonly WarningReason[]
}

/** All rows that have the same warning with the same values. */
export interface WarningReason {
  readonly reason: string
  readonly count: number
  readonly first: RowPlace
}

/** One line of a report file. */
export interface RowNote extends RowPlace {
  readonly kind: 'rejected' | 'withheld' | 'warning' | 'duplicate'
  readonly code?: WarningCode
  readonly zpid?: string
  readonly reason: string
  /** The text of a rejected row, at most 1,000 characters. */
  readonly row?: string
}

/** The maximum of rejected rows, and of duplicate rows, in a report. */
export const KEPT_REJECTIONS = 1_000
const KEPT_WARNINGS = 100
const KEPT_CHARACTERS = 1_000

interface KeptWarnings {
  count: number
  readonly rows: (NotedRow & { reason: string })[]
  readonly reasons: Map<string, { reason: string; count: number; first: RowPlace }>
}

export class ImportNotes {
  readonly rejections: RowRejection[] = []
  readonly duplicates: NotedRow[] = []
  rejected = 0
  withheld = 0
  #warnings = new Map<WarningCode, KeptWarnings>()
  readonly #onNote: (note: RowNote) => void

  constructor(onNote: (note: RowNote) => void = () => {}) {
    this.#onNote = onNote
  }

  /** @param asRead gives the text of the row */
  reject({ file, line }: RowPlace, reason: string, asRead?: () => string): void {
    const text = asRead?.().slice(0, KEPT_CHARACTERS)
    const rejection = { ...placed(file, line), reason, ...(text !== undefined && { row: text }) }
    this.rejected += 1
    if (this.rejections.length < KEPT_REJECTIONS) this.rejections.push(rejection)
    this.#onNote({ ...rejection, kind: 'rejected' })
  }

  /** A row that may not be stored. */
  withhold({ file, line }: RowPlace, zpid: string, reason: string): void {
    this.withheld += 1
    this.#onNote({ ...placed(file, line), zpid, kind: 'withheld', reason })
  }

  warn({ file, line }: RowPlace, zpid: string, { code, reason }: RecordWarning): void {
    const row = { ...placed(file, line), zpid, reason }
    const kept: KeptWarnings = this.#warnings.get(code) ?? { count: 0, rows: [], reasons: new Map() }
    this.#warnings.set(code, kept)
    kept.count += 1
    if (kept.rows.length < KEPT_WARNINGS) kept.rows.push(row)
    const equal = kept.reasons.get(reason)
    if (equal) equal.count += 1
    else if (kept.reasons.size < KEPT_WARNINGS)
      kept.reasons.set(reason, { reason, count: 1, first: placed(file, line) })
    this.#onNote({ ...row, kind: 'warning', code })
  }

  /** A row whose home occurred before. */
  repeat({ file, line }: RowPlace, zpid: string): void {
    const row = { ...placed(file, line), zpid }
    if (this.duplicates.length < KEPT_REJECTIONS) this.duplicates.push(row)
    this.#onNote({ ...row, kind: 'duplicate', reason: 'has the zpid of an earlier row; the last row counts' })
  }

  get warnings(): readonly ImportWarning[] {
    const codes = Object.keys(WARNINGS) as WarningCode[]
    return codes.flatMap((code) => {
      const kept = this.#warnings.get(code)
      if (kept === undefined) return []
      const { reasons, ...rest } = kept
      return [{ code, meaning: WARNINGS[code], ...rest, reasons: [...reasons.values()] }]
    })
  }
}

function placed(file: string | undefined, line: number): RowPlace {
  return file === undefined ? { line } : { file, line }
}

/**
 * Converts places of rows to numbers that rise from row to row, and back. A number has the file and the line, so that the database can
 * report which row it means.
 */
export class RowPositions {
  readonly #files: (string | undefined)[] = []
  #line = 0

  /** Must be called once for each row, in order. */
  next({ file, line }: RowPlace): number {
    // The same file may be named twice.
    if (this.#files.length === 0 || this.#files.at(-1) !== file || line <= this.#line) this.#files.push(file)
    this.#line = line
    return (this.#files.length - 1) * LINES + line
  }

  placeOf(position: number): RowPlace {
    return placed(this.#files[Math.floor(position / LINES)], position % LINES)
  }
}

const LINES = 2 ** 38
