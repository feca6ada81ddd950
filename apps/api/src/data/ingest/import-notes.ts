// The messages of an import about single rows: rejected and withheld rows, warnings, and duplicates. All are counted, the first of each
// kind are kept for the report, and every one goes to `onNote`, so that memory use stays the same.

import { type RecordWarning, WARNINGS, type WarningCode } from '../listings/record-warnings.ts'
import type { RowPlace } from './source-row.ts'

export interface RowRejection extends RowPlace {
  /** The end of a sentence about the row. */
  readonly reason: string
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
}

/** One line of a report file. */
export interface RowNote extends RowPlace {
  readonly kind: 'rejected' | 'withheld' | 'warning' | 'duplicate'
  readonly code?: WarningCode
  readonly zpid?: string
  readonly reason: string
}

/** The maximum of rejected rows, and of duplicate rows, in a report. */
export const KEPT_REJECTIONS = 1_000
const KEPT_WARNINGS = 100

export class ImportNotes {
  readonly rejections: RowRejection[] = []
  readonly duplicates: NotedRow[] = []
  rejected = 0
  withheld = 0
  #warnings = new Map<WarningCode, { count: number; rows: (NotedRow & { reason: string })[] }>()
  readonly #onNote: (note: RowNote) => void

  constructor(onNote: (note: RowNote) => void = () => {}) {
    this.#onNote = onNote
  }

  reject({ file, line }: RowPlace, reason: string): void {
    const place = placed(file, line)
    this.rejected += 1
    if (this.rejections.length < KEPT_REJECTIONS) this.rejections.push({ ...place, reason })
    this.#onNote({ ...place, kind: 'rejected', reason })
  }

  /** A row that may not be stored. */
  withhold({ file, line }: RowPlace, zpid: string, reason: string): void {
    this.withheld += 1
    this.#onNote({ ...placed(file, line), zpid, kind: 'withheld', reason })
  }

  warn({ file, line }: RowPlace, zpid: string, { code, reason }: RecordWarning): void {
    const row = { ...placed(file, line), zpid, reason }
    const kept = this.#warnings.get(code) ?? { count: 0, rows: [] }
    this.#warnings.set(code, kept)
    kept.count += 1
    if (kept.rows.length < KEPT_WARNINGS) kept.rows.push(row)
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
      return kept ? [{ code, meaning: WARNINGS[code], ...kept }] : []
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
