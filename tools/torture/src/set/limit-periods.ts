// The periods of the limits of keys. A run is too short for a midnight, so each of them is ended now and then, as midnight does it: the
// next charge of the service begins the new one. What each period has counted is kept beside the service's tables, by the database
// itself, in the transaction that begins the next one.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@lotline/api/infrastructure/database/database.ts'
import pg from 'pg'
import type { Random } from '../random.ts'

/** The table that the auditor reads. */
export const PERIODS = 'torture_periods'

/** Keeps each period that ends from now on: which limit, the number in the ledger that it began after, and what was counted in it. */
export async function keepPeriods(database: Database): Promise<void> {
  await database.query(`
    create table ${PERIODS} (limit_id uuid, counted_after bigint, used bigint, credits bigint);
    create function keep_period() returns trigger language plpgsql security definer as $$
    begin
      insert into ${PERIODS} values (old.id, old.counted_after, old.used, old.credits);
      return null;
    end $$;
    create trigger keep_period after update on key_limits for each row
      when (old.counted_after is distinct from new.counted_after) execute function keep_period()`)
}

export interface Midnights {
  /** The number of periods that were ended, as far as the database said so. */
  stop(): Promise<number>
}

/** Between two ends of a period, in milliseconds: at least, at most. Within it, the clients use a limit up. */
const GAP_MS = [300, 2_500] as const

/** The limit periods that end together. Every midnight ends a day, and some end a week or a month too. */
const ENDS = [['day'], ['day', 'week'], ['day', 'month'], ['day', 'week', 'month']] as const

/** Ends periods repeatedly. If the database is unavailable, it retries. */
export function endPeriods(database: pg.ClientConfig, random: Random): Midnights {
  const end = new AbortController()
  let ended = 0
  async function loop(): Promise<void> {
    while (!end.signal.aborted) {
      await sleep(random.int(...GAP_MS), undefined, { signal: end.signal }).catch(() => {})
      ended += await endAll(database, random.pick(ENDS))
    }
  }
  const running = loop()
  return {
    async stop() {
      end.abort()
      await running
      return ended
    },
  }
}

/** The number of periods that were ended. */
async function endAll(database: pg.ClientConfig, periods: readonly string[]): Promise<number> {
  const client = new pg.Client({ ...database, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  // The faults of a run also meet this connection.
  client.on('error', () => {})
  try {
    await client.connect()
    let ended = 0
    // One after the other: a statement that locks several limits could wait for a charge that waits for it.
    for (const per of periods) {
      const { rowCount } = await client.query(
        'update key_limits set period_ends = clock_timestamp() where per = $1 and period_ends > now()',
        [per],
      )
      ended += rowCount ?? 0
    }
    return ended
  } catch {
    return 0
  } finally {
    await client.end().catch(() => {})
  }
}
