// Bounds on what the console takes from the database, which customers use at the same moment: two statements at a time, 5 seconds
// each, and one run of what is expensive for all operators.

import type { Database } from '../../infrastructure/database.ts'
import { createWorkQueue } from '../../infrastructure/platform.ts'

/** Connections of the pool that pages and forms of the console use at a time, in this process. */
const MAX_AT_A_TIME = 2
/** Milliseconds that each statement may take, unless its transaction says otherwise. */
const STATEMENT_LIMIT_MS = 5_000
/** For how many milliseconds the result of an expensive read is shown again. */
export const SHARED_MS = 10_000

/** A database of which at most two statements or transactions are under way. The others wait in order. */
export function withBounds(database: Database): Database {
  const line = createWorkQueue(MAX_AT_A_TIME, 0)
  const transaction: Database['transaction'] = (work, options) =>
    line.run(() => database.transaction(work, { statementTimeoutMs: STATEMENT_LIMIT_MS, ...options }))
  return {
    get pool() {
      return database.pool
    },
    // In a transaction, which has a limit of time of its own.
    query: (text, values, options) => transaction((tx) => tx.query(text, values, options)),
    transaction,
    readBytes: (query, values) => line.run(() => database.readBytes(query, values)),
    listen: (channel, onNotify) => database.listen(channel, onNotify),
    close: () => database.close(),
  }
}

/** Shares a run of `read` with all who ask while it is under way, and its result for `forMs` after it. A failure is not kept. */
export function shared<T>(read: () => Promise<T>, forMs: number): () => Promise<T> {
  let last: { readonly run: Promise<T>; until: number } | undefined
  return () => {
    if (last && performance.now() < last.until) return last.run
    const mine = { run: read(), until: Number.POSITIVE_INFINITY }
    last = mine
    mine.run.then(
      () => {
        mine.until = performance.now() + forMs
      },
      () => {
        mine.until = 0
      },
    )
    return mine.run
  }
}
