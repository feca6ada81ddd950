import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startChores } from '../../../src/infrastructure/platform/chores.ts'

const log = pino({ level: 'silent' })

it('a chore that fails or hangs does not delay the others', async () => {
  const hanging = Promise.withResolvers<void>()
  let runs = 0
  const chores = startChores(
    log,
    { name: 'hang', everyMs: 1, run: () => hanging.promise },
    { name: 'fail', everyMs: 1, run: () => Promise.reject(new Error('broken')) },
    { name: 'count', everyMs: 1, run: async () => void runs++ },
  )
  while (runs < 3) await sleep(1)
  let isStopped = false
  const stopped = chores.stop().then(() => {
    isStopped = true
  })
  await sleep(20)
  expect(isStopped).toBe(false)
  hanging.resolve()
  await stopped
})

it('a chore runs again immediately while more work is left, and otherwise after its interval', async () => {
  let runs = 0
  const chores = startChores(log, { name: 'count', everyMs: 3_600_000, run: async () => ++runs < 3 })
  while (runs < 3) await sleep(1)
  await sleep(20)
  expect(runs).toBe(3)
  await chores.stop()
})

it('a chore with runsAtStop runs once more at the stop, and no chore runs afterwards', async () => {
  const runs = { last: 0, other: 0 }
  const chores = startChores(
    log,
    { name: 'count', everyMs: 3_600_000, run: async () => void runs.last++, runsAtStop: true },
    { name: 'count', everyMs: 3_600_000, run: async () => void runs.other++ },
  )
  await chores.stop()
  expect(runs).toEqual({ last: 2, other: 1 })
})
