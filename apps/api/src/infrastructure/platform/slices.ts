// Long computations in slices. They are generators that yield where they can be paused, after at most a few milliseconds, so that
// other calls go on between two slices.

import { setImmediate as pollEvents } from 'node:timers/promises'
import { createWorkQueue } from './work-queue.ts'

/** Milliseconds of computing before other calls get a turn. A lookup that arrives during a computation waits for about eight slices. */
const SLICE_MS = 1

/** One computation is under way at a time, so many large ones together delay others no longer than one. */
const computations = createWorkQueue(1, 0)

/**
 * Does the work, with a look at other calls wherever it yields and its time is over. Work of the other accounts waits for its turn.
 * Aborted work ends at its next look.
 *
 * @throws the signal's reason
 */
export function runInSlices<T>(work: Generator<void, T>, signal?: AbortSignal, account?: string): Promise<T> {
  const compute = async () => {
    let began = performance.now()
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = work.next()
      if (done) return value as T
      if (performance.now() - began > SLICE_MS) {
        await pollEvents()
        began = performance.now()
      }
    }
  }
  return computations.run(compute, signal, account)
}

/** Resolves in the next turn of the event loop: what waits for the process is done before. */
export function nextEventLoopTurn(): Promise<unknown> {
  return pollEvents()
}
