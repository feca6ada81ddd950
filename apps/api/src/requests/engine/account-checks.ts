// Checks 3 and 8, of the account: it is not suspended, and what it, the limit of the key, and the limit of the client have left
// pays for the call.

import type { ErrorCode } from '@lotline/contract'
import {
  type Refusal,
  refuseAboveKeyLimit,
  refuseAboveLimit,
  refuseFor,
} from '../../infrastructure/refusals.ts'
import type { KeyAllowance, Principal } from '../../money/accounts.ts'
import { availableCredits, type Balance, isKeyShort } from '../../money/credits.ts'

export function refuseSuspended(principal: Principal): Refusal | undefined {
  if (!principal.suspended) return undefined
  return refuseFor('account_suspended', 'suspended', {})
}

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
  const left = availableCredits(toBalance(principal))
  if (Math.min(left, maxCredits) >= min) return undefined
  return maxCredits <= left
    ? refuseAboveLimit(min, maxCredits)
    : insufficientCreditsRefusal(toBalance(principal), min, principal.keyLimit)
}

export function toBalance({ credits: { balance, held }, keyLimit }: Principal): Balance {
  return { balance, held, keyLeft: keyLimit?.remaining ?? null }
}

/** Refusals that a change of the account or the key may have made wrong. */
export const CREDIT_ERROR_CODES: ReadonlySet<ErrorCode> = new Set(['out_of_credits', 'key_limit_reached'])

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

/**
 * The refusal for a call that costs more than the account has available or the key limit leaves. The smaller of the
 * two decides the error code.
 */
export function insufficientCreditsRefusal(
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
