// The limit on failed authentication: each source address may send a number of missing, malformed, unknown or revoked keys,
// and is then answered 429 before the server does any other work. A key that exists is never limited, even if others share its
// address: the keys of such an address are looked up together (`findGuess` in principals.ts). Beside it, the limits by address of what is
// open to anyone: the portal and OAuth; and the limit by key on messages to /mcp that are no calls.

import { LRUCache } from 'lru-cache'
import type { Principal } from './principals.ts'

export interface FailedKeys {
  /** Whether too many failures came from this address, or from all addresses together. */
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

/** A token bucket: `burst` at once, and then `perSecond` in each second. */
export interface Limit {
  readonly burst: number
  readonly perSecond: number
}

/** A limit that each source address has of its own, whatever others send. */
export interface AddressLimit {
  /** Milliseconds until the address may go on; undefined: it may at once. Counts nothing. */
  waitOf(address: string): number | undefined
  /** Counts one. Returns the milliseconds to wait if the limit was used up before; otherwise undefined. */
  take(address: string): number | undefined
  /** Takes back one that was counted before it was known to be none. */
  giveBack(address: string): void
}

/** What a process takes from one address at the pages and endpoints that are open to anyone (portal, OAuth). */
export interface VisitorLimits {
  /** Cookies, links, codes, and tokens that do not work. */
  readonly guesses: AddressLimit
  /** Requests for authorization, each of which stores a row, and of revocation. */
  readonly authorizations: AddressLimit
  readonly registrations: AddressLimit
  /** Pages of a request for authorization that is under way. */
  readonly pages: AddressLimit
  /** Metadata documents of clients that are fetched for an address. */
  readonly documents: AddressLimit
  /** Of them, those of one host (`addressAndHost`), so that one address does not use up what a process fetches from the host. */
  readonly documentsOfHost: AddressLimit
  /** Pages of plans and payment. It is by the id of the key, not by address: a session is needed to open them. */
  readonly billing: AddressLimit
}

/** The name of a limit that each address has for each host. */
export function addressAndHost(address: string, host: string): string {
  return `${address} ${host}`
}

export function createVisitorLimits(now: () => number = () => performance.now()): VisitorLimits {
  return {
    guesses: createGuessLimit(now),
    authorizations: createAddressLimit({ burst: 30, perSecond: 30 / 60 }, now),
    registrations: createAddressLimit({ burst: 10, perSecond: 10 / 3600 }, now),
    pages: createAddressLimit({ burst: 120, perSecond: 120 / 60 }, now),
    documents: createAddressLimit({ burst: 20, perSecond: 20 / 60 }, now),
    documentsOfHost: createAddressLimit({ burst: 4, perSecond: 4 / 60 }, now),
    billing: createAddressLimit({ burst: 60, perSecond: 60 / 60 }, now),
  }
}

/** For secrets that visitors send and that do not work. The console has one of its own: what is sent to the portal does not count there. */
export function createGuessLimit(now: () => number = () => performance.now()): AddressLimit {
  return createAddressLimit(ADDRESS_LIMIT, now)
}

/** `now`: monotonic clock, in milliseconds. */
export function createAddressLimit(limit: Limit, now: () => number): AddressLimit {
  const buckets = createBuckets(now)
  return {
    waitOf: (address) => buckets.waitOf(address, limit),
    take: (address) => buckets.take(address, limit),
    giveBack: (address) => buckets.giveBack(address, limit),
  }
}

/**
 * The limit on messages of a key to /mcp that do not enter its rate window, such as lists of tools, and text that is no message. Each
 * process counts its own.
 */
export interface MessageLimit {
  /** Counts one, before its body is read. Returns the milliseconds to wait if the limit was used up before; otherwise undefined. */
  take(key: LimitedKey): number | undefined
  /** Takes back one that has entered the rate window. */
  giveBack(key: LimitedKey): void
}

type LimitedKey = Pick<Principal, 'keyId' | 'rateLimitPerMinute'>

/** A connection is three messages, so a key with few calls needs some more messages than calls. */
const MIN_MESSAGES_PER_MINUTE = 60

/** As many as the key has calls, and at least `MIN_MESSAGES_PER_MINUTE`. */
export function messagesPerMinute({ rateLimitPerMinute }: Pick<LimitedKey, 'rateLimitPerMinute'>): number {
  return Math.max(MIN_MESSAGES_PER_MINUTE, rateLimitPerMinute)
}

/** `now`: monotonic clock, in milliseconds. */
export function createMessageLimit(now: () => number = () => performance.now()): MessageLimit {
  const buckets = createBuckets(now)
  const limitOf = (key: LimitedKey): Limit => ({
    burst: messagesPerMinute(key),
    perSecond: messagesPerMinute(key) / 60,
  })
  return {
    take: (key) => buckets.take(key.keyId, limitOf(key)),
    giveBack: (key) => buckets.giveBack(key.keyId, limitOf(key)),
  }
}

/** Buckets by name, such as an address or the id of a key. */
function createBuckets(now: () => number) {
  // Made when first used: it takes its memory at once, and most limits of a process are never used.
  let made: LRUCache<string, Bucket> | undefined
  const buckets = () => (made ??= new LRUCache({ max: MAX_ADDRESSES }))
  const waitFor = ({ tokens }: Bucket, { perSecond }: Limit) =>
    tokens < 1 ? ((1 - tokens) / perSecond) * 1000 : undefined
  return {
    waitOf(name: string, limit: Limit): number | undefined {
      const bucket = made?.get(name)
      if (!bucket) return undefined
      refill(bucket, limit, now())
      return waitFor(bucket, limit)
    },
    take(name: string, limit: Limit): number | undefined {
      const at = now()
      const bucket = made?.get(name) ?? fresh(limit, at)
      buckets().set(name, bucket)
      refill(bucket, limit, at)
      const waitMs = waitFor(bucket, limit)
      if (waitMs === undefined) bucket.tokens -= 1
      return waitMs
    },
    giveBack(name: string, { burst }: Limit): void {
      const bucket = made?.get(name)
      if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + 1)
    },
  }
}

interface Bucket {
  tokens: number
  at: number
}

/** `now`: monotonic clock, in milliseconds. */
export function createFailedKeys(now: () => number = () => performance.now()): FailedKeys {
  const each = createAddressLimit(ADDRESS_LIMIT, now)
  const all = fresh(PROCESS_LIMIT, now())

  return {
    isGuessing(address) {
      refill(all, PROCESS_LIMIT, now())
      return all.tokens < 1 || each.waitOf(address) !== undefined
    },
    count(address) {
      refill(all, PROCESS_LIMIT, now())
      all.tokens = Math.max(0, all.tokens - 1)
      return each.take(address)
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
