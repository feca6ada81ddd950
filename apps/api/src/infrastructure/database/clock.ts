// The database's clock, estimated by this process, for the times that it writes. Every process of a database writes the same
// time, even if its own clock is wrong or is set while it runs.

// Why: decisions/infrastructure/admission-time-of-the-database.md

import type { Chore } from '../platform/chores.ts'
import type { Database } from './database.ts'

const SYNC_INTERVAL_MS = 5_000

export interface DatabaseClock {
  /** The time of the database's clock at a time of `performance.now()`, exact to a round trip. */
  at(tick: number): Date
  /** Reads the database's clock. Before the first reading, this machine's clock is used. */
  ask(): Promise<void>
  /** Reads the clock at an interval, and tries again after a failure. */
  readonly chore: Chore
}

export function createDatabaseClock(database: Database): DatabaseClock {
  /** How far the database's clock is ahead of the monotonic one, in milliseconds. */
  let ahead = performance.timeOrigin
  let isKnown = false

  async function ask(): Promise<void> {
    const before = performance.now()
    const { rows } = await database.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    )
    const after = performance.now()
    const ms = rows[0]!.ms
    // The clock was read between the two times, so the offset lies between these bounds. A known offset within them stays,
    // because a slow reading is less exact than an earlier quick one.
    const [least, most] = [ms - after, ms - before]
    ahead = isKnown ? Math.min(Math.max(ahead, least), most) : (least + most) / 2
    isKnown = true
  }

  return {
    at: (tick) => new Date(ahead + tick),
    ask,
    chore: { name: 'ask the database for its time', everyMs: SYNC_INTERVAL_MS, run: ask, failsAt: 'debug' },
  }
}
