// Many things at a time, in the order in which they were given.

import { pMapIterable } from 'p-map'

export interface InOrderOptions {
  /** Under way at a time. */
  readonly atATime: number
  /** Begun and not yet handed on: how far ahead of the slowest it may get. At least `atATime`. */
  readonly ahead: number
}

/**
 * Does `work` for each item, several at a time, and hands the results on in the order of the items, as many as are ready
 * together, so that their receiver can check and store them with one statement. While the receiver is busy, work on the next
 * ones continues. The first error ends it, and so does a receiver that has enough.
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
      // p-map begins what fits into `ahead` even after its receiver has stopped.
      if (!stopped) results[index] = { value: await work(item, index) }
    },
    { concurrency: atATime, backpressure: ahead },
  )
  try {
    // A step is over when the next item in the order is done. Those behind it that are done, too, go with it; their own steps only
    // make room for more work. If each of these handed on what began meanwhile, results would go one by one from then on.
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
