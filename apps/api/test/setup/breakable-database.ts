// A database that fails when a test says so: the same one otherwise.

import type { Database, Queryable } from '../../src/database/database.ts'

export interface BreakableDatabase extends Database {
  /** What a statement is answered with instead; undefined: it is run. */
  fault: ((statement: string) => Error | undefined) | undefined
}

/** `database` is asked for with each statement, since test databases exist from beforeAll on only. */
export function createBreakableDatabase(database: () => Database): BreakableDatabase {
  function through(inner: () => Queryable): Queryable['query'] {
    return async (text, values, options) => {
      const error = breakable.fault?.(text)
      if (error) throw error
      return inner().query(text, values, options)
    }
  }
  const breakable: BreakableDatabase = {
    fault: undefined,
    get pool() {
      return database().pool
    },
    query: through(database),
    readBytes: async (query, values) => {
      const error = breakable.fault?.(query)
      if (error) throw error
      return database().readBytes(query, values)
    },
    transaction: (work, options) =>
      database().transaction((tx) => work({ query: through(() => tx) }), options),
    listen: (channel, onNotify) => database().listen(channel, onNotify),
    close: () => database().close(),
  }
  return breakable
}
