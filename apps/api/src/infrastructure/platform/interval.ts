// Background work that is repeated at an interval, never twice at the same time, until it is stopped.

import { singleFlight } from './single-flight.ts'

export interface Interval {
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>
}

/**
 * Does a piece of work now and every `ms` milliseconds. A piece that answers true has left more to do: the next one follows
 * at once. What a piece throws ends the round, not the repetition.
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
        // One piece after the other, so that nothing is locked for long.
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
