import { describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()

describe('a database with intermittent failures', () => {
  /** Fails every `nth` statement, before or after it was done. */
  function failing(database: Database, nth: number): Database {
    let count = 0
    const away = () => new DatabaseUnavailable('It is away.')
    return {
      ...database,
      async query(...statement) {
        const turn = count++ % nth
        if (turn === 0) throw away()
        const result = await database.query(...statement)
        if (turn === 1) throw away()
        return result as never
      },
      async transaction(work, options) {
        const turn = count++ % nth
        if (turn === 0) throw away()
        const result = await database.transaction(work, options)
        if (turn === 1) throw away()
        return result
      },
    }
  }

  it('loses no event: each arrives at least once, and is recorded', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(failing(database, 7), { env: { JOB_LEASE_MS: '300' } })
    for (let round = 0; round < 10; round++) await endJobs(database, accountId, 3)
    await until(async () => {
      const { delivered = 0, dropped = 0 } = await statesOf(database, id)
      return delivered + dropped === 30
    }, 'all to be recorded')
    expect(new Set(receiver.events.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
    for (const { headers } of receiver.events)
      expect(Number(headers['webhook-attempt'])).toBeLessThanOrEqual(3)
  })
})
