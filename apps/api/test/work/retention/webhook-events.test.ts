import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { removeExpired, startRemovingExpired } from '../../../src/work/retention/remove-expired.ts'
import { createDeliveryQueue } from '../../../src/work/webhooks/delivery-queue.ts'
import { revokeWebhook } from '../../../src/work/webhooks/webhook-store.ts'
import { attemptsOf, box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()

describe('stored webhook data', () => {
  it('is deleted after 30 days, and not before', async () => {
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
      await removeExpired(database)
      return [(await attemptsOf(database, id)).length, (await statesOf(database, id)).delivered]
    }
    expect(await age(29)).toEqual([2, 2])
    expect(await age(31)).toEqual([1, 1])
  })
})

describe('a backlog of several weeks', () => {
  it('is deleted in batches, completely', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    await database.query(
      `insert into webhook_attempts (account_id, webhook_id, event_id, attempt, attempted_at)
       select $1, gen_random_uuid(), 'evt_' || i, 1, now() - interval '31 days' from generate_series(1, 12000) as i`,
      [accountId],
    )
    await database.query(
      `insert into webhook_events (account_id, id, subject_type, subject_id, type, happened_at, data)
       select $1, 'evt_' || i, 'job', gen_random_uuid()::text, 'job.failed', now() - interval '31 days', '{}'
       from generate_series(1, 1500) as i`,
      [accountId],
    )
    const left = async () => {
      const { rows } = await database.query<{ attempts: number; events: number }>(
        `select (select count(*) from webhook_attempts where account_id = $1) as attempts,
           (select count(*) from webhook_events where account_id = $1) as events`,
        [accountId],
      )
      return [rows[0]!.attempts, rows[0]!.events]
    }
    expect(await removeExpired(database)).toBe(true)
    expect(await left()).toEqual([7000, 500])
    expect(await removeExpired(database)).toBe(true)
    expect(await removeExpired(database)).toBe(false)
    expect(await left()).toEqual([0, 0])
  })

  it('does not delay the removal of expired leases', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    let pieces = 0
    // Whatever is removed, there is always more.
    const endless: Database = {
      ...database,
      async query(...statement) {
        const result = await database.query(...statement)
        if (!statement[0].includes('delete from webhook_attempts where ctid')) return result as never
        pieces += 1
        return { ...result, rowCount: 5_000 } as never
      },
    }
    // It claims nothing itself.
    startDeliveries(database, { bounds: { perAccount: 0, perWebhook: 0 } })
    const removing = startRemovingExpired(endless, pino({ level: 'silent' }))
    onTestFinished(() => removing.stop())
    await until(() => pieces > 0, 'the removal to begin')
    await endJobs(database, accountId)
    const lost = await createDeliveryQueue(database).claim(1, 1, { perAccount: 1, perWebhook: 1 })
    expect(lost).toMatchObject([{ webhookId: id, attempt: 1 }])
    await until(async () => (await statesOf(database, id)).due === 1, 'the lease to be taken away')
    await until(() => pieces > 2, 'the removal to go on')
    await database.query('delete from webhook_deliveries')
  })
})

describe('a revoked webhook', () => {
  it('is deleted 30 days later, with its secrets, and not before; a live one is never deleted', async () => {
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
      await removeExpired(database)
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
