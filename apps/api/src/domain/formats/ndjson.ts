// Rows as NDJSON: one JSON object a line, each line ended by a line feed. Text comes out in pieces of some tens of
// kilobytes, one at a time as it is read, so a slow reader slows the rows down and memory stays constant.

import type { RowStream } from './csv.ts'

/** Characters after which a piece is handed on. */
const PIECE_LENGTH = 65_536

export async function* toNdjson(rows: RowStream): AsyncGenerator<string, void, undefined> {
  let piece = ''
  for await (const row of rows) {
    piece += `${JSON.stringify(row)}\n`
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
