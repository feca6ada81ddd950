// Rows that are stored as JSON text, sent as the bytes they are, without being parsed where the format allows it. Pieces in,
// pieces out: memory holds one of them.

import { toCsv } from './csv.ts'

/** JSON texts of rows, one behind the other with a separator between, as bytes. */
export type RowBytes = readonly Buffer[]

/** Some rows at a time. */
export type Pieces = AsyncIterable<RowBytes>

/** What must stand between the rows of a piece. */
export const SEPARATORS = { json: ',', ndjson: '\n', csv: ',' } as const

/** `{"data": [rows], …rest}` */
export async function* storedToJson(
  pieces: Pieces,
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

export async function* storedToNdjson(pieces: Pieces): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) {
    yield* piece
    yield Buffer.from('\n')
  }
}

/** With these columns, whatever the rows of this page have. */
export function storedToCsv(
  pieces: Pieces,
  columns: readonly string[],
): AsyncGenerator<string, void, undefined> {
  return toCsv(parsed(pieces), columns)
}

async function* parsed(pieces: Pieces): AsyncGenerator<object, void, undefined> {
  for await (const piece of pieces) yield* parseRows(piece)
}

/** The rows of a piece whose separator is a comma. */
export function parseRows(piece: RowBytes): object[] {
  return JSON.parse(`[${Buffer.concat(piece)}]`) as object[]
}
