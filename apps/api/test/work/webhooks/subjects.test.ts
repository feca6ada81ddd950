import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { type NewEvent, writeEvents } from '../../../src/work/events/write-events.ts'
import { removeExpired } from '../../../src/work/retention/remove-expired.ts'
import { listDeliveries } from '../../../src/work/webhooks/delivery-log.ts'
import { redeliverEvent } from '../../../src/work/webhooks/redeliver.ts'
import { attemptsOf, box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()

const TYPE = 'listing.price_changed'

/** An account, and a webhook of it that subscribes to an event that no job has. */
async function subscribe(database: Database, url: string): Promise<{ accountId: string; id: string }> {
  const accountId = await makeAccount(database)
  const { id } = await makeWebhook(database, box, accountId, url, [TYPE as never])
  return { accountId, id }
}

const priceOf = (zpid: string, accountId: string): NewEvent => ({
  accountId,
  subject: { type: 'listing', id: zpid },
  type: TYPE,
  happenedAt: new Date('2026-11-22T10:00:00.000Z'),
  data: { listing: { zpid, price: 450_000 } },
})

describe('an event whose subject is not a job', () => {
  it('is delivered, retried, listed with its subject, redelivered, and deleted after 30 days', async () => {
    const { database } = testDatabase
    let status = 500
    const receiver = await startReceiver((response) => response.writeHead(status).end())
    const { accountId, id } = await subscribe(database, receiver.url)
    const deliverer = startDeliveries(database)
    await database.transaction((tx) => writeEvents(tx, priceOf('48749425', accountId)))

    await until(async () => (await statesOf(database, id)).dropped === 1, 'three failed attempts')
    expect(receiver.events.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3'])
    expect(receiver.events[2]!.json).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: TYPE,
      timestamp: '2026-11-22T10:00:00.000Z',
      attempt: 3,
      data: { listing: { zpid: '48749425', price: 450_000 } },
    })

    status = 200
    const eventId = receiver.events[0]!.json.id as string
    expect(await redeliverEvent(database, eventId)).toBe(1)
    await until(async () => (await statesOf(database, id)).delivered === 1, 'the redelivery')
    await deliverer.stop()

    const listed = await listDeliveries(database, accountId, id, { before: null, limit: 100 })
    expect(listed.map(({ attempt, delivered }) => [attempt, delivered])).toEqual([
      [4, true],
      [3, false],
      [2, false],
      [1, false],
    ])
    for (const delivery of listed) {
      expect(delivery).toMatchObject({
        event_id: eventId,
        event: TYPE,
        subject: { type: 'listing', id: '48749425' },
        job_id: null,
      })
    }

    await database.query(`update webhook_events set happened_at = now() - interval '31 days'`)
    await database.query(`update webhook_attempts set attempted_at = now() - interval '31 days'`)
    await removeExpired(database)
    expect(await statesOf(database, id)).toEqual({})
    expect(await attemptsOf(database, id)).toEqual([])
  })

  it('can be one of several events of the same subject, unlike a job’s event', async () => {
    const { database } = testDatabase
    const { accountId, id } = await subscribe(database, 'http://127.0.0.1:9/')
    for (let count = 0; count < 3; count++)
      await database.transaction((tx) => writeEvents(tx, priceOf('48749425', accountId)))
    expect(await statesOf(database, id)).toEqual({ due: 3 })
  })

  it('is not sent to a webhook that subscribes only to job events, and vice versa', async () => {
    const { database } = testDatabase
    const { accountId, id } = await subscribe(database, 'http://127.0.0.1:9/')
    const { id: forJobs } = await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    await database.transaction((tx) => writeEvents(tx, priceOf('48749425', accountId)))
    expect([await statesOf(database, id), await statesOf(database, forJobs)]).toEqual([{ due: 1 }, {}])
    await endJobs(database, accountId)
    expect([await statesOf(database, id), await statesOf(database, forJobs)]).toEqual([
      { due: 1 },
      { due: 1 },
    ])
  })
})

describe('an event of a job', () => {
  it('is listed with the job as its subject', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver()
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database)
    const [job] = await endJobs(database, accountId)
    await until(async () => (await statesOf(database, id)).delivered === 1)
    expect(await listDeliveries(database, accountId, id, { before: null, limit: 10 })).toMatchObject([
      { job_id: job!.id, subject: { type: 'job', id: job!.id } },
    ])
    expect(receiver.events[0]!.json.data).toEqual({ job })
  })
})
