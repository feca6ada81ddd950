// The windows of all keys of this process. A key seen for the first time has its window rebuilt from its usage rows,
// which carry the moment of admission, so a restart forgives nobody.

import { LRUCache } from 'lru-cache'
import type { Caller } from '../accounts/callers.ts'
import type { Database } from '../database/database.ts'
import { type Admission, RateWindow } from './rate-window.ts'

const MOST_KEYS = 20_000

export interface RateWindows {
  /** Counts the call in, or refuses it. */
  enter(caller: Caller): Promise<Admission>
  /** Where the key stands, without counting. */
  look(caller: Caller): Promise<Admission>
}

/** `now` is a monotonic clock in milliseconds; tests pass their own. */
export function createRateWindows(
  database: Database,
  now: () => number = () => performance.now(),
): RateWindows {
  const windows = new LRUCache<string, RateWindow>({ max: MOST_KEYS })
  const rebuilding = new Map<string, Promise<RateWindow>>()

  function find(caller: Caller): RateWindow | undefined {
    const window = windows.get(caller.keyId)
    if (!window || window.limit === caller.rateLimitPerMinute) return window
    const adjusted = window.withLimit(caller.rateLimitPerMinute)
    windows.set(caller.keyId, adjusted)
    return adjusted
  }

  function rebuild(caller: Caller): Promise<RateWindow> {
    const underWay = rebuilding.get(caller.keyId)
    if (underWay) return underWay
    const rebuilt = readAdmissions(database, caller, now)
      .then((admittedAt) => {
        const window = new RateWindow(caller.rateLimitPerMinute, admittedAt)
        windows.set(caller.keyId, window)
        return window
      })
      .finally(() => rebuilding.delete(caller.keyId))
    rebuilding.set(caller.keyId, rebuilt)
    return rebuilt
  }

  return {
    async enter(caller) {
      return (find(caller) ?? (await rebuild(caller))).enter(now())
    },
    async look(caller) {
      return (find(caller) ?? (await rebuild(caller))).look(now())
    },
  }
}

// A chained job's two rows are one call, so requests are counted and not rows.
const ADMISSIONS = `
  select distinct on (created_at, request_id) extract(epoch from now() - created_at)::float8 * 1000 as age_ms
  from usage_rows
  where account_id = $3 and key_id = $1 and created_at > now() - interval '60 seconds'
  order by created_at desc, request_id
  limit $2`

async function readAdmissions(database: Database, caller: Caller, now: () => number): Promise<number[]> {
  const { rows } = await database.query<{ age_ms: number }>(ADMISSIONS, [
    caller.keyId,
    caller.rateLimitPerMinute,
    caller.accountId,
  ])
  const readAt = now()
  return rows.map(({ age_ms }) => readAt - age_ms)
}
