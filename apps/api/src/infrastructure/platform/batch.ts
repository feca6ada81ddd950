// What many ask for at the same time, done for all of them at once: one round trip to the database instead of hundreds.

/**
 * Returns a function whose calls are collected while `work` is busy with those before, and then handed to it together,
 * `most` at a time. `work` answers in the order of its group; what it throws reaches everyone in the group.
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
      // What one turn of the event loop asks for makes one group.
      setImmediate(() => void run())
    })
}

/**
 * Returns a function whose calls of one turn of the event loop are handed to `work` together, in their order, whether or not
 * the groups before have been answered. `work` answers in the order of its group; what it throws reaches everyone in it.
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
