// Results of any size, read a piece at a time inside a transaction.

import type { Queryable } from '../database.ts'

const ROWS_AT_A_TIME = 500

/** The rows of a query without values, in pieces. One at a time in a transaction. */
export async function* readInPieces<R>(
  tx: Queryable,
  query: string,
  rowsAtATime: () => number = () => ROWS_AT_A_TIME,
): AsyncGenerator<R[], void, undefined> {
  await tx.query(`declare reading no scroll cursor for ${query}`)
  for (;;) {
    const { rows } = await tx.query<R>(`fetch ${rowsAtATime()} from reading`)
    if (rows.length === 0) break
    yield rows
  }
  await tx.query('close reading')
}
