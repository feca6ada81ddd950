// Checks 3 and 8: there is a balance at all, and it covers the least that this call can cost.

import type { Cost } from '@lotline/contract'
import type { Principal } from '../accounts/principals.ts'
import { type Refusal, refuseFor } from '../platform/refusal.ts'

/** Check 3. At balance 0 every call is refused, free ones too. */
export function refuseWithoutBalance({ credits }: Principal): Refusal | undefined {
  if (credits.balance > 0) return undefined
  return refuseFor(
    'out_of_credits',
    'empty',
    {},
    {
      balance: credits.balance,
      held: credits.held,
      required: 1,
    },
  )
}

/** Check 8. What is held for running jobs cannot be spent. */
export function refuseUnaffordable({ credits }: Principal, { min }: Cost): Refusal | undefined {
  return credits.balance - credits.held < min ? insufficient(credits, min) : undefined
}

export function insufficient(credits: { balance: number; held: number }, required: number): Refusal {
  return refuseFor(
    'out_of_credits',
    'call',
    { required, available: credits.balance - credits.held },
    { balance: credits.balance, held: credits.held, required },
  )
}
