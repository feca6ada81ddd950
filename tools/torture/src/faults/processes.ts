// What can happen to a process of the service.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'

/** Killed at any moment, and started again. */
export const kill: Fault = async ({ set }, random) => {
  const one = random.pick(set.processes)
  one.signal('SIGKILL')
  await one.untilEnded()
  await one.start()
  return one.name
}

/** Told to stop, as each deployment does: it must end by itself, in good order. */
export const stop: Fault = async ({ set }, random) => {
  const one = random.pick(set.processes)
  one.signal('SIGTERM')
  const { code, signal } = await one.untilEnded()
  if (code !== 0) throw new Error(`${one.name} ended with ${code ?? signal} after SIGTERM.`)
  await one.start()
  return one.name
}

/** Paused for longer than its leases last, as by a machine that sleeps. */
export const pause: Fault = async ({ set }, random) => {
  const one = random.pick(set.processes)
  const ms = random.int(500, 3_500)
  one.signal('SIGSTOP')
  try {
    await sleep(ms)
  } finally {
    one.signal('SIGCONT')
  }
  return `${one.name} for ${ms} ms`
}
