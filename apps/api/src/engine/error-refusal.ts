// What a thrown error looks like from outside. Nothing of its text leaves the house: it stays in our log.

import type { Logger } from 'pino'
import { ChargeLost } from '../credits/lost-answers.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { TrafficUnavailable } from '../limits/limits.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'
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
  if (error instanceof TrafficUnavailable) {
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
