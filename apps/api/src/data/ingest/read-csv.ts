// Reads CSV (RFC 4180) with a header, and a mapping of its columns. Each row is checked on its own. But after a wrong quote the next row
// cannot be found, so the whole file is refused.

import { once } from 'node:events'
import { type CsvError, type Info, parse } from 'csv-parse'
import { compileMapping, type ReadRow } from './compile-mapping.ts'
import type { Mapping } from './mapping.ts'
import { ImportFailure, MAX_LINE_BYTES, type SourceRow } from './source-row.ts'

/**
 * Yields all rows that end in one chunk together. Rows before a fault of the file are yielded before the error is thrown, because the
 * restrictions of a failed import are applied.
 *
 * @throws {ImportFailure} when the file is no CSV, or does not fit the mapping
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
  onHeader: (header: readonly string[]) => void = () => {},
): AsyncGenerator<readonly SourceRow[]> {
  const skipped = mapping.skip_lines ?? 0
  const parser = parse({
    delimiter: mapping.delimiter ?? ',',
    record_delimiter: ['\r\n', '\n'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_LINE_BYTES,
    // An error of the parser would drop the rows that wait in it. The first record that it skips ends the reading.
    skip_records_with_error: true,
  })
  let failure: CsvError | undefined
  parser.on('skip', (error: CsvError) => {
    failure ??= error
  })
  let readRow: ReadRow | undefined
  function takeRows(): SourceRow[] {
    const rows: SourceRow[] = []
    for (;;) {
      const parsed = parser.read() as ParsedRow | null
      // After a wrong quote, no row can be trusted.
      if (parsed === null || (failure && parsed.info.records > Number(failure.records))) return rows
      const { record, info } = parsed
      if (isNotice(record[0] ?? '', mapping)) continue
      if (readRow)
        rows.push({ line: skipped + info.lines, ...readRow(record), asRead: () => textOf(record, mapping) })
      else {
        readRow = compileMapping(mapping, record)
        onHeader(record)
      }
    }
  }
  try {
    // Not a pipeline, because that would drop the rows in the parser when the file cannot be read to its end.
    for await (const text of skipLines(decode(bytes, mapping.encoding ?? 'utf-8'), skipped)) {
      parser.write(text)
      const rows = takeRows()
      if (rows.length > 0) yield rows
      if (failure) break
    }
    if (!failure) {
      parser.end()
      await once(parser, 'finish')
      yield takeRows()
    }
  } finally {
    parser.destroy()
  }
  if (failure) throw new ImportFailure(describe(failure, skipped))
  if (!readRow) throw new ImportFailure('The file has no header.')
}

interface ParsedRow {
  readonly record: string[]
  readonly info: Info
}

/** The cells as one line, quoted only where they must be. */
function textOf(cells: readonly string[], { delimiter = ',' }: Mapping): string {
  const written = cells.map((cell) =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  return written.join(delimiter)
}

/** Whether a row is a notice of the publisher, before or after the header. */
function isNotice(cell: string, { skip_rows: notices = [] }: Mapping): boolean {
  return notices.some((notice) => cell.trimStart().startsWith(notice))
}

async function* decode(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  // The decoder also removes a byte order mark.
  const decoder = new TextDecoder(encoding, { fatal: true })
  let last: Buffer | undefined
  try {
    for await (const chunk of bytes) {
      last = chunk
      yield decoder.decode(chunk, { stream: true })
    }
    last = undefined
    yield decoder.decode()
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    // The rows before the wrong bytes are still read.
    if (last) yield new TextDecoder(encoding).decode(last).split('\uFFFD', 1)[0]!
    throw new ImportFailure(
      `The file is not ${encoding} text. Name its encoding in the mapping, for example: encoding: windows-1252.`,
    )
  }
}

/** Lines are skipped before parsing, because quotes in notices have no meaning. */
async function* skipLines(texts: AsyncIterable<string>, count: number): AsyncGenerator<string> {
  let left = count
  for await (const text of texts) {
    let from = 0
    for (; left > 0; left--) {
      const end = text.indexOf('\n', from)
      if (end === -1) break
      from = end + 1
    }
    if (left === 0) yield text.slice(from)
  }
}

const REASONS: Readonly<Partial<Record<string, string>>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell has text after its closing quote',
  INVALID_OPENING_QUOTE: 'a cell that is not quoted has a quote inside',
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_MAX_RECORD_SIZE: 'a row is longer than 4 MiB; most likely a quote before it is never closed',
}

function describe(error: CsvError, skipped: number): string {
  const line = skipped + Number(error.lines)
  return `The file is not valid CSV at line ${line}: ${REASONS[error.code] ?? error.message}. Nothing was changed.`
}
