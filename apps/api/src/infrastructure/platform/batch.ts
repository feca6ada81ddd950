// Batches concurrent calls into one piece of work, such as one round trip to the database instead of hundreds.

/**
 * Returns a function whose calls are collected while `work` is busy with the previous batch, and then passed to it together, at
 * most `most` at a time. `work` returns results in the order of the batch; an error rejects every call of the batch.
 */
export function batch<T, R>(
  most: number,
  work: (group: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  let waiting: { item: T; done: (result: R) => void; failed: (error: unknown) => void }[] = []
  let isBusy = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const results = await work(group.map(({ item }) => item))
        for (const [index, { done }] of group.entries()) done(results[index]!)
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
    isBusy = false
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed })
      if (isBusy) return
      isBusy = true
      // Calls of one event loop turn form a batch.
      setImmediate(() => void run())
    })
}

/**
 * Returns a function whose calls of one event loop turn are passed to `work` together and in order, even while previous batches
 * are running. `work` returns results in the order of the batch; an error rejects every call of the batch.
 */
export function batchPerTurn<T, R>(
  work: (group: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  let waiting: { item: T; done: (result: R) => void; failed: (error: unknown) => void }[] = []

  async function run(): Promise<void> {
    const group = waiting
    waiting = []
    try {
      const results = await work(group.map(({ item }) => item))
      for (const [index, { done }] of group.entries()) done(results[index]!)
    } catch (error) {
      for (const { failed } of group) failed(error)
    }
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed })
      if (waiting.length === 1) setImmediate(() => void run())
    })
}
