// Rows that are stored as JSON text, sent without being parsed where the format allows it. Pieces in, pieces out: memory
// holds one of them.

import { toCsv } from './csv.ts'

/** JSON texts of rows, some at a time. */
export type Pieces = AsyncIterable<readonly string[]>

/** `{"data": [rows], …rest}` */
export async function* storedToJson(
  pieces: Pieces,
  rest: Readonly<Record<string, unknown>>,
): AsyncGenerator<string, void, undefined> {
  let before = '{"data":['
  for await (const piece of pieces) {
    yield `${before}${piece.join()}`
    before = ','
  }
  const end = `],${JSON.stringify(rest).slice(1)}`
  yield before === ',' ? end : before + end
}

export async function* storedToNdjson(pieces: Pieces): AsyncGenerator<string, void, undefined> {
  for await (const piece of pieces) yield `${piece.join('\n')}\n`
}

/** With these columns, whatever the rows of this page have. */
export function storedToCsv(
  pieces: Pieces,
  columns: readonly string[],
): AsyncGenerator<string, void, undefined> {
  return toCsv(parsed(pieces), columns)
}

async function* parsed(pieces: Pieces): AsyncGenerator<object, void, undefined> {
  for await (const piece of pieces) for (const text of piece) yield JSON.parse(text) as object
}
