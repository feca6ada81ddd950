// Formats rows that are stored as JSON text. If the format allows it, their bytes are sent unchanged and not parsed. Memory holds one piece
// at a time.

import { toCsv } from './csv.ts'

/** JSON texts of rows, one behind the other with a separator between, as bytes. */
export type RowBytes = readonly Buffer[]

/** Pieces of some rows each. */
export type TextPieces = AsyncIterable<RowBytes>

/** The separator between the rows of a piece. */
export const SEPARATORS = { json: ',', ndjson: '\n', csv: ',' } as const

/** `{"data": [rows], …rest}` */
export async function* storedToJson(
  pieces: TextPieces,
  rest: Readonly<Record<string, unknown>>,
): AsyncGenerator<Buffer, void, undefined> {
  let before = '{"data":['
  for await (const piece of pieces) {
    yield Buffer.from(before)
    yield* piece
    before = ','
  }
  const end = `],${JSON.stringify(rest).slice(1)}`
  yield Buffer.from(before === ',' ? end : before + end)
}

export async function* storedToNdjson(pieces: TextPieces): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) {
    yield* piece
    yield Buffer.from('\n')
  }
}

/** The columns are given, whatever the rows of this page have. */
export function storedToCsv(
  pieces: TextPieces,
  columns: readonly string[],
): AsyncGenerator<string, void, undefined> {
  return toCsv(parseRow(pieces), columns)
}

async function* parseRow(pieces: TextPieces): AsyncGenerator<object, void, undefined> {
  for await (const piece of pieces) yield* parseRows(piece)
}

/** The rows of a piece whose separator is a comma. */
export function parseRows(piece: RowBytes): object[] {
  return JSON.parse(`[${Buffer.concat(piece)}]`) as object[]
}
