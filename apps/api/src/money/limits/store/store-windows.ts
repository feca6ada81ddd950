// The rate window of each key, over all processes: a set of admissions in the store, compared with the store's clock. A window
// that is not in the store (a new key, a flush, or an idle key) is restored from the usage rows. Admitted calls without a usage
// row are remembered in this process and restored too.

import type { Database } from '../../../infrastructure/database.ts'
import { batchPerTurn, poll, singleFlights } from '../../../infrastructure/platform.ts'
import type { Principal } from '../../accounts/principals.ts'
import { type Admission, LimitsUnavailable, type RateWindows } from '../limits.ts'
import { WINDOW_MS } from '../rate-windows.ts'
import { readRecentAdmissions } from '../recent-admissions.ts'
import type { StoreReply } from './connection.ts'
import type { InstanceRegistry, UnrecordedAdmission } from './instance-registry.ts'
import { storeKeys } from './store-keys.ts'

export interface StoreWindows extends RateWindows {
  admissions(): readonly UnrecordedAdmission[]
}

/** A request of the script ENTER. An empty request id is not counted. */
interface WindowCall {
  readonly keyId: string
  readonly limit: number
  readonly requestId: string
}

const STORE_CLOSED_REPLY: StoreReply = ['closed']
/** Bounds the attempts: a new epoch or a missing window may each occur once or twice. */
const MAX_ATTEMPTS = 8
const RESTORED_AT_A_TIME = 2_000

export interface StoreWindowsOptions {
  readonly database: Database
  /** A function, because the registry is created from these windows. */
  readonly registry: () => InstanceRegistry
  /** Default: 60 s. Tests use less. */
  readonly windowMs?: number | undefined
}

export function createStoreWindows(options: StoreWindowsOptions): StoreWindows {
  const { database, registry, windowMs = WINDOW_MS } = options
  const unrecorded = new Map<string, UnrecordedAdmission & { readonly until: number }>()
  const restoring = singleFlights<string, void>()

  /** The calls of one turn of the event loop. Answers with the epoch that they were asked in, too. */
  const enterTogether = batchPerTurn<WindowCall, { readonly reply: StoreReply; readonly epoch: string }>(
    async (group) => {
      const { epoch, isOpen, run } = registry()
      if (!isOpen) return group.map(() => ({ reply: STORE_CLOSED_REPLY, epoch }))
      const keys = group.map(({ keyId }) => storeKeys.window(epoch, keyId))
      const values = group.flatMap(({ limit, requestId }) => [limit, requestId, windowMs * 1000])
      try {
        const replies = await run('enter', keys, values)
        return replies.map((reply) => ({ reply: reply as StoreReply, epoch }))
      } catch (error) {
        // They may have been counted, and no client will get a response. In the order of commands these come after.
        for (const { keyId, requestId } of group) {
          const both = [storeKeys.window(epoch, keyId), storeKeys.early(epoch, keyId)]
          if (requestId !== '') run('withdraw', both, [requestId]).catch(() => {})
        }
        throw error
      }
    },
  )

  async function ask(principal: Principal, requestId: string): Promise<Admission> {
    const admission = await poll(() => askOnce(principal, requestId), { attempts: MAX_ATTEMPTS, pauseMs: 0 })
    if (!admission) throw new LimitsUnavailable('The store of the rate limits keeps restarting.')
    return admission
  }

  /** undefined: the epoch had to let calls in first, or the window had to be brought back. */
  async function askOnce(principal: Principal, requestId: string): Promise<Admission | undefined> {
    const { keyId, rateLimitPerMinute: limit } = principal
    await registry().whenUp()
    const { reply, epoch } = await enterTogether({ keyId, limit, requestId })
    const [verdict, admitted, used, reset, at] = reply
    if (verdict === 'closed') await registry().whenOpen()
    else if (verdict === 'unknown') await restore(principal, epoch)
    else {
      if (admitted === 1 && requestId !== '') remember({ keyId, requestId, at: String(at) })
      const remaining = Math.max(0, limit - Number(used))
      return { admitted: admitted === 1, limit, remaining, resetMs: Number(reset) / 1000 }
    }
    return undefined
  }

  /** Calls that come together have it built once. */
  function restore(principal: Principal, epoch: string): Promise<void> {
    const key = storeKeys.window(epoch, principal.keyId)
    return restoring.run(key, () => bringBack(principal, epoch, key))
  }

  async function bringBack(principal: Principal, epoch: string, key: string): Promise<void> {
    const admissions = await readRecentAdmissions(database, principal)
    for (let at = 0; at === 0 || at < admissions.length; at += RESTORED_AT_A_TIME) {
      const part = admissions.slice(at, at + RESTORED_AT_A_TIME)
      const values: (string | number)[] = [epoch, at + RESTORED_AT_A_TIME >= admissions.length ? 1 : 0]
      for (const { requestId, ageMs } of part) values.push(requestId, Math.round(ageMs * 1000))
      const store = registry()
      const keys = [storeKeys.epoch, key, storeKeys.early(epoch, principal.keyId)]
      const [verdict] = await store.run('restore', keys, values)
      if (verdict === 'rejoin') return store.rejoin()
    }
  }

  function remember(admission: UnrecordedAdmission): void {
    forgetOld()
    unrecorded.set(admission.requestId, { ...admission, until: performance.now() + windowMs })
  }

  /** Those whose usage row could never be written. The oldest stand first. */
  function forgetOld(): void {
    const now = performance.now()
    for (const [requestId, { until }] of unrecorded) {
      if (until >= now) return
      unrecorded.delete(requestId)
    }
  }

  return {
    enter: ask,
    look: (principal) => ask(principal, ''),
    recorded: (requestId) => void unrecorded.delete(requestId),
    admissions() {
      forgetOld()
      return [...unrecorded.values()]
    },
  }
}
