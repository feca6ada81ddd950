// Token buckets in the memory of one process: `burst` tokens at once, and then `perSecond` per second. database/budgets.ts has
// limits that all processes share and that survive a restart.
// Why: decisions/infrastructure/buckets-in-memory.md

import { LRUCache } from 'lru-cache'

export interface BucketLimit {
  readonly burst: number
  readonly perSecond: number
}

export class TokenBucket {
  readonly #now: () => number
  #tokens: number
  #filledAt: number

  /** A full bucket. `now`: monotonic clock, in milliseconds. */
  constructor({ burst }: BucketLimit, now: () => number) {
    this.#now = now
    this.#tokens = burst
    this.#filledAt = now()
  }

  /** Milliseconds until there is a token; undefined: there is one now. Takes nothing. */
  waitOf(limit: BucketLimit): number | undefined {
    this.give(limit, 0)
    // Ten shares of 0.1 do not add up to 1 in floating point.
    return this.#tokens < 1 - 1e-9 ? ((1 - this.#tokens) / limit.perSecond) * 1000 : undefined
  }

  /** Takes a token. Returns undefined, or the milliseconds to wait if there is none. */
  take(limit: BucketLimit): number | undefined {
    const waitMs = this.waitOf(limit)
    if (waitMs === undefined) this.#tokens = Math.max(0, this.#tokens - 1)
    return waitMs
  }

  /** Takes the available fraction of a token. */
  drain(limit: BucketLimit): void {
    if (this.take(limit) !== undefined) this.#tokens = 0
  }

  /** Adds tokens, such as an unused one, up to `burst`. */
  give({ burst, perSecond }: BucketLimit, tokens: number): void {
    const at = this.#now()
    this.#tokens = Math.min(burst, this.#tokens + ((at - this.#filledAt) / 1000) * perSecond + tokens)
    this.#filledAt = at
  }
}

/** About 10 MB. Above it, the least recently used name is dropped. */
const MAX_NAMES = 50_000

/** A bucket per name, such as an address or the id of a key. Each use passes the limit, because it may change. */
export class TokenBuckets {
  readonly #now: () => number
  // Created on first use, because it takes its memory at once, and most limits of a process are never used.
  #made: LRUCache<string, TokenBucket> | undefined

  /** `now`: monotonic clock, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  waitOf(name: string, limit: BucketLimit): number | undefined {
    return this.#made?.get(name)?.waitOf(limit)
  }

  take(name: string, limit: BucketLimit): number | undefined {
    this.#made ??= new LRUCache({ max: MAX_NAMES })
    const bucket = this.#made.get(name) ?? new TokenBucket(limit, this.#now)
    this.#made.set(name, bucket)
    return bucket.take(limit)
  }

  giveBack(name: string, limit: BucketLimit): void {
    this.#made?.get(name)?.give(limit, 1)
  }
}
