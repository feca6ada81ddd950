// What a thrown error looks like from outside. Nothing of its text leaves the house: it stays in our log.

import type { Logger } from 'pino'
import { plans } from '../accounts/plans.ts'
import { ChargeLost } from '../credits/lost-answers.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { LimitsUnavailable } from '../limits/limits.ts'
import { WaitingTooLarge } from '../limits/waiting-inputs.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'
import { LookupBudgetExceeded } from '../record-cache/lookup-budget.ts'
import { ProviderFailure, ProviderTimeout } from '../sources/provider.ts'

export function refusalOfError(error: unknown, log: Logger, requestId: string): Refusal {
  if (error instanceof ProviderTimeout) {
    log.warn({ requestId, err: error }, 'provider timed out')
    return refuse(
      'upstream_timeout',
      'The listing source did not answer in time. The call was free; try again.',
      {
        phase: 'upstream',
      },
    )
  }
  if (error instanceof LookupBudgetExceeded) return refuseLookup(error)
  if (error instanceof ProviderFailure) {
    log.warn({ requestId, err: error }, 'provider failed')
    return refuse('upstream_error', 'The listing source failed. The call was free; try again.')
  }
  if (error instanceof ChargeLost && error.charge === 'unknown') {
    log.error({ requestId, err: error }, 'database lost while it wrote a charge')
    return refuse(
      'service_unavailable',
      'The service was interrupted while it charged for this call, and cannot tell whether it did. GET /v1/usage tells: ' +
        'look for the request id there before you repeat the call.',
      { charge: 'unknown' },
    )
  }
  if (error instanceof DatabaseUnavailable) {
    log.error({ requestId, err: error }, 'database unavailable')
    return refuse(
      'service_unavailable',
      'The service is not available right now. The call was free; try again.',
    )
  }
  if (error instanceof WaitingTooLarge) {
    log.warn({ requestId, err: error }, 'refused a waiting call')
    return refuse(
      'service_unavailable',
      'Too many large calls are waiting for their turn. The call was free; wait for the seconds in Retry-After, then try again.',
    )
  }
  if (error instanceof LimitsUnavailable) {
    log.warn({ requestId, err: error }, 'calls cannot be counted')
    return refuse(
      'service_unavailable',
      'The service is not available right now. The call was free; try again.',
    )
  }
  log.error({ requestId, err: error }, 'request failed')
  return refuse(
    'internal_error',
    'Something went wrong on our side. The call was free; quote the request id if it happens again.',
  )
}

function refuseLookup({ plan, window, limit, retryAfterMs }: LookupBudgetExceeded): Refusal {
  const retryAfterS = Math.max(2, Math.ceil(retryAfterMs / 1000))
  const refusal = refuse(
    'lookup_budget_exceeded',
    `The ${plans[plan].title} plan allows ${limit} failed lookups per ${window}, and the account has used them up. ` +
      `Wait ${retryAfterS} seconds, then repeat the call.`,
    { plan, window, limit },
  )
  return { ...refusal, retryAfterS }
}
