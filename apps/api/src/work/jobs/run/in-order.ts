// Concurrent work whose results are handed over in input order.

import { pMapIterable } from 'p-map'

export interface InOrderOptions {
  /** Items processed at a time. */
  readonly atATime: number
  /** Items that are started and not handed over yet, which bounds how far the work runs ahead of the slowest item. At least `atATime`. */
  readonly ahead: number
}

/**
 * Runs `work` for each item, several at a time, and hands over the results in item order. Each handover contains all results that are
 * ready, so that the receiver can store them with one statement. While the receiver is busy, work on the next items continues. The first
 * error ends the run, and so does a receiver that has enough.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  { atATime, ahead }: InOrderOptions,
  work: (item: T, index: number) => Promise<R>,
): AsyncGenerator<R[], void, undefined> {
  const results: ({ readonly value: R } | undefined)[] = []
  let handedOn = 0
  let over = 0
  let stopped = false
  const steps = pMapIterable(
    items,
    async (item, index) => {
      // p-map starts all items that fit into `ahead` even after the receiver has stopped.
      if (!stopped) results[index] = { value: await work(item, index) }
    },
    { concurrency: atATime, backpressure: ahead },
  )
  try {
    // A step ends when the next item in order is done. Finished items behind it are handed over together; their own steps only start new
    // items. If each of those steps handed over results as well, the results would be stored one by one from then on.
    for await (const _ of steps) {
      if (over++ < handedOn) continue
      const ready: R[] = []
      for (let result = results[handedOn]; result; result = results[handedOn]) {
        ready.push(result.value)
        results[handedOn++] = undefined
      }
      yield ready
    }
  } finally {
    stopped = true
  }
}
