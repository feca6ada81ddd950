// Limits failed authentication. Each source address may send a number of missing, malformed, unknown, or revoked keys; then it
// gets 429 before the server does any other work. A valid key is never limited, even if others share its address: the keys of
// such an address are looked up together (`findGuess` in principals.ts). This file also has the limits by address for the pages
// that are open to anyone (portal and OAuth), and the limit by key for messages to /mcp that are not calls.

// Why: decisions/infrastructure/buckets-in-memory.md

import { type BucketLimit, TokenBucket, TokenBuckets } from '../../infrastructure/platform.ts'
import type { Principal } from './principals.ts'

export interface FailedKeys {
  /** Whether this address, or all addresses together, sent too many invalid keys. */
  isGuessing(address: string): boolean
  /** Counts a failure. Returns the milliseconds to wait if the address has used up its limit; otherwise undefined. */
  count(address: string): number | undefined
}

/** Failures of one address that get 401: a burst, and then a rate per second. */
export const ADDRESS_LIMIT = { burst: 60, perSecond: 1 }
/** The same for all addresses of one process together, so that an attack from many addresses causes no database work either. */
const PROCESS_LIMIT = { burst: 600, perSecond: 20 }

/** A limit for each source address, independent of the others. */
export interface AddressLimit {
  /** Milliseconds until the address may continue; undefined: it may continue now. Counts nothing. */
  waitOf(address: string): number | undefined
  /** Counts one. Returns the milliseconds to wait if the limit was used up before; otherwise undefined. */
  take(address: string): number | undefined
  /** Uncounts one that turned out not to be a failure. */
  giveBack(address: string): void
}

/** The name of a limit that each address has for each host. */
export function addressAndHost(address: string, host: string): string {
  return `${address} ${host}`
}

/** Limits per process and source address for the pages and endpoints that are open to anyone (portal, OAuth). */
const VISITOR_LIMITS = {
  /** Invalid cookies, links, codes, and tokens. */
  guesses: ADDRESS_LIMIT,
  /** Authorization requests, each of which stores a row, and revocations. */
  authorizations: { burst: 30, perSecond: 30 / 60 },
  registrations: { burst: 10, perSecond: 10 / 3600 },
  /** Pages of an authorization request that is under way. */
  pages: { burst: 120, perSecond: 120 / 60 },
  /** Metadata documents of clients that are fetched for an address. */
  documents: { burst: 20, perSecond: 20 / 60 },
  /** Fetches from one host (`addressAndHost`), so that one address does not use up the fetches of the process from that host. */
  documentsOfHost: { burst: 4, perSecond: 4 / 60 },
  /** Pages of plans and payment. Counted by key id and not by address, because they need a session. */
  billing: { burst: 60, perSecond: 60 / 60 },
} as const satisfies Record<string, BucketLimit>

export type VisitorLimits = Readonly<Record<keyof typeof VISITOR_LIMITS, AddressLimit>>

export function createVisitorLimits(now: () => number = () => performance.now()): VisitorLimits {
  const limits = Object.entries(VISITOR_LIMITS).map(([name, limit]) => [name, createAddressLimit(limit, now)])
  return Object.fromEntries(limits)
}

/** Limits invalid secrets of visitors. The console has its own limit, separate from the portal. */
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
 * Limits the messages of a key to /mcp that do not enter its rate window, such as lists of tools and invalid messages. Each
 * process counts on its own.
 */
export interface MessageLimit {
  /** Counts one, before its body is read. Returns the milliseconds to wait if the limit was used up before; otherwise undefined. */
  take(key: LimitedKey): number | undefined
  /** Uncounts a message that has entered the rate window. */
  giveBack(key: LimitedKey): void
}

type LimitedKey = Pick<Principal, 'keyId' | 'rateLimitPerMinute'>

/** A connection takes three messages, so a key with a low rate limit needs more messages than calls. */
const MIN_MESSAGES_PER_MINUTE = 60

/** The number of MCP messages that a key may send per minute: its rate limit, and at least `MIN_MESSAGES_PER_MINUTE`. */
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
