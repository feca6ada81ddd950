// What can happen to the database.

import { setTimeout as sleep } from 'node:timers/promises'
import { signal } from '../set/processes.ts'
import type { Fault } from './fault.ts'

/** Its first process is killed; the others notice. What was committed must be there afterwards. */
export const killPostgres: Fault = async ({ set }) => {
  const [first] = await set.postgres.family()
  if (first !== undefined) signal(first, 'SIGKILL')
  await set.postgres.revive(first)
  return ''
}

/** Stopped fast, in good order, as by an administrator. */
export const stopPostgres: Fault = async ({ set }) => {
  const [first] = await set.postgres.family()
  if (first !== undefined) signal(first, 'SIGINT')
  await set.postgres.revive(first)
  return ''
}

/** All of its processes stand still and take up where they were. */
export const freezePostgres: Fault = async ({ set }, random) => {
  const ms = random.int(300, 3_000)
  const family = await set.postgres.family()
  for (const pid of family) signal(pid, 'SIGSTOP')
  try {
    await sleep(ms)
  } finally {
    for (const pid of family) signal(pid, 'SIGCONT')
  }
  await set.postgres.revive()
  return `for ${ms} ms`
}
