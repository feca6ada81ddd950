// Checks 3 and 8: whether the account, the limit of the key, and the limit of the client can pay for a call.

import type { Cost } from '@lotline/contract'
import type { Principal } from '../accounts/principals.ts'
import type { Balance } from '../credits/ledger.ts'
import { isKeyShort } from '../credits/settlement.ts'
import { type Refusal, refuseAboveKeyLimit, refuseAboveLimit, refuseFor } from '../platform/refusal.ts'
import type { Call } from './call.ts'

/** Check 3. At balance 0 every call is refused, free ones too. */
export function refuseWithoutBalance({ credits }: Principal): Refusal | undefined {
  if (credits.balance > 0) return undefined
  const details = { balance: credits.balance, held: credits.held, required: 1 }
  return refuseFor('out_of_credits', 'empty', {}, details)
}

/**
 * Check 8: the balance, the limit of the key, and the limit that the client set cover the least that the call can cost. What is
 * held for running jobs cannot be spent. The smallest of the three answers.
 */
export function refuseUnaffordable(call: Call, { min }: Cost): Refusal | undefined {
  const { principal, maxCredits = Number.POSITIVE_INFINITY } = call
  const { credits, keyLimit } = principal
  const left = Math.min(credits.balance - credits.held, keyLimit?.remaining ?? Number.POSITIVE_INFINITY)
  if (Math.min(left, maxCredits) >= min) return undefined
  return maxCredits <= left
    ? refuseAboveLimit(min, maxCredits)
    : insufficient(call, balanceOf(principal), min)
}

export function balanceOf({ credits: { balance, held }, keyLimit }: Principal): Balance {
  return { balance, held, keyLeft: keyLimit?.remaining ?? null }
}

/** Of what the account has available and what the limit of the key leaves, the smaller one answers. */
export function insufficient({ principal }: Call, credits: Balance, required: number): Refusal {
  const { balance, held } = credits
  if (isKeyShort(credits)) return refuseAboveKeyLimit(required, credits.keyLeft!, principal.keyLimit)
  return refuseFor(
    'out_of_credits',
    'call',
    { required, available: balance - held },
    { balance, held, required },
  )
}
