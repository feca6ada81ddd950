// What can happen around the service: its clock, its source of listings, its network.

import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'

/** How far the wall clock jumps, in seconds. Receivers bear five minutes. */
const JUMPS = [-200, -61, -5, 5, 61, 200]

/** The wall clock of the service's processes jumps, and back again. The database's does not. */
export const jumpClock: Fault = async ({ set }, random) => {
  const seconds = random.pick(JUMPS)
  const setTo = async (ms: number) => {
    await writeFile(set.clockFile, String(ms))
    for (const one of set.processes) one.signal('SIGWINCH')
  }
  await setTo(seconds * 1_000)
  try {
    await sleep(random.int(500, 2_500))
  } finally {
    await setTo(0)
  }
  return `by ${seconds} s`
}

/** The source answers nothing but 503. */
export const cutProvider: Fault = async ({ provider }, random) => {
  const ms = random.int(500, 3_000)
  provider.toggleOutage()
  try {
    await sleep(ms)
  } finally {
    provider.toggleOutage()
  }
  return `for ${ms} ms`
}
