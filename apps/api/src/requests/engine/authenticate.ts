// Checks 1 and 2: the key is present, well-formed, known and live.

import { isApiKey } from '@lotline/contract/checks'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import {
  ADDRESS_LIMIT,
  type FailedKeys,
  hashKey,
  type Principal,
  type Principals,
} from '../../money/accounts.ts'
import { type ExternalTokens, IssuerUnavailable, isJwt, type KeylessRefusal } from '../../money/oauth.ts'

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
export interface FailedKeyCheck {
  readonly refusal: Refusal
  /** The value of Retry-After in seconds, at least 2. */
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
): Promise<Authenticated | Refusal | KeylessRefusal | FailedKeyCheck> {
  if (typeof credentials === 'object') {
    // The session was found, so this is no guess.
    const { keyHash } = credentials
    const principal = await principals.find(keyHash)
    return principal && !principal.revoked ? { principal, keyHash } : UNKNOWN_KEY_REFUSAL
  }
  const header = credentials
  const token = externalTokens && readJwt(header)
  if (token !== undefined) {
    const found = await authenticateToken(principals, externalTokens!, token)
    // A service without the keys of its issuer is no fault of the client.
    const isFault = isRefusal(found) && found.code !== 'service_unavailable'
    return isFault ? countFailure(failedKeys, address, () => found) : found
  }
  const key = readKey(header)
  if (isRefusal(key)) return countFailure(failedKeys, address, () => key)
  const keyHash = hashKey(key)
  // A key is always looked up, however many other keys from the address fail: one that was just made is refused nowhere.
  const principal = failedKeys.isGuessing(address)
    ? await principals.findGuess(keyHash)
    : await principals.find(keyHash)
  if (!principal || principal.revoked) return countFailure(failedKeys, address, () => UNKNOWN_KEY_REFUSAL)
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
    if (!connector) return UNUSABLE_TOKEN_REFUSAL
    if (isRefusal(connector)) return connector
    const { keyHash, operations } = connector
    const principal = await principals.find(keyHash)
    if (!principal || principal.revoked) return UNUSABLE_TOKEN_REFUSAL
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
): R | FailedKeyCheck {
  const waitMs = failedKeys.count(address)
  return waitMs === undefined ? refusal() : refuseGuesser(waitMs)
}

/** The refusal of an address that sent too many secrets that do not work, whatever they were for. */
export function refuseGuesser(waitMs: number): FailedKeyCheck {
  return { refusal: TOO_MANY_FAILURES, retryAfterS: Math.max(2, Math.ceil(waitMs / 1000)) }
}

// Made once: a guess must cost as little as possible.
const MISSING_KEY_REFUSAL = refuseFor('missing_api_key', 'absent', {})
const MALFORMED_KEY_REFUSAL = refuseFor('invalid_api_key', 'malformed', {})
const UNKNOWN_KEY_REFUSAL = refuseFor('invalid_api_key', 'unknown', {})
const UNUSABLE_TOKEN_REFUSAL = refuseFor('invalid_api_key', 'token', {})
const TOO_MANY_FAILURES = refuseFor(
  'rate_limited',
  'address',
  { limit: ADDRESS_LIMIT.perSecond * 60 },
  { limit_per_minute: ADDRESS_LIMIT.perSecond * 60 },
)

function readKey(header: string | undefined): string | Refusal {
  if (header === undefined || header.trim() === '') return MISSING_KEY_REFUSAL
  const key = readBearerToken(header)
  return key !== undefined && isApiKey(key) ? key : MALFORMED_KEY_REFUSAL
}

function readJwt(header: string | undefined): string | undefined {
  const text = readBearerToken(header)
  return text !== undefined && isJwt(text) ? text : undefined
}

function readBearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^\s*bearer +(\S+)\s*$/i.exec(header)?.[1]
}
