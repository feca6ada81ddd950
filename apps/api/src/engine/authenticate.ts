// Checks 1 and 2: the key is present, well-formed, known and live, and its account is not suspended.

import { API_KEY_LENGTH, isApiKey } from '@lotline/contract/checks'
import { ADDRESS_LIMIT, type FailedKeys } from '../accounts/failed-keys.ts'
import type { KeyDirectory } from '../accounts/key-directory.ts'
import { hashOf, type Principal, type Principals } from '../accounts/principals.ts'
import { isRefusal, type Refusal, refuseFor } from '../platform/refusal.ts'

export interface Authenticated {
  readonly principal: Principal
  readonly keyHash: string
}

export interface AuthenticationParts {
  readonly principals: Principals
  readonly keyDirectory: KeyDirectory
  readonly failedKeys: FailedKeys
}

/** Too many failures came from the address, so no key was looked up. */
export interface Guessed {
  readonly refusal: Refusal
  /** At least 2. */
  readonly retryAfterS: number
}

/**
 * `header` is the value of Authorization; no part of it is ever echoed. `address` is what `sourceAddressReader` found.
 */
export async function authenticate(
  { principals, keyDirectory, failedKeys }: AuthenticationParts,
  header: string | undefined,
  address: string,
): Promise<Authenticated | Refusal | Guessed> {
  const key = readKey(header)
  if (isRefusal(key)) return countFailure(failedKeys, address, () => key)
  const keyHash = hashOf(key)
  // A key that exists is always looked up, however many other keys from the address fail.
  const isGuess =
    !principals.knows(keyHash) && failedKeys.isGuessing(address) && !(await keyDirectory.mayExist(keyHash))
  const principal = isGuess ? undefined : await principals.find(keyHash)
  if (!principal || principal.revoked) return countFailure(failedKeys, address, () => UNKNOWN)
  return { principal, keyHash }
}

/**
 * Refuses, without waiting for anything, a call that `authenticate` would refuse because its address guesses keys. It counts
 * the failure. undefined: the call is not a guess, or only the database can tell; nothing was counted.
 */
export function refuseGuess(
  { principals, keyDirectory, failedKeys }: AuthenticationParts,
  header: string | undefined,
  address: string,
): Refusal | Guessed | undefined {
  if (!failedKeys.isGuessing(address)) return undefined
  const text = bearerOf(header)
  // Its checksum does not matter here: no key with a wrong one was ever issued.
  if (text?.length === API_KEY_LENGTH) {
    const keyHash = hashOf(text)
    if (principals.knows(keyHash) || !keyDirectory.isAbsent(keyHash)) return undefined
  }
  return countFailure(failedKeys, address, () => {
    const key = readKey(header)
    return isRefusal(key) ? key : UNKNOWN
  })
}

function countFailure(failedKeys: FailedKeys, address: string, refusal: () => Refusal): Refusal | Guessed {
  const waitMs = failedKeys.count(address)
  if (waitMs === undefined) return refusal()
  return { refusal: TOO_MANY_FAILURES, retryAfterS: Math.max(2, Math.ceil(waitMs / 1000)) }
}

// Made once: a guess must cost as little as possible.
const ABSENT = refuseFor('missing_api_key', 'absent', {})
const MALFORMED = refuseFor('invalid_api_key', 'malformed', {})
const UNKNOWN = refuseFor('invalid_api_key', 'unknown', {})
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

function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^\s*bearer +(\S+)\s*$/i.exec(header)?.[1]
}

export function refuseSuspended(principal: Principal): Refusal | undefined {
  if (!principal.suspended) return undefined
  return refuseFor('account_suspended', 'suspended', {})
}
