// Runs long computations in slices. They are generators that yield every few milliseconds at most, so that other calls continue
// between slices.

import { setImmediate as pollEvents } from 'node:timers/promises'
import { createWorkQueue } from './work-queue.ts'

/** The duration of a slice, in milliseconds. A lookup that arrives during a computation waits for about eight slices. */
const SLICE_MS = 1

/** One computation runs at a time, so several large ones delay others no longer than one. */
const computations = createWorkQueue(1, 0)

/**
 * Runs the work in slices, and lets other calls run between them. Concurrent computations take turns by account. Aborted work
 * ends after its current slice.
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

/** Resolves in the next event loop turn, after waiting callbacks have run. */
export function nextEventLoopTurn(): Promise<unknown> {
  return pollEvents()
}
