// The months of the ledger's tables are partitions. Each process makes those of the coming months ahead of time. If none
// runs, rows go to the default partition, and the next process moves them: no charge ever depends on this. Why months and not days is in
// decisions/infrastructure/partitions-by-month.md.

import type { Chore } from '../platform/chores.ts'
import type { Database } from './queryable.ts'

/** Number of future months with partitions. */
const MONTHS_AHEAD = 3
const CHECK_INTERVAL_MS = 3_600_000

/** Returns how many partitions were created; 0 if all exist. */
export async function makeBookPartitions(database: Database): Promise<number> {
  const { rows } = await database.query<{ made: number }>('select make_book_partitions($1) as made', [
    MONTHS_AHEAD,
  ])
  return rows[0]!.made
}

/** Runs in every process. */
export function bookPartitionsChore(database: Database): Chore {
  return {
    name: 'make the next partitions of the ledger; it will be tried again in an hour',
    everyMs: CHECK_INTERVAL_MS,
    // The number is dropped, because a truthy result would request another run.
    run: () => makeBookPartitions(database).then(() => undefined),
  }
}
