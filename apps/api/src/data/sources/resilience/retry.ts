// Asking a source until it answers, it is clear that it will not, or the time is over. Every attempt needs the circuit's
// permission and a slot, and tells the circuit how it ended; only a failure that may pass is followed by another.

import { exponentialBackoff, orAborted, retry, TokenBucket } from '../../../infrastructure/platform.ts'
import { ProviderFailure, ProviderTimeout, type QueryOwner, TransientFailure } from '../provider.ts'
import type { Permit, Semaphore } from './semaphore.ts'

export interface Attempts {
  /** Of the source, for messages. */
  readonly name: string
  readonly circuit: CircuitBreaker
  readonly semaphore: Semaphore
  readonly budget: RetryBudget
  /** How often one query may be asked. */
  readonly most: number
  /** The longest wait before the second attempt, in milliseconds; it doubles with each, up to `longestPauseMs`. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** 0 up to 1. */
  readonly random: () => number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
}

/** Whose query it is, and the slot of its first attempt where it has waited for it already. */
export interface Turn {
  readonly owner?: QueryOwner | undefined
  readonly slot?: Permit | undefined
  /** Most of its time is this process's own work or wait, so that it takes too long says nothing about the source. */
  readonly isOwnWork?: boolean | undefined
}

/**
 * Asks until there is an answer. The signal must abort with `ProviderTimeout` when the time is over, at `deadlineAt`
 * on the clock; with any other reason the client has disconnected, which is no failure of the source.
 *
 * @throws {ProviderFailure} at once when the circuit is open. Otherwise what the last attempt ended with.
 */
export async function askPersistently<T>(
  attempts: Attempts,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  deadlineAt: number,
  turn: Turn = {},
): Promise<T> {
  const { name, circuit, budget, most, now } = attempts
  if (!circuit.permits) throw new ProviderFailure(`${name} is not asked while it does not answer`)
  budget.earn()
  const spread = exponentialBackoff(attempts.firstPauseMs, attempts.longestPauseMs, attempts.random)
  return retry(
    (attempt) => askOnce(attempts, ask, signal, attempt === 1 ? turn : { ...turn, slot: undefined }),
    {
      attempts: most,
      pauseMs: (attempt, error) => spread(attempt) + ((error as TransientFailure).retryAfterMs ?? 0),
      mayPass: (error, pauseMs) =>
        error instanceof TransientFailure &&
        now() + pauseMs < deadlineAt &&
        circuit.permits &&
        budget.spend(),
      signal,
    },
  )
}

async function askOnce<T>(
  { name, circuit, semaphore }: Attempts,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  turn: Turn,
): Promise<T> {
  const slot = turn.slot ?? (await semaphore.take(signal, turn.owner))
  try {
    // It may have opened while this one waited.
    const passage = circuit.enter()
    if (!passage) throw new ProviderFailure(`${name} is not asked while it does not answer`)
    try {
      const answer = await orAborted(ask(signal), signal)
      passage.answered()
      return answer
    } catch (error) {
      const outcome = signal.aborted ? signal.reason : error
      const isLate = outcome instanceof ProviderTimeout && !turn.isOwnWork
      if (outcome instanceof TransientFailure || isLate) passage.failed()
      else if (!signal.aborted) passage.answered()
      throw outcome
    }
  } finally {
    slot.release()
  }
}

// How many queries may be asked again. Retries help against single faults, and make an overload worse: so they are a
// share of what is asked, and a source that fails for everyone soon gets hardly more than the first queries.

export interface RetryBudget {
  /** A query was asked for the first time. */
  earn(): void
  /** Whether one may be asked again, which then counts. */
  spend(): boolean
}

export interface RetryBudgetOptions {
  /** Retries for each query, such as 0.1. */
  readonly share: number
  /** Retries for each second, so that rare queries may be asked again as well. */
  readonly perSecond: number
  /** The most that can be saved up, and what there is at the start. */
  readonly most: number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
}

export function createRetryBudget({ share, perSecond, most, now }: RetryBudgetOptions): RetryBudget {
  const limit = { burst: most, perSecond }
  const saved = new TokenBucket(limit, now)
  return {
    earn: () => saved.give(limit, share),
    spend: () => saved.take(limit) === undefined,
  }
}

// Stops asking a source that does not answer, so that callers learn it at once and the source can recover. While the
// circuit is open, one query in each interval is let through to see whether it has; the first that is answered
// closes it. Probes do not wait for each other, so one that hangs delays nothing: after the source's recovery the
// circuit is closed within one interval and one answer. (cockatiel's breaker lets all others wait for its probe, which
// may hang for the whole of a query's time, and closes when the probe's caller leaves.)

export type CircuitState = 'closed' | 'open'

export interface BreakerState {
  readonly state: CircuitState
  /** undefined: it has not changed since the start. */
  readonly changedAt: Date | undefined
}

/** One query under way. At most one of its functions is called; none when it was aborted before its result. */
export interface Passage {
  /** The source answered, whatever it said. */
  answered(): void
  /** The source could not be reached, was overloaded or took too long. */
  failed(): void
}

export interface CircuitBreaker {
  /** Whether a query may be asked now. */
  readonly permits: boolean
  /** To be called when a query is asked; undefined when it may not be. */
  enter(): Passage | undefined
}

export interface CircuitBreakerOptions {
  /** This many consecutive failures open it. */
  readonly failuresInARow: number
  /** And so does this share (0 to 1) of the last `sample` queries. */
  readonly share: number
  readonly sample: number
  /** While it is open, one query is let through in each such interval. */
  readonly probeEveryMs: number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
  readonly onChange?: ((state: CircuitState) => void) | undefined
}

export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { failuresInARow, share, sample, probeEveryMs, now, onChange } = options
  let state: CircuitState = 'closed'
  let lastProbeAt = 0
  let inARow = 0
  /** The last queries while it was closed; true: failed. */
  let outcomes: boolean[] = []

  function change(next: CircuitState): void {
    state = next
    lastProbeAt = now()
    inARow = 0
    outcomes = []
    onChange?.(next)
  }

  function note(failed: boolean): void {
    // What was asked before it opened says nothing about the source of now.
    if (state === 'open') return
    inARow = failed ? inARow + 1 : 0
    outcomes.push(failed)
    if (outcomes.length > sample) outcomes.shift()
    const tooMany = outcomes.length === sample && outcomes.filter(Boolean).length >= share * sample
    if (failed && (inARow >= failuresInARow || tooMany)) change('open')
  }

  const probeIsDue = () => now() - lastProbeAt >= probeEveryMs

  return {
    get permits() {
      return state === 'closed' || probeIsDue()
    },
    enter() {
      if (state === 'closed') return { answered: () => note(false), failed: () => note(true) }
      if (!probeIsDue()) return undefined
      lastProbeAt = now()
      return { answered: () => state === 'open' && change('closed'), failed: () => {} }
    },
  }
}
