// Bounds the console's load on the database, which customers share: two concurrent statements, 5 seconds each, and one shared run of each
// expensive read.
// Why: decisions/interfaces/console-reads-are-bounded.md

import type { Database } from '../../infrastructure/database.ts'
import { createWorkQueue } from '../../infrastructure/platform.ts'

/** Connections that the console may use at a time, in this process. */
const MAX_AT_A_TIME = 2
/** Milliseconds that each statement may take, unless its transaction sets another limit. */
const STATEMENT_LIMIT_MS = 5_000
/** Milliseconds for which the result of an expensive read is reused. */
export const SHARED_MS = 10_000

/** A database with at most two concurrent statements or transactions. Others wait in order. */
export function withBounds(database: Database): Database {
  const line = createWorkQueue(MAX_AT_A_TIME, 0)
  const transaction: Database['transaction'] = (work, options) =>
    line.run(() => database.transaction(work, { statementTimeoutMs: STATEMENT_LIMIT_MS, ...options }))
  return {
    get pool() {
      return database.pool
    },
    // In a transaction, which has its own timeout.
    query: (text, values, options) => transaction((tx) => tx.query(text, values, options)),
    transaction,
    readBytes: (query, values) => line.run(() => database.readBytes(query, values)),
    listen: (channel, onNotify) => database.listen(channel, onNotify),
    close: () => database.close(),
  }
}

/** Shares one run of `read` among all concurrent callers, and reuses its result for `forMs`. A failure is not kept. */
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
