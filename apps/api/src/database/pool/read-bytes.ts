// Large text as the bytes that PostgreSQL sends. What is only passed on need not become strings first: they would be
// several times its size in JavaScript's heap, which grows for them and does not shrink again.

import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

// PostgreSQL's binary COPY format (docs: "COPY", "Binary Format") of one row of one column. Before the value: a signature
// of 11 bytes, flags and the length of an extension, the number of columns, the length of the value. Behind it: the mark
// of the end, in place of another row's number of columns.
const FLAGS_AT = 11
const LENGTH_AT = FLAGS_AT + 4 + 4 + 2
const VALUE_AT = LENGTH_AT + 4
const NULL_LENGTH = -1

/** The one text that a query of one row and one column gives, in pieces; undefined when it is null. */
export async function readBytes(
  client: pg.ClientBase,
  query: string,
  values: readonly (string | number)[],
): Promise<readonly Buffer[] | undefined> {
  const pieces: Buffer[] = []
  for await (const piece of client.query(
    copyTo(`copy (${withLiterals(query, values)}) to stdout (format binary)`),
  )) {
    pieces.push(piece as Buffer)
  }
  const length = Buffer.concat(pieces, VALUE_AT).readInt32BE(LENGTH_AT)
  return length === NULL_LENGTH ? undefined : cut(pieces, VALUE_AT, VALUE_AT + length)
}

/** COPY takes no parameters. */
function withLiterals(query: string, values: readonly (string | number)[]): string {
  return query.replace(/\$(\d+)/g, (_, number) => pg.escapeLiteral(String(values[Number(number) - 1])))
}

/** What lies from one place up to another, without copying it. */
function cut(pieces: readonly Buffer[], from: number, to: number): Buffer[] {
  let at = 0
  return pieces.flatMap((piece) => {
    const part = piece.subarray(Math.max(0, from - at), Math.max(0, to - at))
    at += piece.length
    return part.length > 0 ? [part] : []
  })
}
