// What happens to deliveries afterwards: sent again by the operator, removed in time, and what a failing database costs.

import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { DatabaseUnavailable } from '../../src/database/database.ts'
import { redeliverDropped, redeliverEvent } from '../../src/webhooks/redeliver.ts'
import { removeOldEvents } from '../../src/webhooks/remove-old-events.ts'
import { revokeWebhook } from '../../src/webhooks/webhook-store.ts'
import { attemptsOf, box, startDeliveries, statesOf } from '../setup/deliveries.ts'
import { startReceiver, until } from '../setup/receiver.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()

describe('an event that is sent again', () => {
  it('has three further attempts under the same id, counted on, whether it was dropped or delivered', async () => {
    const { database } = testDatabase
    let status = 500
    const receiver = await startReceiver((response) => response.writeHead(status).end())
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database)
    await endJobs(database, accountId)
    await until(async () => (await statesOf(database, id)).dropped === 1)
    const [event] = await attemptsOf(database, id)
    expect(await redeliverDropped(database, id)).toBe(1)
    await until(() => receiver.events.length === 6)
    await until(async () => (await statesOf(database, id)).dropped === 1)
    status = 200
    expect(await redeliverEvent(database, event!.event_id)).toBe(1)
    await until(async () => (await statesOf(database, id)).delivered === 1)
    expect(await redeliverDropped(database, id)).toBe(0)
    expect(await redeliverEvent(database, event!.event_id)).toBe(1)
    await until(() => receiver.events.length === 8)
    await until(async () => (await statesOf(database, id)).delivered === 1)
    expect(receiver.events.map(({ headers }) => headers['webhook-attempt'])).toEqual([...'12345678'])
    expect(new Set(receiver.events.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('goes to no webhook that is revoked, and an unknown one to none', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, 'http://127.0.0.1:1/')
    const deliverer = startDeliveries(database)
    await endJobs(database, accountId)
    await until(async () => (await statesOf(database, id)).dropped === 1)
    await deliverer.stop()
    const [event] = await attemptsOf(database, id)
    await revokeWebhook(database, accountId, id)
    expect(await redeliverEvent(database, event!.event_id)).toBe(0)
    expect(await redeliverDropped(database, id)).toBe(0)
    expect(await redeliverEvent(database, 'evt_01M7WSV2C4E6G8J0K2M4N6P8Q0')).toBe(0)
  })
})

describe('what is kept', () => {
  it('is removed after 30 days, and not before', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    const deliverer = startDeliveries(database)
    await endJobs(database, accountId, 2)
    await until(async () => (await statesOf(database, id)).delivered === 2)
    await deliverer.stop()
    const [first] = await attemptsOf(database, id)
    const age = async (days: number) => {
      await database.query(
        `update webhook_events set happened_at = now() - $2 * interval '1 day' where id = $1`,
        [first!.event_id, days],
      )
      await database.query(
        `update webhook_attempts set attempted_at = now() - $2 * interval '1 day' where event_id = $1`,
        [first!.event_id, days],
      )
      await removeOldEvents(database)
      return [(await attemptsOf(database, id)).length, (await statesOf(database, id)).delivered]
    }
    expect(await age(29)).toEqual([2, 2])
    expect(await age(31)).toEqual([1, 1])
  })
})

describe('a webhook that was revoked', () => {
  it('is removed 30 days later, with its secrets, and not before; a live one never', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const [live, revoked] = [
      await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/'),
      await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/'),
    ]
    await database.query(`update webhooks set created_at = now() - interval '1 year'`)
    await revokeWebhook(database, accountId, revoked.id)
    const left = async (days: number) => {
      await database.query(`update webhooks set revoked_at = now() - $2 * interval '1 day' where id = $1`, [
        revoked.id,
        days,
      ])
      await removeOldEvents(database)
      const { rows } = await database.query<{ id: string; secrets: number }>(
        `select w.id, count(s.id) as secrets from webhooks w
           left join webhook_secrets s on s.account_id = w.account_id and s.webhook_id = w.id
         where w.account_id = $1 group by w.account_id, w.id`,
        [accountId],
      )
      return new Map(rows.map(({ id, secrets }) => [id, secrets]))
    }
    expect(await left(29.99)).toEqual(new Map([live, revoked].map(({ id }) => [id, 1])))
    expect(await left(30.01)).toEqual(new Map([[live.id, 1]]))
  })
})

describe('a database that fails', () => {
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

  it('now and then loses no event: each comes, if need be more than once, and is recorded', async () => {
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
