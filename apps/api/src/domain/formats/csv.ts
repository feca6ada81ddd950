// Rows as CSV (RFC 4180): CRLF, a header line of dotted columns, lists as JSON text. Cells and column names that a spreadsheet would run as
// a formula get an apostrophe in front; numbers never do. NUL characters are removed. The text comes in pieces, each made when it is read,
// so a slow reader slows the rows down and memory stays constant.

import { stringify } from 'csv-stringify/sync'
import { type FlatColumn, findColumns, parseColumnName, valueAt } from './flatten.ts'

/** The number of rows that determine the columns of a result without given columns. */
export const HEADER_ROWS = 1000
/** Rows in one piece of text. */
const ROWS_AT_ONCE = 100

export type RowStream = Iterable<object> | AsyncIterable<object>

/**
 * Without `columns`, the columns are those that the first 1,000 rows fill, which is every row of a page of the API. A field that first
 * appears in a later row has no column. With `columns` (dotted names) the header is the same for every page.
 */
export async function* toCsv(
  rows: RowStream,
  columns?: readonly string[],
): AsyncGenerator<string, void, undefined> {
  const source = iterate(rows)
  try {
    const first = columns ? [] : await takeRows(source, HEADER_ROWS)
    const header = columns ? columns.map(parseColumnName) : findColumns(first)
    if (header.length === 0) return
    yield csvLines([header.map(({ name }) => escapeFormula(name))])
    for (let at = 0; at < first.length; at += ROWS_AT_ONCE) {
      yield csvLines(first.slice(at, at + ROWS_AT_ONCE).map((row) => toCells(row, header)))
    }
    for (;;) {
      const piece = await takeRows(source, ROWS_AT_ONCE)
      if (piece.length === 0) return
      yield csvLines(piece.map((row) => toCells(row, header)))
    }
  } finally {
    await source.return?.()
  }
}

function toCells(row: object, header: readonly FlatColumn[]): readonly string[] {
  return header.map((column) => toCell(valueAt(row, column)))
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return escapeFormula(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `-5` and `1.5e3` are numbers even as text. Any other text that begins like a formula is one. */
function escapeFormula(sent: string): string {
  // Spreadsheets and C programs end a text at a NUL.
  const text = sent.replaceAll('\0', '')
  if (!/^[=+\-@\t\r\n＝＋－＠]/.test(text)) return text
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? text : `'${text}`
}

function csvLines(rows: readonly (readonly string[])[]): string {
  // With an explicit record delimiter, the library would not quote lone line breaks.
  return stringify(rows as string[][], { record_delimiter: '\r\n', quote_record_delimiter: true })
}

async function takeRows(source: Iterator<object> | AsyncIterator<object>, count: number): Promise<object[]> {
  const taken: object[] = []
  while (taken.length < count) {
    const next = await source.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}

function iterate(rows: RowStream): Iterator<object> | AsyncIterator<object> {
  return Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
}
