// Long computations in slices. They are generators that yield where they can be paused, after at most a few milliseconds, so that
// other calls go on between two slices.

import { setImmediate as pollEvents } from 'node:timers/promises'

/** Milliseconds of computing before other calls get a turn. A lookup that arrives during a computation waits for about eight slices. */
const SLICE_MS = 1

/** The computation that is under way. Many large ones at once take turns, so together they delay others no longer than one. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Does the work, with a look at other calls wherever it yields and its time is over. It begins when the work before it has ended.
 * Aborted work ends at its next look.
 *
 * @throws the signal's reason
 */
export function inTurn<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  const mine = last.then(async () => {
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
  })
  last = mine.catch(() => undefined)
  return mine
}

/** Does the work at once, for small work and for commands. */
export function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Resolves in the next turn of the event loop: what waits for the process is done before. */
export function nextTurn(): Promise<unknown> {
  return pollEvents()
}
