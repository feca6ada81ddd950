import { describe, expect, it } from 'vitest'
import { redeliverDropped, redeliverEvent } from '../../../src/work/webhooks/redeliver.ts'
import { revokeWebhook } from '../../../src/work/webhooks/webhook-store.ts'
import { attemptsOf, box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()

describe('a redelivered event', () => {
  it('gets three further attempts under the same id, with continuing numbers, whether it was dropped or delivered', async () => {
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

  it('is not sent to revoked webhooks, and an unknown event to none', async () => {
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
