// A database that fails when a test says so: the same one otherwise.

import type { Database, Queryable } from '../../src/infrastructure/database/database.ts'

export interface BreakableDatabase extends Database {
  /** What a statement is answered with instead; undefined: it is run. */
  fault: ((statement: string) => Error | undefined) | undefined
}

/** `database` is asked for with each statement, since test databases exist from beforeAll on only. */
export function createBreakableDatabase(database: () => Database): BreakableDatabase {
  function through(inner: () => Queryable): Queryable {
    const refuse = (text: string) => {
      const error = breakable.fault?.(text)
      if (error) throw error
    }
    return {
      async query(text, values, options) {
        refuse(text)
        return inner().query(text, values, options)
      },
      async readBytes(query, values) {
        refuse(query)
        return inner().readBytes(query, values)
      },
    }
  }
  const breakable: BreakableDatabase = {
    fault: undefined,
    get pool() {
      return database().pool
    },
    ...through(database),
    transaction: (work, options) => database().transaction((tx) => work(through(() => tx)), options),
    listen: (channel, onNotify) => database().listen(channel, onNotify),
    close: () => database().close(),
  }
  return breakable
}
