// Identical questions at one time are asked once: who asks what is being asked already waits for that answer. A
// question is joined only while it is young, so that nobody is given an answer from long before they asked, or hangs
// with one that hangs.

import { orAborted } from '../../platform/or-aborted.ts'

export interface SingleFlight {
  /**
   * The answer to the question with this key. `signal` ends this caller's waiting; `ask` is aborted when nobody waits
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
