// Sends identical queries at the same time once (single-flight): a caller whose query is already running waits for its result. A caller
// joins only a query that is young, so that it gets no old result and does not hang with it. It joins only while the caller that sent the
// query is there: a client that has disconnected, an aborted job, or a worker that lost its lease may leave a query that hangs for a reason
// that is over.

import { orAborted } from '../../../infrastructure/platform.ts'
import type { QueryOwner } from '../provider.ts'

export interface JoinedQueries {
  /**
   * The result of the query with this key. `signal` ends the wait of this caller. `ask` is aborted when no caller waits any more; it
   * continues when only its first caller leaves.
   */
  join<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export interface JoinedQueriesOptions {
  /** The time in which others may join a query. */
  readonly joinableMs: number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
}

/** The share of a query's time in which others may join it. A caller that joins late still gets nine tenths of its own time. */
const JOINABLE_SHARE = 0.1

export function joinableMsOf(timeoutMs: number): number {
  return timeoutMs * JOINABLE_SHARE
}

/**
 * Part of the key of a query: the callers that may join it. A synchronous call does not join the query of a job, which may still wait for
 * its turn. A job joins only queries of its own account, because other accounts have their turns at other times.
 */
export function laneOf(owner: QueryOwner | undefined): string | null {
  return owner?.background ? owner.account : null
}

interface Flight {
  readonly answer: Promise<unknown>
  readonly controller: AbortController
  /** The signal of the caller that sent the query. */
  readonly owner: AbortSignal
  readonly startedAt: number
  waiting: number
}

export function createJoinedQueries({ joinableMs, now }: JoinedQueriesOptions): JoinedQueries {
  const flights = new Map<string, Flight>()

  function start(key: string, owner: AbortSignal, ask: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController()
    const answer = ask(controller.signal)
    const flight: Flight = { answer, controller, owner, startedAt: now(), waiting: 0 }
    flights.set(key, flight)
    const land = () => forget(key, flight)
    flight.answer.then(land, land)
    return flight
  }

  function forget(key: string, flight: Flight): void {
    if (flights.get(key) === flight) flights.delete(key)
  }

  function findJoinable(key: string): Flight | undefined {
    const flight = flights.get(key)
    return flight && !flight.owner.aborted && now() - flight.startedAt < joinableMs ? flight : undefined
  }

  return {
    async join<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
      signal.throwIfAborted()
      const flight = findJoinable(key) ?? start(key, signal, ask)
      flight.waiting++
      try {
        return await orAborted(flight.answer as Promise<T>, signal)
      } finally {
        flight.waiting--
        if (flight.waiting === 0) {
          forget(key, flight)
          flight.controller.abort(signal.reason)
        }
      }
    },
  }
}
