// Results of any size, read a piece at a time: with a cursor inside a transaction, or page by page behind the last key.

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

/**
 * Pages of rows in the order of their key, each behind the last key of the one before. It holds nothing open between pages, so the rows
 * may be changed meanwhile.
 *
 * @param first a key before all others
 * @param read the next rows behind a key, none at the end
 */
export async function* keysetPages<R, K>(
  first: K,
  keyOf: (row: R) => K,
  read: (after: K) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[], void, undefined> {
  let after = first
  for (;;) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = keyOf(last)
  }
}
