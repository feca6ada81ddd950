// A line for work that takes much of the processor or the database: so much at a time, in order of arrival.

/** Places for work, taken in order of arrival. */
export interface WorkQueue {
  /** @throws the signal's reason while it waits; without a signal, it waits for as long as it takes */
  inPlace<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/**
 * @param places how much work is under way at a time
 * @param rest how long a place stays empty while others wait for it, as a share of the time for which it was taken
 */
export function createWorkQueue(places: number, rest: number): WorkQueue {
  let free = places
  const waiting = new Set<() => void>()

  /** The place goes from one to the next without being free in between. */
  function leave(): void {
    const [next] = waiting
    if (next) next()
    else free++
  }

  /** Those that wait are bounded by the calls under way: each leaves the line when its client or its time does. */
  function placeInLine(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        waiting.delete(enter)
        signal?.removeEventListener('abort', cancel)
        resolve()
      }
      const cancel = () => {
        waiting.delete(enter)
        reject(signal?.reason)
      }
      waiting.add(enter)
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }

  return {
    async inPlace(work, signal) {
      signal?.throwIfAborted()
      if (free > 0) free--
      else await placeInLine(signal)
      const began = performance.now()
      try {
        signal?.throwIfAborted()
        return await work()
      } finally {
        if (waiting.size === 0 || rest === 0) leave()
        else setTimeout(leave, rest * (performance.now() - began))
      }
    },
  }
}
