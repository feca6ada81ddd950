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

/** The end of the turn that was asked for last. */
let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Resolves in a turn of the event loop of its own, in the order of asking. Work of some milliseconds that cannot be paused begins
 * with it, so that other calls go on between any two pieces.
 */
export function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(nextTurn)
  return lastTurn
}

/** Resolves in the next turn of the event loop: what waits for the process is done before. */
export function nextTurn(): Promise<unknown> {
  return pollEvents()
}

/** Places for work, taken in order of arrival. */
export interface Line {
  /** @throws the signal's reason while it waits */
  inPlace<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/**
 * @param places how much work is under way at a time
 * @param rest how long a place stays empty while others wait for it, as a share of the time for which it was taken
 */
export function createLine(places: number, rest: number): Line {
  let free = places
  const waiting = new Set<() => void>()

  /** The place goes from one to the next without being free in between. */
  function leave(): void {
    const [next] = waiting
    if (next) next()
    else free++
  }

  /** Those that wait are bounded by the calls under way: each leaves the line when its client or its time does. */
  function placeInLine(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        waiting.delete(enter)
        signal.removeEventListener('abort', cancel)
        resolve()
      }
      const cancel = () => {
        waiting.delete(enter)
        reject(signal.reason)
      }
      waiting.add(enter)
      signal.addEventListener('abort', cancel, { once: true })
    })
  }

  return {
    async inPlace(work, signal) {
      signal.throwIfAborted()
      if (free > 0) free--
      else await placeInLine(signal)
      const began = performance.now()
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        if (waiting.size === 0 || rest === 0) leave()
        else setTimeout(leave, rest * (performance.now() - began))
      }
    },
  }
}
