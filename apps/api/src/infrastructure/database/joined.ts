// A database whose transactions join an open one, so that a function that begins a transaction can be part of a larger change.

import type { Database, Queryable } from './queryable.ts'

/**
 * An inner transaction that throws is rolled back by itself, like a separate one. Its options are ignored: isolation level and
 * timeouts are those of the open transaction.
 */
export function joinTransaction(database: Database, tx: Queryable): Database {
  const refuse = () => {
    throw new Error('listen and close cannot be called inside a transaction. Call them on the database.')
  }
  return {
    pool: database.pool,
    query: (text, values, options) => tx.query(text, values, options),
    async transaction(work) {
      await tx.query('savepoint joined')
      try {
        const result = await work(tx)
        await tx.query('release savepoint joined')
        return result
      } catch (error) {
        // If this fails as well, the open transaction cannot be committed any more.
        await tx.query('rollback to savepoint joined').catch(() => {})
        throw error
      }
    },
    readBytes: refuse,
    listen: refuse,
    close: refuse,
  }
}
