// Reads results of any size in chunks: with a cursor in a transaction, or page by page after the last key.

import type { Queryable } from '../database.ts'

const ROWS_AT_A_TIME = 500

/** Yields the rows of a query without parameters in chunks. A transaction can have one such query at a time. */
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
 * Yields pages of rows in key order, each after the last key of the previous one. Nothing stays open between pages, so rows may
 * change meanwhile.
 *
 * @param first a key before all others
 * @param read returns the next rows after a key, and none at the end
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
