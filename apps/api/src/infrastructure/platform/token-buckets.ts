// Token buckets in the memory of one process: `burst` at once, and then `perSecond` in each second. Limits that all processes share, and that
// a restart must not reset, are in database/budgets.ts.
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

  /** Full. `now`: monotonic clock, in milliseconds. */
  constructor({ burst }: BucketLimit, now: () => number) {
    this.#now = now
    this.#tokens = burst
    this.#filledAt = now()
  }

  /** Milliseconds until there is a token; undefined: there is one. Takes nothing. */
  waitOf(limit: BucketLimit): number | undefined {
    this.give(limit, 0)
    // Ten shares of 0.1 do not add up to 1 in floating point.
    return this.#tokens < 1 - 1e-9 ? ((1 - this.#tokens) / limit.perSecond) * 1000 : undefined
  }

  /** Takes a token. Returns the milliseconds to wait if there was none; otherwise undefined. */
  take(limit: BucketLimit): number | undefined {
    const waitMs = this.waitOf(limit)
    if (waitMs === undefined) this.#tokens = Math.max(0, this.#tokens - 1)
    return waitMs
  }

  /** Takes what there is of a token. */
  drain(limit: BucketLimit): void {
    if (this.take(limit) !== undefined) this.#tokens = 0
  }

  /** Adds tokens, such as one that was taken and not used. There are never more than `burst`. */
  give({ burst, perSecond }: BucketLimit, tokens: number): void {
    const at = this.#now()
    this.#tokens = Math.min(burst, this.#tokens + ((at - this.#filledAt) / 1000) * perSecond + tokens)
    this.#filledAt = at
  }
}

/** Some 10 MB. Beyond it the name that was used longest ago is forgotten. */
const MAX_NAMES = 50_000

/** A bucket for each name, such as an address or the id of a key. The limit comes with each use, as it may be another one then. */
export class TokenBuckets {
  readonly #now: () => number
  // Made when first used: it takes its memory at once, and most limits of a process are never used.
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
