// What comes within a while, done together: the promises of all who wait for the same moment resolve in the same turn of the
// event loop, so that what they ask for next makes one group (batch.ts).

import { setTimeout as sleep } from 'node:timers/promises'

/** Returns a function whose promises resolve together, `ms` after the first of them was asked for. */
export function collectFor(ms: number): () => Promise<void> {
  let next: Promise<void> | undefined
  return () => {
    next ??= sleep(ms).then(() => {
      next = undefined
    })
    return next
  }
}
