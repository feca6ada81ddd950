// Checks 1 and 2: the key is present, well-formed, known and live, and its account is not suspended.

import { isApiKey } from '@lotline/contract/checks'
import { hashOf } from '../accounts/api-key.ts'
import { ADDRESS_LIMIT, type FailedKeys } from '../accounts/failed-keys.ts'
import type { KeyDirectory } from '../accounts/key-directory.ts'
import type { Principal, Principals } from '../accounts/principals.ts'
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

/** Too many failures came from the address: nothing was looked up. */
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
  if (isRefusal(key)) return failed(key)
  const keyHash = hashOf(key)
  // A key that exists is looked up however many others fail beside it.
  const isGuess =
    !principals.knows(keyHash) && failedKeys.isGuessing(address) && !(await keyDirectory.mayExist(keyHash))
  const principal = isGuess ? undefined : await principals.find(keyHash)
  if (!principal || principal.revoked) {
    return failed(refuseFor('invalid_api_key', 'unknown', {}))
  }
  return { principal, keyHash }

  function failed(refusal: Refusal): Refusal | Guessed {
    const waitMs = failedKeys.count(address)
    if (waitMs === undefined) return refusal
    return { refusal: TOO_MANY_FAILURES, retryAfterS: Math.max(2, Math.ceil(waitMs / 1000)) }
  }
}

const TOO_MANY_FAILURES = refuseFor(
  'rate_limited',
  'address',
  { limit: ADDRESS_LIMIT.perSecond * 60 },
  { limit_per_minute: ADDRESS_LIMIT.perSecond * 60 },
)

function readKey(header: string | undefined): string | Refusal {
  if (header === undefined || header.trim() === '') {
    return refuseFor('missing_api_key', 'absent', {})
  }
  const key = /^bearer +(\S+)$/i.exec(header.trim())?.[1]
  if (!key || !isApiKey(key)) {
    return refuseFor('invalid_api_key', 'malformed', {})
  }
  return key
}

export function refuseSuspended(principal: Principal): Refusal | undefined {
  if (!principal.suspended) return undefined
  return refuseFor('account_suspended', 'suspended', {})
}
