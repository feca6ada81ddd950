// Reads a backup and checks each line against the file's checksums. If reading ends without an error, the backup is complete and
// unchanged.

import type { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import {
  BACKUP,
  BackupError,
  type BackupHeader,
  type BackupTrailer,
  type FileKind,
  RowCheck,
  type TableEnd,
  type TableStart,
  toTrailer,
} from './format.ts'

/** The parts of a backup, in order: a header; for each table its start, chunks of its rows, and its end. */
export type BackupPart =
  | { readonly header: BackupHeader }
  | { readonly start: TableStart }
  /** Lines: JSON arrays of texts and nulls. */
  | { readonly rows: readonly string[] }
  | { readonly end: TableEnd }

/** Approximate size of a chunk of rows, whatever the length of one row. */
const PIECE_BYTES = 1_000_000

/** @throws {BackupError} when the file is not a backup, is damaged, or is truncated; earlier parts may have been used by then */
export async function* readBackup(source: Readable, kind: FileKind = BACKUP): AsyncGenerator<BackupPart> {
  const lines = readLines(source, kind)
  try {
    const header = await nextLine(lines)
    yield { header: parseHeader(header, kind) }
    const ends: TableEnd[] = []
    for (;;) {
      const line = parse(await nextLine(lines))
      if (isStart(line)) {
        yield { start: line }
        const end = yield* readRows(lines, line)
        ends.push(end)
        yield { end }
      } else {
        checkTrailer(line, ends)
        break
      }
    }
    if (!(await lines.next()).done) throw damagedFileError('data follows its last line')
  } finally {
    await lines.return(undefined)
    source.destroy()
  }
}

async function* readRows(
  lines: AsyncGenerator<string>,
  { table }: TableStart,
): AsyncGenerator<BackupPart, TableEnd> {
  const check = new RowCheck()
  let piece: string[] = []
  let bytes = 0
  for (;;) {
    const line = await nextLine(lines)
    const isRow = line.startsWith('[')
    if (isRow) {
      check.add(line)
      piece.push(line)
      bytes += line.length
    }
    if (piece.length > 0 && (!isRow || bytes >= PIECE_BYTES)) {
      yield { rows: piece }
      piece = []
      bytes = 0
    }
    if (isRow) continue
    const said = parse(line) as Partial<TableEnd>
    const is = check.end(table)
    if (said.end !== is.end || said.rows !== is.rows || said.sha256 !== is.sha256) {
      throw damagedFileError(`the rows of ${table} do not match their checksum`)
    }
    return is
  }
}

function parseHeader(line: string, kind: FileKind): BackupHeader {
  const header = parse(line) as Partial<BackupHeader> | null
  if (header?.format !== kind.format || !Array.isArray(header.migrations)) {
    throw wrongFileError(kind)
  }
  if (header.version !== kind.version) {
    throw new BackupError(
      `This ${kind.noun} has format ${header.version}, and this Lotline reads format ${kind.version}: use the Lotline that made it.`,
    )
  }
  return header as BackupHeader
}

function isStart(line: unknown): line is TableStart {
  const { table, columns } = line as Partial<TableStart>
  return typeof table === 'string' && Array.isArray(columns)
}

function checkTrailer(line: unknown, ends: readonly TableEnd[]): void {
  const said = line as Partial<BackupTrailer>
  const is = toTrailer(ends)
  if (
    said.complete !== true ||
    said.tables !== is.tables ||
    said.rows !== is.rows ||
    said.sha256 !== is.sha256
  ) {
    throw damagedFileError('its tables do not match its last line')
  }
}

async function nextLine(lines: AsyncGenerator<string>): Promise<string> {
  const { value, done } = await lines.next()
  if (done) throw damagedFileError('it was cut off')
  return value
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw damagedFileError('a line cannot be read')
  }
}

/** Yields whole lines. node:readline would also split at U+2028, which texts can contain. */
async function* readLines(source: Readable, kind: FileKind): AsyncGenerator<string> {
  const decompress = createZstdDecompress()
  source.on('error', (error) => decompress.destroy(error))
  source.pipe(decompress)
  let rest: Buffer[] = []
  let begun = false
  try {
    for await (const chunk of decompress as AsyncIterable<Buffer>) {
      begun = true
      let from = 0
      for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
        rest.push(chunk.subarray(from, to))
        yield Buffer.concat(rest).toString()
        rest = []
        from = to + 1
      }
      if (from < chunk.length) rest.push(chunk.subarray(from))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw damagedFileError('it was cut off')
    if (!code?.startsWith('ZSTD_')) throw error
    if (code === 'ZSTD_error_prefix_unknown' && !begun) throw wrongFileError(kind)
    throw damagedFileError('it cannot be unpacked')
  } finally {
    decompress.destroy()
  }
  if (rest.length > 0) throw damagedFileError('it was cut off')
}

const wrongFileError = ({ noun }: FileKind) => new BackupError(`The file is not a ${noun} of Lotline.`)

function damagedFileError(how: string): BackupError {
  return new BackupError(`The file is damaged: ${how}. Nothing was changed.`)
}
