// Background work that is repeated at an interval, never twice at the same time, until it is stopped.

import { singleFlight } from './single-flight.ts'

export interface Interval {
  /** Resolves when the work has ended. */
  stop(): Promise<void>
}

/**
 * Runs work now and every `ms` milliseconds. If it returns true, more is left, and it runs again immediately. An error ends the
 * round, but not the repetition.
 */
export function interval(
  ms: number,
  doPiece: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Interval {
  let stopping = false

  const round = singleFlight(async () => {
    try {
      while (!stopping && (await doPiece()) === true) {
        // One piece at a time, so that nothing is locked for long.
      }
    } catch (error) {
      onError(error)
    }
  })

  void round.run()
  const timer = setInterval(() => void round.run(), ms)
  return {
    async stop() {
      stopping = true
      clearInterval(timer)
      await round.settled()
    },
  }
}
