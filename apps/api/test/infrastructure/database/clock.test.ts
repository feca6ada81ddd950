import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createDatabaseClock } from '../../../src/infrastructure/database/clock.ts'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const testDatabase = withTestDatabase()
const HOUR_MS = 3_600_000

/** The real database, with a clock that is ahead by `aheadMs` and with delayed responses. */
function databaseWith(state: { aheadMs: number; lateMs: number }): Database {
  return {
    ...testDatabase.database,
    async query(text, values, options) {
      const result = await testDatabase.database.query<{ ms: number }>(text, values, options)
      await sleep(state.lateMs)
      return { ...result, rows: result.rows.map(({ ms }) => ({ ms: ms + state.aheadMs })) } as never
    },
  }
}

const shownBy = (clock: { at(tick: number): Date }) => clock.at(performance.now()).getTime() - Date.now()

it('the clock shows the time of the database, even if the clock of this machine is wrong', async () => {
  const clock = createDatabaseClock(databaseWith({ aheadMs: HOUR_MS, lateMs: 0 }))
  await clock.ask()
  expect(Math.abs(shownBy(clock) - HOUR_MS)).toBeLessThan(1_000)
})

it('the clock keeps a quick, exact measurement over a slow one, and follows when the database clock is set', async () => {
  const state = { aheadMs: 0, lateMs: 0 }
  const clock = createDatabaseClock(databaseWith(state))
  await clock.ask()
  const before = clock.at(0).getTime()
  state.lateMs = 400
  await clock.ask()
  // Without the earlier reading, the clock would now be 200 ms off.
  expect(Math.abs(clock.at(0).getTime() - before)).toBeLessThan(100)
  state.aheadMs = -HOUR_MS
  await clock.ask()
  expect(Math.abs(clock.at(0).getTime() - before + HOUR_MS)).toBeLessThan(1_000)
})

it('the clock is that of this machine until the database has answered', () => {
  expect(Math.abs(shownBy(createDatabaseClock(testDatabase.database)))).toBeLessThan(1_000)
})
