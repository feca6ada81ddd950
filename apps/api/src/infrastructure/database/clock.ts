// The database's clock as this process knows it: what moments are written with. Every process of one database then
// writes the same time, however wrong its own clock is, and none is misled when its own is set while it runs.

import type { Chore } from '../platform/chores.ts'
import type { Database } from './database.ts'

const SYNC_INTERVAL_MS = 5_000

export interface DatabaseClock {
  /** What the database's clock showed at a moment of `performance.now()`: wrong by a round trip at most. */
  at(tick: number): Date
  /** Asks the database. Until it has been asked for the first time, this machine's clock is taken for it. */
  ask(): Promise<void>
  /** Asks from time to time. What a database that is away cannot tell is asked again. */
  readonly chore: Chore
}

export function createDatabaseClock(database: Database): DatabaseClock {
  /** What the database's clock is ahead of the monotonic one, in milliseconds. */
  let ahead = performance.timeOrigin
  let isKnown = false

  async function ask(): Promise<void> {
    const before = performance.now()
    const { rows } = await database.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    )
    const after = performance.now()
    const ms = rows[0]!.ms
    // It was read between the two: how much it is ahead lies between these bounds. What is known already and fits them
    // is kept, since a slow answer says less than a quick one has said before.
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
