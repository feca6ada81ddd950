import { describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { createReceiverConnections } from '../../../src/infrastructure/net/connections.ts'
import { createDeliveryQueue } from '../../../src/work/webhooks/delivery-queue.ts'
import { createSendLock, type SendLock } from '../../../src/work/webhooks/send-lock.ts'
import { createSender } from '../../../src/work/webhooks/send-message.ts'
import { revokeWebhook } from '../../../src/work/webhooks/webhook-store.ts'
import { attemptsOf, box, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
const BOUNDS = { perAccount: 64, perWebhook: 16 }
const LEASE_MS = 60_000
const written = async () => true

/** A webhook with waiting events, one of them claimed. */
async function claimOne(events = 1, leaseMs = LEASE_MS, url = 'http://127.0.0.1:9/') {
  const { database } = testDatabase
  const accountId = await makeAccount(database)
  const { id } = await makeWebhook(database, box, accountId, url)
  await endJobs(database, accountId, events)
  const queue = createDeliveryQueue(database)
  const claimed = await queue.claim(1, leaseMs, BOUNDS)
  const [delivery] = claimed.filter(({ webhookId }) => webhookId === id)
  if (!delivery || claimed.length > 1) throw new Error('something else was due')
  return { database, accountId, id, queue, delivery }
}

const FAILED = { delivered: false, statusCode: 500, error: null, preview: '' }

describe('the send lock', () => {
  it('delays a revocation until the request is written, and lets no request pass after it', async () => {
    const { database, accountId, id, delivery } = await claimOne()
    const sendLock = createSendLock(database)
    const writing = Promise.withResolvers<boolean>()
    let isWriting = false
    const passing = sendLock.pass({
      ...delivery,
      write: () => {
        isWriting = true
        return writing.promise
      },
    })
    await until(() => isWriting, 'the gate to open')
    let isRevoked = false
    const revoking = revokeWebhook(database, accountId, id).then(() => {
      isRevoked = true
    })
    // The database confirms that it waits.
    await until(async () => {
      const { rows } = await database.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%set revoked_at =%'`,
      )
      return rows.length > 0
    }, 'the revocation to wait')
    expect(isRevoked).toBe(false)
    writing.resolve(true)
    expect(await passing).toBe(true)
    await revoking
    let writes = 0
    const write = async () => {
      writes += 1
      return true
    }
    expect(await sendLock.pass({ ...delivery, write })).toBe(false)
    expect(await sendLock.pass({ ...delivery, attemptId: null, write })).toBe(false)
    expect(writes).toBe(0)
  })

  it('records what was sent, and refuses an attempt that was requeued', async () => {
    const { database, id, queue, delivery } = await claimOne()
    const sendLock = createSendLock(database)
    expect(await sendLock.pass({ ...delivery, write: written })).toBe(true)
    expect((await attemptsOf(database, id))[0]!.sent_at).not.toBeNull()

    const other = await claimOne()
    await other.queue.abort(other.delivery)
    expect(await attemptsOf(database, other.id)).toEqual([])
    expect(await sendLock.pass({ ...other.delivery, write: written })).toBe(false)
    await queue.abort(delivery)
    await database.query('delete from webhook_deliveries')
  })
})

describe('a timeout before the send lock is acquired', () => {
  it('uses up no attempt: nothing is written or recorded, and the event is sent when the database is back', async () => {
    const receiver = await startReceiver()
    const { database, accountId, id, queue, delivery } = await claimOne(1, LEASE_MS, receiver.url)
    const sendLock = createSendLock(database)
    const connections = createReceiverConnections({ allowPrivateNetworks: true })
    const sender = createSender(connections, sendLock, 200)
    onTestFinished(sender.close)
    const message = {
      accountId,
      webhookId: id,
      attemptId: delivery.attemptId,
      url: receiver.url,
      eventId: delivery.eventId,
      attempt: 1,
      body: Buffer.from('{}'),
      secrets: [],
    }
    const signal = new AbortController().signal
    await database.transaction(async (tx) => {
      await tx.query('select from webhooks where id = $1 for update', [id])
      await expect(sender.send(message, signal)).rejects.toBeInstanceOf(DatabaseUnavailable)
    })
    // The send lock handles one group after the other, so this shows that it has finished the late attempts.
    await sendLock.pass({ accountId, webhookId: id, attemptId: null, url: delivery.url, write: written })
    expect(await attemptsOf(database, id)).toMatchObject([{ sent_at: null, ended_at: null }])
    expect([receiver.connections, receiver.events.length]).toEqual([1, 0])

    await queue.abort(delivery)
    const [again] = await queue.claim(1, LEASE_MS, BOUNDS)
    expect(again).toMatchObject({ eventId: delivery.eventId, attempt: 1, attemptsLeft: 2 })
    const outcome = await sender.send({ ...message, attemptId: again!.attemptId }, signal)
    expect(outcome).toMatchObject({ delivered: true, statusCode: 204 })
    await queue.record(again!, outcome!, 0)
    expect(await attemptsOf(database, id)).toMatchObject([{ attempt: 1, delivered: true }])
    expect(receiver.events).toHaveLength(1)
  })

  it('counts as the receiver’s if an earlier connection of the attempt has carried the request', async () => {
    const resets = await startReceiver((response, _event, count) =>
      count === 1 ? response.writeHead(204).end() : response.socket!.resetAndDestroy(),
    )
    const { database, accountId, id, queue, delivery } = await claimOne(1, LEASE_MS, resets.url)
    // Shuts itself once the second connection is to be used.
    const sendLock = createSendLock(database)
    let passes = 0
    const slow: SendLock = {
      pass: (passing) => (++passes === 3 ? new Promise(() => {}) : sendLock.pass(passing)),
    }
    const connections = createReceiverConnections({ allowPrivateNetworks: true })
    const sender = createSender(connections, slow, 400)
    onTestFinished(sender.close)
    const message = {
      accountId,
      webhookId: id,
      attemptId: null,
      url: resets.url,
      eventId: delivery.eventId,
      attempt: 1,
      body: Buffer.from('{}'),
      secrets: [],
    }
    const signal = new AbortController().signal
    expect(await sender.send(message, signal)).toMatchObject({ delivered: true })
    const again = await sender.send({ ...message, attemptId: delivery.attemptId }, signal)
    expect(again).toMatchObject({ error: 'The receiver did not answer within 0.4 seconds.' })
    expect(passes).toBe(3)
    expect((await attemptsOf(database, id))[0]!.sent_at).not.toBeNull()
    await queue.record(delivery, FAILED, 60_000)
  })
})

describe('a lease on a delivery', () => {
  it('is required to record an attempt: a sender that lost it writes nothing', async () => {
    const { database, id, queue, delivery } = await claimOne(1, 1)
    await until(async () => {
      await queue.reap()
      return (await statesOf(database, id)).due === 1
    })
    const [again] = await queue.claim(1, LEASE_MS, BOUNDS)
    expect(again).toMatchObject({ eventId: delivery.eventId, attempt: 1 })
    await queue.record(delivery, { ...FAILED, delivered: true, statusCode: 200 }, 0)
    expect(await statesOf(database, id)).toEqual({ sending: 1 })
    expect(await queue.renew([delivery, again!], LEASE_MS)).toEqual(new Set([again!.token]))
    await queue.abort(delivery)
    expect(await statesOf(database, id)).toEqual({ sending: 1 })
    await queue.record(again!, { ...FAILED, delivered: true, statusCode: 200 }, 0)
    expect(await statesOf(database, id)).toEqual({ delivered: 1 })
    expect(await attemptsOf(database, id)).toMatchObject([{ attempt: 1, delivered: true }])
  })

  it('that expires before anything was sent uses up no attempt; after that, it uses up one', async () => {
    const { database, id, queue, delivery } = await claimOne(1)
    const sendLock = createSendLock(database)
    await queue.abort(delivery)
    expect(await attemptsOf(database, id)).toEqual([])
    for (const attempt of [1, 2, 3]) {
      const [claimed] = await queue.claim(1, LEASE_MS, BOUNDS)
      expect(claimed).toMatchObject({ attempt, attemptsLeft: 3 - attempt })
      await sendLock.pass({ ...claimed!, write: written })
      await queue.abort(claimed!)
    }
    expect(await statesOf(database, id)).toEqual({ dropped: 1 })
    const interrupted = { delivered: false, error: 'The sender was interrupted before it had an answer.' }
    expect(await attemptsOf(database, id)).toMatchObject(
      [1, 2, 3].map((attempt) => ({ attempt, ...interrupted })),
    )
  })

  it('is granted only for a due delivery, and only once', async () => {
    const { database, id, queue, delivery } = await claimOne(1)
    expect(await queue.claim(10, LEASE_MS, BOUNDS)).toEqual([])
    await queue.record(delivery, FAILED, 60_000)
    expect(await queue.claim(10, LEASE_MS, BOUNDS)).toEqual([])
    expect(await statesOf(database, id)).toEqual({ waiting: 1 })
    await database.query('update webhook_deliveries set due_at = now() where webhook_id = $1', [id])
    expect(await queue.claim(10, LEASE_MS, BOUNDS)).toMatchObject([{ attempt: 2, attemptsLeft: 1 }])
    await database.query('delete from webhook_deliveries')
  })

  it('loads the body of an event once, however many webhooks it is for', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    for (let count = 0; count < 3; count++) {
      await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    }
    const jobs = await endJobs(database, accountId, 2)
    const claimed = await createDeliveryQueue(database).claim(100, LEASE_MS, BOUNDS)
    expect(claimed).toHaveLength(6)
    const bodies = new Set(claimed.map(({ body }) => body))
    const told = [...bodies].map((body) => JSON.parse(body.toString()))
    expect(told.map(({ data }) => data.job)).toEqual(expect.arrayContaining(jobs))
    expect(told).toHaveLength(2)
    for (const { body, eventId } of claimed) expect(JSON.parse(body.toString()).id).toBe(eventId)
    await database.query('delete from webhook_deliveries')
  })

  it('is granted to all accounts in turn: a long queue of one account is one step, not a million', async () => {
    const { database } = testDatabase
    const queue = createDeliveryQueue(database)
    const [busy, ...others] = await Promise.all(Array.from({ length: 8 }, () => makeAccount(database)))
    for (const accountId of [busy!, ...others]) {
      await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    }
    await database.query(
      `select count(write_events($1, 'job', gen_random_uuid()::text, 'evt_' || i, 'job.failed', now(), '{}'))
       from generate_series(1, 3000) as i`,
      [busy],
    )
    for (const accountId of others) await endJobs(database, accountId)
    const claimed = await queue.claim(100, LEASE_MS, { perAccount: 4, perWebhook: 4 })
    expect(claimed.filter(({ accountId }) => accountId === busy)).toHaveLength(4)
    expect(new Set(claimed.map(({ accountId }) => accountId)).size).toBe(8)
    expect(await queue.claim(100, LEASE_MS, { perAccount: 4, perWebhook: 4 })).toEqual([])
    await database.query('delete from webhook_deliveries')
  })
})
