// Statements that touch many deliveries must not deadlock, and a receiver's response must be recorded even if PostgreSQL aborts a deadlock.

import { describe, expect, it, onTestFinished } from 'vitest'
import { lockImports } from '../../../src/data/listings/stage-listings.ts'
import type { Queryable } from '../../../src/infrastructure/database/database.ts'
import { type ClaimedDelivery, createDeliveryQueue } from '../../../src/work/webhooks/delivery-queue.ts'
import { attemptsOf, box, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
const DELIVERED = { delivered: true, statusCode: 200, error: null, preview: '' }

/** A transaction of the test's own, open until `end` or the end of the test. */
async function begin(): Promise<{ readonly tx: Queryable; end(): Promise<void> }> {
  const begun = Promise.withResolvers<Queryable>()
  const ended = Promise.withResolvers<void>()
  const done = testDatabase.database.transaction((tx) => {
    begun.resolve(tx)
    return ended.promise
  })
  const end = () => {
    ended.resolve()
    return done
  }
  onTestFinished(() => end().catch(() => {}))
  return { tx: await begun.promise, end }
}

/** Resolves when a statement of this text waits for a row that another transaction holds. */
async function untilWaiting(text: string): Promise<void> {
  await until(async () => {
    const { rows } = await testDatabase.database.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and wait_event_type = 'Lock' and position($1 in query) > 0`,
      [text],
    )
    return rows.length > 0
  }, `‘${text}’ to wait`)
}

function lockDelivery(tx: Queryable, { accountId, eventId, webhookId }: ClaimedDelivery) {
  return tx.query(
    `select from webhook_deliveries where account_id = $1 and event_id = $2 and webhook_id = $3 for update`,
    [accountId, eventId, webhookId],
  )
}

describe('renewing leases while attempts are recorded', () => {
  it('succeeds without a deadlock, in whatever order the receivers responded', async () => {
    const { database } = testDatabase
    const queue = createDeliveryQueue(database)
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    // So many that they are found by their key, as they are in a real queue.
    await database.query(
      `select count(write_events($1, 'job', gen_random_uuid()::text, 'evt_' || lpad(i::text, 4, '0'), 'job.failed', now(), '{}'))
       from generate_series(1, 3000) as i`,
      [accountId],
    )
    await database.query('analyze webhook_deliveries')
    const claimed = await queue.claim(64, 60_000, { perAccount: 16, perWebhook: 16 })
    const inOrder = claimed.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))

    // The renewal has the first and waits for the middle; then the last to be answered is recorded first.
    const holder = await begin()
    await lockDelivery(holder.tx, inOrder[8]!)
    const renewed = queue.renew(inOrder, 60_000)
    await untilWaiting('set lease_until')
    const recorded = Promise.all(inOrder.toReversed().map((one) => queue.record(one, DELIVERED, 0)))
    await untilWaiting('retry_after_ms')
    await holder.end()
    expect((await renewed).size).toBe(16)
    await recorded
    expect((await statesOf(database, id)).delivered).toBe(16)
    await database.query('delete from webhook_deliveries')
  })
})

describe('a running import', () => {
  it('does not delay deliveries', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    await makeWebhook(database, box, accountId, 'http://127.0.0.1:9/')
    await endJobs(database, accountId)
    const claimed = await database.transaction(async (importing) => {
      await lockImports(importing)
      return createDeliveryQueue(database).claim(1, 60_000, { perAccount: 1, perWebhook: 1 })
    })
    expect(claimed).toHaveLength(1)
    await database.query('delete from webhook_deliveries')
  })
})

describe('an attempt with a 200 response', () => {
  it('is recorded as delivered, and not sent again, even if a deadlock aborts the first record', async () => {
    const { database } = testDatabase
    let answer = () => {}
    const receiver = await startReceiver((response) => {
      answer = () => response.writeHead(200).end('taken')
    })
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database, { env: { WEBHOOK_TIMEOUT_MS: '15000' } })

    /** Another transaction that locks the attempt before its delivery. False: it was aborted itself. */
    const cross = async () => {
      const { tx, end } = await begin()
      await tx.query('select from webhook_attempts where webhook_id = $1 for update', [id])
      answer()
      await untilWaiting('retry_after_ms')
      try {
        await tx.query('select from webhook_deliveries where webhook_id = $1 for update', [id])
      } catch (error) {
        expect(error).toMatchObject({ code: '40P01' })
        return false
      } finally {
        await end().catch(() => {})
      }
      return true
    }
    let events = 0
    for (let isBrokenOff = false; !isBrokenOff; ) {
      await endJobs(database, accountId)
      events += 1
      await receiver.until(events)
      await until(async () => (await attemptsOf(database, id)).every(({ sent_at }) => sent_at !== null))
      isBrokenOff = await cross()
      await until(async () => (await statesOf(database, id)).delivered === events, 'it to be recorded')
    }
    expect(await attemptsOf(database, id)).toMatchObject(
      Array(events).fill({ attempt: 1, status_code: 200, delivered: true, response_preview: 'taken' }),
    )
    expect(receiver.events).toHaveLength(events)
  })
})
