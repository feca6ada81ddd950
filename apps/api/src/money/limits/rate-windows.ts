// The rate windows of all keys of this process. The window of a new key is restored from its usage rows, which have the time of
// admission, so a restart resets no limit.

import { LRUCache } from 'lru-cache'
import type { Database } from '../../infrastructure/database.ts'
import { singleFlights } from '../../infrastructure/platform.ts'
import { type ProcessLease, SOLE_PROCESS } from '../../infrastructure/processes.ts'
import type { Principal } from '../accounts/principals.ts'
import { type Admission, LimitsUnavailable, type RateWindows } from './limits.ts'
import { readRecentAdmissions } from './recent-admissions.ts'

const MAX_KEYS = 20_000

/** `now` is a monotonic clock in milliseconds; tests pass their own. Without the process lease, no call is counted or admitted. */
export function createRateWindows(
  database: Database,
  now: () => number = () => performance.now(),
  processLease: ProcessLease = SOLE_PROCESS,
): RateWindows {
  const windows = new LRUCache<string, KeyWindow>({ max: MAX_KEYS })
  const rebuilding = singleFlights<string, KeyWindow>()
  let losses = processLease.losses

  function checkLease(): void {
    if (!processLease.held)
      throw new LimitsUnavailable(
        'This process lost its lease on the limits. Another process counts the calls now.',
      )
    if (losses === processLease.losses) return
    // Other processes have admitted calls meanwhile, which are in the usage rows.
    losses = processLease.losses
    windows.clear()
    rebuilding.forgetAll()
  }

  function find(principal: Principal): KeyWindow | undefined {
    checkLease()
    const window = windows.get(principal.keyId)
    if (!window || window.limit === principal.rateLimitPerMinute) return window
    const adjusted = window.withLimit(principal.rateLimitPerMinute)
    windows.set(principal.keyId, adjusted)
    return adjusted
  }

  async function rebuild(principal: Principal): Promise<KeyWindow> {
    const readUnder = losses
    const admissions = await readRecentAdmissions(database, principal)
    checkLease()
    if (losses !== readUnder)
      throw new LimitsUnavailable('Another process counted calls while this one had no lease.')
    const readAt = now()
    const admittedAt = admissions.map(({ ageMs }) => readAt - ageMs)
    const window = new KeyWindow(principal.rateLimitPerMinute, admittedAt)
    windows.set(principal.keyId, window)
    return window
  }

  /** Concurrent calls restore a window once. */
  async function windowOf(principal: Principal): Promise<KeyWindow> {
    return find(principal) ?? (await rebuilding.run(principal.keyId, () => rebuild(principal)))
  }

  return {
    async enter(principal) {
      return (await windowOf(principal)).enter(now())
    },
    async look(principal) {
      return (await windowOf(principal)).look(now())
    },
    recorded() {},
  }
}

// An exact sliding window: with limit L, a call is refused while the L-th latest admitted call is younger than 60 s. A ring of
// admission times answers that with one comparison. It holds at most L times and grows with the calls made, so a large limit
// costs no memory by itself. The common two-bucket approximation lets twice the limit through in a true 60 seconds, and refuses
// clients that stay within it.
export const WINDOW_MS = 60_000
/** Initial capacity of a ring. */
const MIN_CAPACITY = 16

/** The admissions of one key. Times are milliseconds on one monotonic clock. */
export class KeyWindow {
  #limit: number
  #times: Float64Array
  /** The position of the next admission, which is that of the oldest. In a ring of L, the oldest is the L-th latest. */
  #next = 0

  constructor(limit: number, admittedAt: Iterable<number> = []) {
    this.#limit = limit
    const times = [...admittedAt].sort((a, b) => a - b).slice(-limit)
    this.#times = toRing(times, Math.min(limit, Math.max(MIN_CAPACITY, times.length)))
  }

  get limit(): number {
    return this.#limit
  }

  /** Counts a call in if the limit allows it. A refused call does not count. */
  enter(now: number): Admission {
    const admitted = this.#admits(now)
    if (admitted) this.#push(now)
    return this.#state(now, admitted)
  }

  /** The state of the window, without counting. */
  look(now: number): Admission {
    return this.#state(now, this.#admits(now))
  }

  /** Returns a window with the same admissions under another limit, after a change of plan. */
  withLimit(limit: number): KeyWindow {
    return new KeyWindow(
      limit,
      this.#times.filter((at) => at > Number.NEGATIVE_INFINITY),
    )
  }

  #admits(now: number): boolean {
    return this.#times.length < this.#limit || this.#hasRoom(now)
  }

  /** Whether the position of the next admission has no admission that still counts. */
  #hasRoom(now: number): boolean {
    return this.#times[this.#next]! <= now - WINDOW_MS
  }

  #push(now: number): void {
    if (!this.#hasRoom(now)) this.#grow()
    this.#times[this.#next] = now
    this.#next = (this.#next + 1) % this.#times.length
  }

  #grow(): void {
    const inOrder = [...this.#times.subarray(this.#next), ...this.#times.subarray(0, this.#next)]
    this.#times = toRing(inOrder, Math.min(this.#limit, 2 * inOrder.length))
    this.#next = 0
  }

  #state(now: number, admitted: boolean): Admission {
    const since = now - WINDOW_MS
    const used = this.#countAfter(since)
    const room = this.#times.length
    const oldest = used === 0 ? since : this.#times[(this.#next + room - used) % room]!
    return { admitted, limit: this.#limit, remaining: this.#limit - used, resetMs: oldest - since }
  }

  /** How many admissions are younger than `since`. The ring is in time order, so this is a binary search. */
  #countAfter(since: number): number {
    const room = this.#times.length
    let low = 0
    let high = room
    while (low < high) {
      const middle = (low + high) >> 1
      const younger = this.#times[(this.#next + middle) % room]! > since
      if (younger) high = middle
      else low = middle + 1
    }
    return room - low
  }
}

/** A ring with the sorted times at its end; free positions come first. */
function toRing(times: readonly number[], room: number): Float64Array {
  const ring = new Float64Array(room).fill(Number.NEGATIVE_INFINITY)
  ring.set(times, room - times.length)
  return ring
}
