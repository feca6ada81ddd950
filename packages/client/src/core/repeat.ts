// Decides whether a call is retried, and after how long. A call that could cost or do something twice is not retried.

import { ConnectionError, type LotlineError, RateLimitedError, ServerError } from '../errors.ts'
import { SHORTEST_WAIT_MS } from './refusal.ts'

/**
 * What a repetition of a call could do.
 *
 * - `safe`: nothing that matters (free GETs, DELETE, and what has an idempotency key).
 * - `charges`: cost a second time, if the first was executed. Only if the service reports that it charged nothing.
 * - `acts`: do a second time what the first did. Only after a 429, because nothing was done then.
 *
 * Each of them is repeated if no connection was made, because the service has not received the call.
 */
export type Repetition = 'safe' | 'charges' | 'acts'

/** The longest wait, in milliseconds. If the service asks for a longer one, the call fails instead. */
const MAX_WAIT_MS = 120_000
/** The maximum of the random part of a wait, in milliseconds. */
const MAX_JITTER_MS = 30_000

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there is none. It is what the service asks
 * for, or 2 s, and a random time on top that may be twice as long after each attempt ("full jitter").
 *
 * @param repeated how many repetitions there were already
 */
export function findRetryWaitMs(
  error: LotlineError,
  repetition: Repetition,
  repeated: number,
  random: () => number,
): number | undefined {
  if (!mayRetry(error, repetition)) return undefined
  const leastMs = Math.max(SHORTEST_WAIT_MS, error.retryAfterMs ?? 0)
  if (leastMs > MAX_WAIT_MS) return undefined
  return leastMs + random() * Math.min(MAX_JITTER_MS, 1_000 * 2 ** repeated)
}

function mayRetry(error: LotlineError, repetition: Repetition): boolean {
  if (error instanceof RateLimitedError) return true
  if (error instanceof ConnectionError && error.unsent) return true
  if (repetition === 'acts') return false
  if (error instanceof ServerError) return repetition === 'safe' || error.credits?.charged === 0
  return repetition === 'safe' && error instanceof ConnectionError
}
