// Resolves promises that are requested within a period in the same event loop turn, so that the calls that follow form one batch
// (batch.ts).

import { setTimeout as sleep } from 'node:timers/promises'

/** Returns a function whose promises resolve together, `ms` after the first of them was requested. */
export function collectFor(ms: number): () => Promise<void> {
  let next: Promise<void> | undefined
  return () => {
    next ??= sleep(ms).then(() => {
      next = undefined
    })
    return next
  }
}
