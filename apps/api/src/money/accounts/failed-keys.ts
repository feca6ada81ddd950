// The limit on failed authentication: each source address may send a number of missing, malformed, unknown or revoked keys,
// and is then answered 429 before the server does any other work. A key that exists is never limited, even if others share its
// address: the keys of such an address are looked up together (`findGuess` in principals.ts). Beside it, the limits by address of what is
// open to anyone: the portal and OAuth; and the limit by key on messages to /mcp that are no calls.

import { type BucketLimit, TokenBucket, TokenBuckets } from '../../infrastructure/platform.ts'
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

/** A limit that each source address has of its own, whatever others send. */
export interface AddressLimit {
  /** Milliseconds until the address may go on; undefined: it may at once. Counts nothing. */
  waitOf(address: string): number | undefined
  /** Counts one. Returns the milliseconds to wait if the limit was used up before; otherwise undefined. */
  take(address: string): number | undefined
  /** Takes back one that was counted before it was known to be none. */
  giveBack(address: string): void
}

/** The name of a limit that each address has for each host. */
export function addressAndHost(address: string, host: string): string {
  return `${address} ${host}`
}

/** What a process takes from one address at the pages and endpoints that are open to anyone (portal, OAuth). */
const VISITOR_LIMITS = {
  /** Cookies, links, codes, and tokens that do not work. */
  guesses: ADDRESS_LIMIT,
  /** Requests for authorization, each of which stores a row, and of revocation. */
  authorizations: { burst: 30, perSecond: 30 / 60 },
  registrations: { burst: 10, perSecond: 10 / 3600 },
  /** Pages of a request for authorization that is under way. */
  pages: { burst: 120, perSecond: 120 / 60 },
  /** Metadata documents of clients that are fetched for an address. */
  documents: { burst: 20, perSecond: 20 / 60 },
  /** Of them, those of one host (`addressAndHost`), so that one address does not use up what a process fetches from the host. */
  documentsOfHost: { burst: 4, perSecond: 4 / 60 },
  /** Pages of plans and payment. It is by the id of the key, not by address: a session is needed to open them. */
  billing: { burst: 60, perSecond: 60 / 60 },
} as const satisfies Record<string, BucketLimit>

export type VisitorLimits = Readonly<Record<keyof typeof VISITOR_LIMITS, AddressLimit>>

export function createVisitorLimits(now: () => number = () => performance.now()): VisitorLimits {
  const limits = Object.entries(VISITOR_LIMITS).map(([name, limit]) => [name, createAddressLimit(limit, now)])
  return Object.fromEntries(limits)
}

/** For secrets that visitors send and that do not work. The console has one of its own: what is sent to the portal does not count there. */
export function createGuessLimit(now: () => number = () => performance.now()): AddressLimit {
  return createAddressLimit(ADDRESS_LIMIT, now)
}

/** `now`: monotonic clock, in milliseconds. */
export function createAddressLimit(limit: BucketLimit, now: () => number): AddressLimit {
  const buckets = new TokenBuckets(now)
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
  const buckets = new TokenBuckets(now)
  const limitOf = (key: LimitedKey): BucketLimit => ({
    burst: messagesPerMinute(key),
    perSecond: messagesPerMinute(key) / 60,
  })
  return {
    take: (key) => buckets.take(key.keyId, limitOf(key)),
    giveBack: (key) => buckets.giveBack(key.keyId, limitOf(key)),
  }
}

/** `now`: monotonic clock, in milliseconds. */
export function createFailedKeys(now: () => number = () => performance.now()): FailedKeys {
  const each = createAddressLimit(ADDRESS_LIMIT, now)
  const all = new TokenBucket(PROCESS_LIMIT, now)

  return {
    isGuessing: (address) => all.waitOf(PROCESS_LIMIT) !== undefined || each.waitOf(address) !== undefined,
    count(address) {
      all.drain(PROCESS_LIMIT)
      return each.take(address)
    },
  }
}
