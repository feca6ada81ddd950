// Turns a thrown error into the refusal that the client gets. The text of the error goes to the log and never to a client.

import type { Logger } from 'pino'
import { LookupBudgetExceeded } from '../../data/record-cache.ts'
import { ProviderFailure, ProviderTimeout } from '../../data/sources.ts'
import { DatabaseUnavailable, isDiskFull } from '../../infrastructure/database.ts'
import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { type PlanId, plans } from '../../money/accounts.ts'
import { ChargeLost } from '../../money/credits.ts'
import { LimitsUnavailable, WaitingInputsFull } from '../../money/limits.ts'

export function toErrorRefusal(error: unknown, log: Logger, requestId: string): Refusal {
  if (error instanceof ProviderTimeout) {
    log.warn({ requestId, err: error }, 'provider timed out')
    return refuseFor('upstream_timeout', 'upstream', {}, { phase: 'upstream' })
  }
  if (error instanceof LookupBudgetExceeded) return refuseLookup(error)
  if (error instanceof ProviderFailure) {
    log.warn({ requestId, err: error }, 'provider failed')
    return refuseFor('upstream_error', 'failed', {})
  }
  if (error instanceof ChargeLost && error.charge === 'unknown') {
    log.error({ requestId, err: error }, 'database lost while it wrote a charge')
    return refuseFor('service_unavailable', 'charge_unknown', {}, { charge: 'unknown' })
  }
  if (error instanceof DatabaseUnavailable && isDiskFull(error)) {
    log.error({ requestId, err: error }, 'the disk of the database is full')
    return refuseFor('service_unavailable', 'disk_full', {})
  }
  if (error instanceof DatabaseUnavailable) {
    log.error({ requestId, err: error }, 'database unavailable')
    return refuseFor('service_unavailable', 'unavailable', {})
  }
  if (error instanceof WaitingInputsFull) {
    log.warn({ requestId, err: error }, 'refused a waiting call')
    return refuseFor('service_unavailable', 'waiting_too_large', {})
  }
  if (error instanceof LimitsUnavailable) {
    log.warn({ requestId, err: error }, 'calls cannot be counted')
    return refuseFor('service_unavailable', 'unavailable', {})
  }
  log.error({ requestId, err: error }, 'request failed')
  return refuseFor('internal_error', 'failed', {})
}

function refuseLookup({ plan, window, limit, retryAfterMs }: LookupBudgetExceeded): Refusal {
  const retryAfterS = Math.max(2, Math.ceil(retryAfterMs / 1000))
  const refusal = refuseFor(
    'lookup_budget_exceeded',
    'window',
    { plan: plans[plan as PlanId].title, limit, window, seconds: retryAfterS },
    { plan, window, limit },
  )
  return { ...refusal, retryAfterS }
}
