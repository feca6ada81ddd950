// The limit on failed authentication: each source address may send a number of missing, malformed, unknown or revoked keys,
// and is then answered 429 without any work. A key that exists is never limited, even if others share its address: the
// directory of keys tells them apart.

import { LRUCache } from 'lru-cache'

export interface FailedKeys {
  /** Whether an unknown key from this address should be refused without a database query. */
  isGuessing(address: string): boolean
  /** Counts a failure. Returns the milliseconds to wait if the address has used up its limit; otherwise undefined. */
  count(address: string): number | undefined
}

/** Failures of one address that are answered 401: at first, and then in each second. */
export const ADDRESS_LIMIT = { burst: 60, perSecond: 1 }
/** The same for all addresses of one process together: an attack from many addresses costs no database work either. */
const PROCESS_LIMIT = { burst: 600, perSecond: 20 }
/** Some 10 MB. Beyond it the address that failed longest ago is forgotten. */
const MAX_ADDRESSES = 50_000

interface Limit {
  readonly burst: number
  readonly perSecond: number
}

interface Bucket {
  tokens: number
  at: number
}

/** `now`: monotonic clock, in milliseconds. */
export function createFailedKeys(now: () => number = () => performance.now()): FailedKeys {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES })
  const all = fresh(PROCESS_LIMIT, now())

  return {
    isGuessing(address) {
      const at = now()
      const bucket = buckets.get(address)
      if (bucket) refill(bucket, ADDRESS_LIMIT, at)
      refill(all, PROCESS_LIMIT, at)
      return (bucket !== undefined && bucket.tokens < 1) || all.tokens < 1
    },
    count(address) {
      const at = now()
      let bucket = buckets.get(address)
      if (!bucket) {
        bucket = fresh(ADDRESS_LIMIT, at)
        buckets.set(address, bucket)
      }
      refill(bucket, ADDRESS_LIMIT, at)
      refill(all, PROCESS_LIMIT, at)
      all.tokens = Math.max(0, all.tokens - 1)
      if (bucket.tokens < 1) return ((1 - bucket.tokens) / ADDRESS_LIMIT.perSecond) * 1000
      bucket.tokens -= 1
      return undefined
    },
  }
}

function fresh({ burst }: Limit, at: number): Bucket {
  return { tokens: burst, at }
}

function refill(bucket: Bucket, { burst, perSecond }: Limit, at: number): void {
  bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond)
  bucket.at = at
}
