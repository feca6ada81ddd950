// Identical queries at the same time are sent once: a caller whose query is already under way waits for its result. A caller
// joins a query only while the query is young, so that it gets no old result and does not hang with a query that hangs.

import { orAborted } from '../../platform/or-aborted.ts'

export interface SingleFlight {
  /**
   * The result of the query with this key. `signal` ends the wait of this caller; `ask` is aborted when no caller waits
   * any more.
   */
  join<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export interface SingleFlightOptions {
  /** For how long others may join a question. */
  readonly joinableMs: number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
}

interface Flight {
  readonly answer: Promise<unknown>
  readonly controller: AbortController
  readonly startedAt: number
  waiting: number
}

export function createSingleFlight({ joinableMs, now }: SingleFlightOptions): SingleFlight {
  const singleFlight = new Map<string, Flight>()

  function start(key: string, ask: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController()
    const flight: Flight = { answer: ask(controller.signal), controller, startedAt: now(), waiting: 0 }
    singleFlight.set(key, flight)
    const land = () => forget(key, flight)
    flight.answer.then(land, land)
    return flight
  }

  function forget(key: string, flight: Flight): void {
    if (singleFlight.get(key) === flight) singleFlight.delete(key)
  }

  return {
    async join<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
      signal.throwIfAborted()
      const underWay = singleFlight.get(key)
      const flight = underWay && now() - underWay.startedAt < joinableMs ? underWay : start(key, ask)
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
