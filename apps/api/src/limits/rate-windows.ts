// The windows of all keys of this process. A key seen for the first time has its window rebuilt from its usage rows,
// which carry the moment of admission, so a restart forgives nobody.

import { LRUCache } from 'lru-cache'
import type { Caller } from '../accounts/callers.ts'
import type { Database } from '../database/database.ts'
import { type ProcessLease, SOLE_PROCESS } from '../processes/process-lease.ts'
import { type RateWindows, TrafficUnavailable } from './limits.ts'
import { RateWindow } from './rate-window.ts'
import { readRecentAdmissions } from './recent-admissions.ts'

const MOST_KEYS = 20_000

/** `now` is a monotonic clock in milliseconds; tests pass their own. Without the standing nobody is counted or let in. */
export function createRateWindows(
  database: Database,
  now: () => number = () => performance.now(),
  standing: ProcessLease = SOLE_PROCESS,
): RateWindows {
  const windows = new LRUCache<string, RateWindow>({ max: MOST_KEYS })
  const rebuilding = new Map<string, Promise<RateWindow>>()
  let losses = standing.losses

  function checkLease(): void {
    if (!standing.held) throw new TrafficUnavailable('Another process counts the calls.')
    if (losses === standing.losses) return
    // Others have admitted calls meanwhile. What they admitted stands in the usage rows.
    losses = standing.losses
    windows.clear()
    rebuilding.clear()
  }

  function find(caller: Caller): RateWindow | undefined {
    checkLease()
    const window = windows.get(caller.keyId)
    if (!window || window.limit === caller.rateLimitPerMinute) return window
    const adjusted = window.withLimit(caller.rateLimitPerMinute)
    windows.set(caller.keyId, adjusted)
    return adjusted
  }

  function rebuild(caller: Caller): Promise<RateWindow> {
    const underWay = rebuilding.get(caller.keyId)
    if (underWay) return underWay
    const readUnder = losses
    const rebuilt = readRecentAdmissions(database, caller)
      .then((admissions) => {
        checkLease()
        if (losses !== readUnder) throw new TrafficUnavailable('Another process has counted calls meanwhile.')
        const readAt = now()
        const admittedAt = admissions.map(({ ageMs }) => readAt - ageMs)
        const window = new RateWindow(caller.rateLimitPerMinute, admittedAt)
        windows.set(caller.keyId, window)
        return window
      })
      .finally(() => {
        if (rebuilding.get(caller.keyId) === rebuilt) rebuilding.delete(caller.keyId)
      })
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
    recorded() {},
  }
}
