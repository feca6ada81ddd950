// What can happen to the store that several processes share. While it is away, or has forgotten everything, no limit may
// be open.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'

/** Killed with all that it knew, and started again empty after a while. */
export const killStore: Fault = async ({ set }, random) => {
  const ms = random.int(0, 2_000)
  set.store?.signal('SIGKILL')
  await set.store?.untilEnded()
  await sleep(ms)
  await set.store?.start()
  await set.postgres.revive()
  return `for ${ms} ms`
}

/** It stands still and takes up where it was. */
export const freezeStore: Fault = async ({ set }, random) => {
  const ms = random.int(200, 6_000)
  set.store?.signal('SIGSTOP')
  try {
    await sleep(ms)
  } finally {
    set.store?.signal('SIGCONT')
  }
  await set.postgres.revive()
  return `for ${ms} ms`
}
