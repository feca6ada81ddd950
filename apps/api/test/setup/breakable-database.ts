// A database that fails on demand.

import type { Database, Queryable } from '../../src/infrastructure/database/database.ts'

export interface BreakableDatabase extends Database {
  /** The result that replaces a statement; undefined: it runs. */
  fault: ((statement: string) => Error | undefined) | undefined
}

/** `database` is a function, because test databases exist only from beforeAll on. */
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
