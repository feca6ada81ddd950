// The months of the ledger's tables are partitions. Each process makes those of the coming months ahead of time. If none
// runs, rows go to the default partition, and the next process moves them: no charge ever depends on this.

import type { Logger } from 'pino'
import { every, type Repeated } from '../platform/every.ts'
import type { Database } from './queryable.ts'

/** Months that are made ahead, beside the present one. */
const MONTHS_AHEAD = 3
const CHECK_EVERY_MS = 3_600_000

/** Returns how many partitions were made; 0 if all exist. */
export async function makeBookPartitions(database: Database): Promise<number> {
  const { rows } = await database.query<{ made: number }>('select make_book_partitions($1) as made', [
    MONTHS_AHEAD,
  ])
  return rows[0]!.made
}

/** Now and every hour, in every process. */
export function keepBookPartitions(database: Database, log: Logger): Repeated {
  return every(
    CHECK_EVERY_MS,
    // Not the number, which would ask for another round.
    () => makeBookPartitions(database).then(() => undefined),
    (error) =>
      log.warn(
        { err: error },
        'cannot make the next partitions of the ledger; it will be tried again in an hour',
      ),
  )
}
