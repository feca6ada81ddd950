// The resilience around every provider. From outside to inside: identical queries are sent once (single-flight), each query
// has a deadline, a circuit breaker stops queries to a source that does not answer, a semaphore bounds concurrent queries,
// temporary failures are retried within a budget, and each result is checked (check-result.ts). Providers do none of this
// themselves.
//
// A query returns a result, or throws `ProviderTimeout` if its time is over, or `ProviderFailure` for any other fault of the
// source. If the client disconnected, it throws the reason of the signal, which is neither retried nor counted as a failure
// of the source. Other errors (a lost database, a bug in a provider) pass through unchanged.

import { type Observer, type ProviderQuery, SILENT_OBSERVER } from '../../../infrastructure/platform.ts'
import { type Provider, ProviderTimeout, type QueryContext } from '../provider.ts'
import { createChecks, type OnDropped } from './check-result.ts'
import { withDeadline } from './deadline.ts'
import { createJoinedQueries, joinableMsOf, laneOf } from './joined-queries.ts'
import { observeQuery, observeSemaphore } from './observe.ts'
import {
  type Attempts,
  askPersistently,
  type CircuitState,
  createCircuitBreaker,
  createRetryBudget,
} from './retry.ts'

export interface ResilienceOptions {
  /** The time limit of one query in milliseconds, including its retries and, except for jobs, its wait. */
  readonly timeoutMs: number
  /** Called with the rows that were dropped from a result, and the fault of the first one. */
  readonly onDropped?: OnDropped
  readonly onCircuit?: (state: CircuitState) => void
  readonly observer?: Observer
  /** Called when a query is sent for this account. */
  readonly onQuery?: (account: string) => void
  /** Maximum concurrent queries. Default: 128. */
  readonly atATime?: number
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number
  /** From 0 to 1, for the pauses before retries. */
  readonly random?: () => number
}

/** Enough for 640 results a second of 200 ms each. More concurrent queries would only queue at the source. */
const AT_A_TIME = 128
/** The share of the semaphore that jobs may use. Synchronous calls always find the rest. */
const BACKGROUND_SHARE = 0.75
/** While jobs use less than this share, their queries come first, so that no number of synchronous calls stops them. */
const BACKGROUND_FIRST_SHARE = 0.125
/** Half of the time in which service must be back after the source is. */
const SLOT_HELD_MS = 5000
/** Low, so that an outage of the source makes few calls wait. */
const FAILURES_IN_A_ROW = 5
const SAMPLE = 20
const FAILED_SHARE = 0.6
const PROBE_EVERY_MS = 1000
/** One query and two retries. A third retry would rarely find what the second did not. */
const MAX_ATTEMPTS = 3
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2000
const RETRY_SHARE = 0.1
const RETRIES_PER_SECOND = 0.2
const MAX_SAVED_RETRIES = 10

export function makeResilient(provider: Provider, options: ResilienceOptions): Provider {
  const { timeoutMs, onCircuit, now = () => performance.now(), random = Math.random } = options
  const { observer = SILENT_OBSERVER, atATime = AT_A_TIME } = options
  const { name } = provider
  const checks = createChecks(name, options.onDropped ?? (() => {}))
  const singleFlight = createJoinedQueries({ joinableMs: joinableMsOf(timeoutMs), now })
  const attempts: Attempts = {
    name,
    circuit: createCircuitBreaker({
      failuresInARow: FAILURES_IN_A_ROW,
      share: FAILED_SHARE,
      sample: SAMPLE,
      probeEveryMs: PROBE_EVERY_MS,
      now,
      onChange: onCircuit,
    }),
    semaphore: observeSemaphore(observer, {
      count: atATime,
      heldMs: SLOT_HELD_MS,
      background: Math.max(1, Math.floor(atATime * BACKGROUND_SHARE)),
      backgroundFirst: Math.floor(atATime * BACKGROUND_FIRST_SHARE),
    }),
    budget: createRetryBudget({
      share: RETRY_SHARE,
      perSecond: RETRIES_PER_SECOND,
      most: MAX_SAVED_RETRIES,
      now,
    }),
    most: MAX_ATTEMPTS,
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: MAX_PAUSE_MS,
    random,
    now,
  }

  async function inTime<T>(
    query: ProviderQuery,
    { signal, owner }: QueryContext,
    ask: (asking: QueryContext) => Promise<T>,
    isOwnWork = false,
  ): Promise<T> {
    const send = (asked: AbortSignal) => {
      if (owner) options.onQuery?.(owner.account)
      return observeQuery(observer, query, asked, ask)
    }
    // A job waits for its turn as long as necessary, which is no failure of the provider. Its time limit starts afterwards.
    const slot = owner?.background ? await attempts.semaphore.take(signal, owner) : undefined
    try {
      const deadlineAt = now() + timeoutMs
      const tooLate = () => new ProviderTimeout(`${name} took over ${timeoutMs} ms`)
      return await withDeadline(timeoutMs, signal, tooLate, (mine) =>
        askPersistently(attempts, send, mine, deadlineAt, { owner, slot, isOwnWork }),
      )
    } finally {
      slot?.release()
    }
  }

  /** `query` contains everything that the result depends on. */
  function once<T>(
    query: readonly [ProviderQuery, ...unknown[]],
    { signal, owner }: QueryContext,
    ask: (asking: QueryContext) => Promise<T>,
    isOwnWork?: boolean,
  ): Promise<T> {
    return singleFlight.join(JSON.stringify([laneOf(owner), query]), signal, (shared) =>
      inTime(query[0], { signal: shared, ...(owner && { owner }) }, ask, isOwnWork),
    )
  }

  return {
    name,
    searchCap: provider.searchCap,
    knowsAreas: provider.knowsAreas === true,

    // The cache in front already asks for each home once.
    findByZpid: (zpid, asking) =>
      inTime('findByZpid', asking, async (mine) =>
        checks.checkListing(await provider.findByZpid(zpid, mine), zpid),
      ),

    findByUrl: (listing, prefer, asking) =>
      once(['findByUrl', listing, prefer], asking, async (mine) =>
        checks.checkFoundByUrl(await provider.findByUrl(listing, prefer, mine), listing),
      ),

    findByAddress: (address, prefer, asking) =>
      once(['findByAddress', address, prefer], asking, async (mine) =>
        checks.checkMatch(await provider.findByAddress(address, prefer, mine), address),
      ),

    findUnits: (building, kind, asking) =>
      once(['findUnits', building, kind], asking, async (mine) =>
        checks.checkUnits(await provider.findUnits(building, kind, mine), kind),
      ),

    search: (search, page, asking) =>
      once(
        ['search', search, page],
        asking,
        async (mine) => checks.checkArea(await provider.search(search, page, mine), search, page.limit),
        // A provider that knows areas compares homes with them in this process. Many large areas must not open the circuit for lookups.
        provider.knowsAreas === true && search.areas !== undefined,
      ),
  }
}
