// Checks 1 to 3 and 8: the key is present, well-formed, known and live, its account is not suspended, and what the account and
// the limits have left pays for the call.

import type { ErrorCode } from '@lotline/contract'
import { isApiKey } from '@lotline/contract/checks'
import { ADDRESS_LIMIT, type FailedKeys } from '../accounts/failed-keys.ts'
import type { KeyAllowance } from '../accounts/key-limits.ts'
import { hashOf, type Principal, type Principals } from '../accounts/principals.ts'
import type { Balance } from '../credits/ledger.ts'
import { availableCredits, isKeyShort } from '../credits/settlement.ts'
import {
  type ExternalTokens,
  IssuerUnavailable,
  isJwt,
  type KeylessRefusal,
} from '../oauth/external-connectors.ts'
import {
  isRefusal,
  type Refusal,
  refuseAboveKeyLimit,
  refuseAboveLimit,
  refuseFor,
} from '../platform/refusal.ts'

export interface Authenticated {
  readonly principal: Principal
  readonly keyHash: string
}

export interface AuthenticationParts {
  readonly principals: Principals
  readonly failedKeys: FailedKeys
  /** undefined: there is no external issuer, so no JWT is a key. */
  readonly externalTokens: ExternalTokens | undefined
}

/** Too many failures came from the address. */
export interface Guessed {
  readonly refusal: Refusal
  /** At least 2. */
  readonly retryAfterS: number
}

/** The value of Authorization, or the hash of the key of a session that a front end has checked. */
export type Credentials = string | undefined | { readonly keyHash: string }

/**
 * No part of `credentials` is ever echoed. `address` is what `sourceAddressReader` found.
 */
export async function authenticate(
  { principals, failedKeys, externalTokens }: AuthenticationParts,
  credentials: Credentials,
  address: string,
): Promise<Authenticated | Refusal | KeylessRefusal | Guessed> {
  if (typeof credentials === 'object') {
    // The session was found, so this is no guess.
    const { keyHash } = credentials
    const principal = await principals.find(keyHash)
    return principal && !principal.revoked ? { principal, keyHash } : UNKNOWN
  }
  const header = credentials
  const token = externalTokens && tokenOf(header)
  if (token !== undefined) {
    const found = await authenticateToken(principals, externalTokens!, token)
    // A service without the keys of its issuer is no fault of the client.
    const isFault = isRefusal(found) && found.code !== 'service_unavailable'
    return isFault ? countFailure(failedKeys, address, () => found) : found
  }
  const key = readKey(header)
  if (isRefusal(key)) return countFailure(failedKeys, address, () => key)
  const keyHash = hashOf(key)
  // A key is always looked up, however many other keys from the address fail: one that was just made is refused nowhere.
  const principal = failedKeys.isGuessing(address)
    ? await principals.findGuess(keyHash)
    : await principals.find(keyHash)
  if (!principal || principal.revoked) return countFailure(failedKeys, address, () => UNKNOWN)
  return { principal, keyHash }
}

/** The connector that a token of the external issuer is for, with the operations that this token grants. */
async function authenticateToken(
  principals: Principals,
  externalTokens: ExternalTokens,
  token: string,
): Promise<Authenticated | Refusal | KeylessRefusal> {
  try {
    const connector = await externalTokens.find(token)
    if (!connector) return UNUSABLE
    if (isRefusal(connector)) return connector
    const { keyHash, operations } = connector
    const principal = await principals.find(keyHash)
    if (!principal || principal.revoked) return UNUSABLE
    return { principal: { ...principal, allowedOperations: operations }, keyHash }
  } catch (error) {
    if (error instanceof IssuerUnavailable) return refuseFor('service_unavailable', 'issuer', {})
    throw error
  }
}

function countFailure<R extends Refusal>(
  failedKeys: FailedKeys,
  address: string,
  refusal: () => R,
): R | Guessed {
  const waitMs = failedKeys.count(address)
  return waitMs === undefined ? refusal() : refuseGuesser(waitMs)
}

/** The refusal of an address that sent too many secrets that do not work, whatever they were for. */
export function refuseGuesser(waitMs: number): Guessed {
  return { refusal: TOO_MANY_FAILURES, retryAfterS: Math.max(2, Math.ceil(waitMs / 1000)) }
}

// Made once: a guess must cost as little as possible.
const ABSENT = refuseFor('missing_api_key', 'absent', {})
const MALFORMED = refuseFor('invalid_api_key', 'malformed', {})
const UNKNOWN = refuseFor('invalid_api_key', 'unknown', {})
const UNUSABLE = refuseFor('invalid_api_key', 'token', {})
const TOO_MANY_FAILURES = refuseFor(
  'rate_limited',
  'address',
  { limit: ADDRESS_LIMIT.perSecond * 60 },
  { limit_per_minute: ADDRESS_LIMIT.perSecond * 60 },
)

function readKey(header: string | undefined): string | Refusal {
  if (header === undefined || header.trim() === '') return ABSENT
  const key = bearerOf(header)
  return key !== undefined && isApiKey(key) ? key : MALFORMED
}

function tokenOf(header: string | undefined): string | undefined {
  const text = bearerOf(header)
  return text !== undefined && isJwt(text) ? text : undefined
}

function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^\s*bearer +(\S+)\s*$/i.exec(header)?.[1]
}

export function refuseSuspended(principal: Principal): Refusal | undefined {
  if (!principal.suspended) return undefined
  return refuseFor('account_suspended', 'suspended', {})
}

// Checks 3 and 8: whether the account, the limit of the key, and the limit of the client can pay for a call.

/** Check 3. At balance 0 every call is refused, free ones too. */
export function refuseWithoutBalance({ credits }: Principal): Refusal | undefined {
  if (credits.balance > 0) return undefined
  const details = { balance: credits.balance, held: credits.held, required: 1 }
  return refuseFor('out_of_credits', 'empty', {}, details)
}

/**
 * Check 8: the balance, the limit of the key, and the limit that the client set cover the least that the call can cost. What is
 * held for running jobs cannot be spent. The smallest of the three answers.
 *
 * @param maxCredits undefined: the client set no limit
 */
export function refuseUnaffordable(
  principal: Principal,
  min: number,
  maxCredits = Number.POSITIVE_INFINITY,
): Refusal | undefined {
  const left = availableCredits(balanceOf(principal))
  if (Math.min(left, maxCredits) >= min) return undefined
  return maxCredits <= left
    ? refuseAboveLimit(min, maxCredits)
    : insufficient(balanceOf(principal), min, principal.keyLimit)
}

export function balanceOf({ credits: { balance, held }, keyLimit }: Principal): Balance {
  return { balance, held, keyLeft: keyLimit?.remaining ?? null }
}

/** Refusals that a change of the account or the key may have made wrong. */
export const BY_CREDITS: ReadonlySet<ErrorCode> = new Set(['out_of_credits', 'key_limit_reached'])

/** The checks of a principal whose call has waited: of the key, the account, and what the call costs at least. */
export function refuseNow(
  principal: Principal | undefined,
  min: number,
  maxCredits: number | undefined,
): Refusal | undefined {
  if (!principal || principal.revoked) return refuseFor('invalid_api_key', 'revoked', {})
  return (
    refuseSuspended(principal) ??
    refuseWithoutBalance(principal) ??
    refuseUnaffordable(principal, min, maxCredits)
  )
}

/** Of what the account has available and what the limit of the key leaves, the smaller one answers. */
export function insufficient(
  credits: Balance,
  required: number,
  keyLimit: KeyAllowance | undefined,
): Refusal {
  const { balance, held } = credits
  if (isKeyShort(credits)) return refuseAboveKeyLimit(required, credits.keyLeft!, keyLimit)
  return refuseFor(
    'out_of_credits',
    'call',
    { required, available: availableCredits({ balance, held }) },
    { balance, held, required },
  )
}
