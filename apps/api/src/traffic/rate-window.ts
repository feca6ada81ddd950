// The per-minute limit, exactly: with limit L a call is refused while the L-th latest admitted one is younger than 60 s.
// A ring of the last L admission times answers that with one comparison. The two-bucket approximation of common
// libraries lets twice the limit through in a true 60 seconds, and would refuse an honest client.

import type { Admission } from './traffic.ts'

export const WINDOW_MS = 60_000

/** The admissions of one key. Times are milliseconds on one monotonic clock. */
export class RateWindow {
  #limit: number
  #times: Float64Array
  /** Where the next admission goes: the place of the L-th latest. */
  #next = 0

  constructor(limit: number, admittedAt: Iterable<number> = []) {
    this.#limit = limit
    this.#times = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY)
    for (const at of [...admittedAt].sort((a, b) => a - b).slice(-limit)) this.#push(at)
  }

  get limit(): number {
    return this.#limit
  }

  /** Counts a call in if the limit allows it. A refused call does not count. */
  enter(now: number): Admission {
    const admitted = this.#times[this.#next]! <= now - WINDOW_MS
    if (admitted) this.#push(now)
    return this.#state(now, admitted)
  }

  /** Where the window stands, without counting anything. */
  look(now: number): Admission {
    return this.#state(now, this.#times[this.#next]! <= now - WINDOW_MS)
  }

  /** The same admissions under another limit (a change of plan). */
  withLimit(limit: number): RateWindow {
    return new RateWindow(
      limit,
      this.#times.filter((at) => at > Number.NEGATIVE_INFINITY),
    )
  }

  #push(at: number): void {
    this.#times[this.#next] = at
    this.#next = (this.#next + 1) % this.#limit
  }

  #state(now: number, admitted: boolean): Admission {
    const since = now - WINDOW_MS
    const used = this.#countAfter(since)
    const oldest = used === 0 ? since : this.#times[(this.#next + this.#limit - used) % this.#limit]!
    return { admitted, limit: this.#limit, remaining: this.#limit - used, resetMs: oldest - since }
  }

  /** How many admissions are younger than `since`. The ring is in time order, so this is a binary search. */
  #countAfter(since: number): number {
    let low = 0
    let high = this.#limit
    while (low < high) {
      const middle = (low + high) >> 1
      const younger = this.#times[(this.#next + middle) % this.#limit]! > since
      if (younger) high = middle
      else low = middle + 1
    }
    return this.#limit - low
  }
}
