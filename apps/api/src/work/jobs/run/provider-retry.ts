// How long a job retries a provider that does not answer. If one or two entries fail, each is retried for a short time. If several fail and
// none succeeds, the provider is down: a job with progress waits long enough for a restart of the provider. After a wait without success,
// the job does not wait again until a query succeeds. So an outage ends a job of 500 entries as soon as a job of 5.

import { ProviderFailure, ProviderTimeout, QueryRefused } from '../../../data/sources.ts'
import { exponentialBackoff, retry } from '../../../infrastructure/platform.ts'
import { type Lease, Stopping } from '../../loop/lease.ts'

export interface ProviderRetryOptions {
  /** For single failures, and for a job without results. */
  readonly shortMs: number
  /** For a provider that fails in the middle of a job. */
  readonly longMs: number
  /** The pause before the second attempt. It doubles with each attempt, up to `longestPauseMs`. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

export const PROVIDER_RETRY: ProviderRetryOptions = {
  shortMs: 10_000,
  longMs: 90_000,
  firstPauseMs: 1_000,
  longestPauseMs: 5_000,
}

/** This many simultaneous failures count as an outage. */
const OUTAGE = 3

export interface RetriedQuery {
  /** Whether the job cannot continue without the answer. */
  readonly essential: boolean
}

export class ProviderRetry {
  readonly #options: ProviderRetryOptions
  readonly #lease: Lease
  /** Whether the job has results to lose. */
  readonly #hasProgress: () => boolean
  #failing = 0
  #lastAnsweredAt = Number.NEGATIVE_INFINITY
  #tired = false

  constructor(options: ProviderRetryOptions, lease: Lease, hasProgress: () => boolean) {
    this.#options = options
    this.#lease = lease
    this.#hasProgress = hasProgress
  }

  /**
   * Queries until the provider answers or the time to retry is over. @throws {ProviderTimeout|ProviderFailure} the first failure; later
   * failures may only report that the circuit breaker is open
   */
  async ask<T>({ essential }: RetriedQuery, ask: () => Promise<T>): Promise<T> {
    const { firstPauseMs, longestPauseMs } = this.#options
    const { signal } = this.#lease
    let failingSince: number | undefined
    let firstFailure: unknown
    const mayPass = (error: unknown): boolean => {
      signal.throwIfAborted()
      if (error instanceof QueryRefused) return false
      if (!(error instanceof ProviderFailure || error instanceof ProviderTimeout)) return false
      if (failingSince === undefined) {
        failingSince = performance.now()
        firstFailure = error
        this.#failing++
      }
      if (this.#isOver(failingSince, essential)) throw firstFailure
      // Another process may have a working connection to the provider.
      if (this.#lease.stopping) throw new Stopping()
      return true
    }
    try {
      const answer = await retry(ask, {
        pauseMs: exponentialBackoff(firstPauseMs, longestPauseMs),
        mayPass,
        signal,
      })
      this.#lastAnsweredAt = performance.now()
      this.#tired = false
      return answer
    } finally {
      if (failingSince !== undefined) this.#failing--
    }
  }

  #isOver(failingSince: number, essential: boolean): boolean {
    if (this.#tired) return true
    const isOutage = essential || this.#failing >= OUTAGE
    const waitTimeoutMs = isOutage && this.#hasProgress() ? this.#options.longMs : this.#options.shortMs
    if (performance.now() - failingSince < waitTimeoutMs) return false
    this.#tired = this.#lastAnsweredAt < failingSince
    return true
  }
}
