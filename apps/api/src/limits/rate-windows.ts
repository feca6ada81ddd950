// The windows of all keys of this process. A key seen for the first time has its window rebuilt from its usage rows,
// which carry the moment of admission, so a restart forgives nobody.

import { LRUCache } from 'lru-cache'
import type { Principal } from '../accounts/principals.ts'
import type { Database } from '../database/database.ts'
import { type ProcessLease, SOLE_PROCESS } from '../processes/process-lease.ts'
import { LimitsUnavailable, type RateWindows } from './limits.ts'
import { RateWindow } from './rate-window.ts'
import { readRecentAdmissions } from './recent-admissions.ts'

const MAX_KEYS = 20_000

/** `now` is a monotonic clock in milliseconds; tests pass their own. Without the standing nobody is counted or let in. */
export function createRateWindows(
  database: Database,
  now: () => number = () => performance.now(),
  standing: ProcessLease = SOLE_PROCESS,
): RateWindows {
  const windows = new LRUCache<string, RateWindow>({ max: MAX_KEYS })
  const rebuilding = new Map<string, Promise<RateWindow>>()
  let losses = standing.losses

  function checkLease(): void {
    if (!standing.held) throw new LimitsUnavailable('Another process counts the calls.')
    if (losses === standing.losses) return
    // Others have admitted calls meanwhile. What they admitted stands in the usage rows.
    losses = standing.losses
    windows.clear()
    rebuilding.clear()
  }

  function find(principal: Principal): RateWindow | undefined {
    checkLease()
    const window = windows.get(principal.keyId)
    if (!window || window.limit === principal.rateLimitPerMinute) return window
    const adjusted = window.withLimit(principal.rateLimitPerMinute)
    windows.set(principal.keyId, adjusted)
    return adjusted
  }

  function rebuild(principal: Principal): Promise<RateWindow> {
    const underWay = rebuilding.get(principal.keyId)
    if (underWay) return underWay
    const readUnder = losses
    const rebuilt = readRecentAdmissions(database, principal)
      .then((admissions) => {
        checkLease()
        if (losses !== readUnder) throw new LimitsUnavailable('Another process has counted calls meanwhile.')
        const readAt = now()
        const admittedAt = admissions.map(({ ageMs }) => readAt - ageMs)
        const window = new RateWindow(principal.rateLimitPerMinute, admittedAt)
        windows.set(principal.keyId, window)
        return window
      })
      .finally(() => {
        if (rebuilding.get(principal.keyId) === rebuilt) rebuilding.delete(principal.keyId)
      })
    rebuilding.set(principal.keyId, rebuilt)
    return rebuilt
  }

  return {
    async enter(principal) {
      return (find(principal) ?? (await rebuild(principal))).enter(now())
    },
    async look(principal) {
      return (find(principal) ?? (await rebuild(principal))).look(now())
    },
    recorded() {},
  }
}
