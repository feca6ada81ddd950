// Sends a query until the source answers, a retry makes no sense, or the time is over. Every attempt needs the permission of the circuit
// breaker and of the semaphore, and reports its outcome to the circuit breaker. Only a transient failure is retried.

import { exponentialBackoff, orAborted, retry, TokenBucket } from '../../../infrastructure/platform.ts'
import { ProviderFailure, ProviderTimeout, type QueryOwner, TransientFailure } from '../provider.ts'
import type { Permit, Semaphore } from './semaphore.ts'

export interface Attempts {
  /** The source's name, for messages. */
  readonly name: string
  readonly circuit: CircuitBreaker
  readonly semaphore: Semaphore
  readonly budget: RetryBudget
  /** Maximum attempts of one query. */
  readonly most: number
  /** The maximum wait before the second attempt, in milliseconds. It doubles with each attempt, up to `longestPauseMs`. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** From 0 to 1. */
  readonly random: () => number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
}

/** The owner of the query, and the permit of its first attempt if it has already waited for it. */
export interface QueryTurn {
  readonly owner?: QueryOwner | undefined
  readonly slot?: Permit | undefined
  /** Most of the query's time is this process's own work or wait, so a timeout says nothing about the source. */
  readonly isOwnWork?: boolean | undefined
}

/**
 * Retries until there is a result. The signal must abort with `ProviderTimeout` at `deadlineAt` on the clock. With any other reason the
 * client has disconnected, which is no failure of the source.
 *
 * @throws {ProviderFailure} immediately when the circuit is open. Otherwise the error of the last attempt
 */
export async function askPersistently<T>(
  attempts: Attempts,
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  deadlineAt: number,
  turn: QueryTurn = {},
): Promise<T> {
  const { name, circuit, budget, most, now } = attempts
  if (!circuit.permits) throw new ProviderFailure(`${name} is not queried: its circuit breaker is open`)
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
  turn: QueryTurn,
): Promise<T> {
  const slot = turn.slot ?? (await semaphore.take(signal, turn.owner))
  try {
    // The circuit may have opened while this attempt waited.
    const passage = circuit.enter()
    if (!passage) throw new ProviderFailure(`${name} is not queried: its circuit breaker is open`)
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

// A budget of retries. Retries help against single faults and make an overload worse. So they are a share of all queries, and a source that
// fails for everyone soon gets hardly more than the first attempts.

export interface RetryBudget {
  /** Called with the first attempt of a query. */
  earn(): void
  /** Whether a retry is allowed. If it is, it counts. */
  spend(): boolean
}

export interface RetryBudgetOptions {
  /** Retries for each query, such as 0.1. */
  readonly share: number
  /** Retries for each second, so that rare queries can be retried as well. */
  readonly perSecond: number
  /** The maximum that can be saved, which is also the initial budget. */
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

// A circuit breaker: it stops queries to a source that does not answer, so that callers fail fast and the source can recover. While the
// circuit is open, it lets one probe through in each interval. The first probe that is answered closes it. Probes do not wait for each
// other, so one that hangs delays nothing: after the source's recovery the circuit closes within one interval and one response.
// (cockatiel's breaker lets all others wait for its probe, which may hang for the whole time of a query, and closes when the probe's caller
// leaves.)

export type CircuitState = 'closed' | 'open'

export interface BreakerState {
  readonly state: CircuitState
  /** undefined: the state has not changed since the start. */
  readonly changedAt: Date | undefined
}

/** One running query. At most one of its functions is called, or none when the query was aborted. */
export interface Passage {
  /** The source answered, whatever the answer was. */
  answered(): void
  /** The source could not be reached, was overloaded, or took too long. */
  failed(): void
}

export interface CircuitBreaker {
  /** Whether a query may be sent now. */
  readonly permits: boolean
  /** Call it when sending a query. undefined: the query may not be sent. */
  enter(): Passage | undefined
}

export interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly failuresInARow: number
  /** The share (0 to 1) of failures among the last `sample` queries that opens the circuit. */
  readonly share: number
  readonly sample: number
  /** While the circuit is open, one query is let through in each interval of this length. */
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
  /** The outcomes of the last queries while the circuit was closed. true: failed. */
  let outcomes: boolean[] = []

  function change(next: CircuitState): void {
    state = next
    lastProbeAt = now()
    inARow = 0
    outcomes = []
    onChange?.(next)
  }

  function note(failed: boolean): void {
    // A query that was sent before the circuit opened says nothing about the source now.
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
