// Rows as NDJSON: one JSON object per line, each line ended by a line feed. The text comes in pieces of some tens of kilobytes, each made
// when it is read, so a slow reader slows the rows down and memory stays constant.

import type { RowStream } from './csv.ts'

/** The number of characters after which a piece is yielded. */
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
