// Real processes that are killed while they deliver. The next process knows only what they left in the database.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { startProcess, type TestProcess } from '../../setup/child-process.ts'
import { attemptsOf, box, ENV, statesOf } from '../../setup/deliveries.ts'
import { type ReceivedEvent, startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const MAIN = join(import.meta.dirname, '../../../src/process/main.ts')
const IS_FULL = process.env.LOTLINE_FULL === '1'
const KILLS = IS_FULL ? 20 : 4
const EVENTS = 40

const testDatabase = withTestDatabase()

async function startWorker(env: Readonly<Record<string, string>> = {}): Promise<TestProcess> {
  const worker = startProcess(MAIN, [], {
    env: {
      ...ENV,
      WEBHOOK_TIMEOUT_MS: '10000',
      DATABASE_URL: testDatabase.url,
      ROLE: 'worker',
      PORT: '0',
      LOG_LEVEL: 'silent',
      SAMPLE_DATA: 'off',
      JOB_LEASE_MS: '600',
      ...env,
    },
  })
  await worker.line(/works on jobs/)
  return worker
}

async function kill(worker: TestProcess): Promise<void> {
  worker.kill('SIGKILL')
  await worker.exited
}

function byEvent(events: readonly ReceivedEvent[]): Map<string, ReceivedEvent[]> {
  const groups = new Map<string, ReceivedEvent[]>()
  for (const event of events) {
    const id = event.headers['webhook-id'] as string
    groups.set(id, [...(groups.get(id) ?? []), event])
  }
  return groups
}

describe('a killed sender', () => {
  it('that dies between the request and its record causes a repeat under the same id, as the next attempt', async () => {
    const { database } = testDatabase
    let isDeaf = true
    const receiver = await startReceiver((response) => {
      if (!isDeaf) response.writeHead(200).end('thanks')
    })
    const accountId = await makeAccount(database)
    const { id, secret } = await makeWebhook(database, box, accountId, receiver.url)
    await endJobs(database, accountId)

    const first = await startWorker()
    await receiver.until(1)
    // Killed before the note that it was sent is committed, the attempt would be repeated under its own number.
    const findSent = 'select 1 from webhook_attempts where webhook_id = $1 and sent_at is not null'
    await until(async () => (await database.query(findSent, [id])).rows.length === 1)
    await kill(first)
    isDeaf = false
    const second = await startWorker()
    await until(async () => (await statesOf(database, id)).delivered === 1)
    second.kill('SIGTERM')
    expect(await second.exited).toMatchObject({ code: 0 })

    expect(receiver.events).toHaveLength(2)
    expect(byEvent(receiver.events).size).toBe(1)
    for (const [index, event] of receiver.events.entries()) {
      expect(event.headers['webhook-attempt']).toBe(String(index + 1))
      new Webhook(secret).verify(event.body, event.headers as Record<string, string>)
    }
    expect(await attemptsOf(database, id)).toMatchObject([
      { attempt: 1, delivered: false, error: 'The sender was interrupted before it had an answer.' },
      { attempt: 2, delivered: true, status_code: 200, error: null },
    ])
  })

  it(`loses no event at any moment, over ${KILLS} kills: each arrives in 1 to 3 attempts under one id`, async () => {
    const { database } = testDatabase
    const receiver = await startReceiver(
      (response) => void setTimeout(() => response.writeHead(204).end(), 5),
    )
    const accountId = await makeAccount(database)
    const webhooks = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        makeWebhook(database, box, accountId, `${receiver.url}/${index}`),
      ),
    )
    for (let round = 0; round < KILLS; round++) {
      const worker = await startWorker()
      const before = receiver.events.length
      await endJobs(database, accountId, EVENTS / 4)
      await until(() => receiver.events.length > before)
      // Another moment each time: first, middle and last of what is under way.
      await sleep(round * 3)
      await kill(worker)
    }
    const last = await startWorker()
    const isOver = async () => {
      const { rows } = await database.query<{ open: number }>(
        `select count(*) as open from webhook_deliveries where state not in ('delivered', 'dropped')`,
      )
      return rows[0]!.open === 0
    }
    await until(isOver, 'all deliveries to be over', 40_000)
    last.kill('SIGTERM')
    await last.exited

    const events = (KILLS * EVENTS) / 4
    for (const [index, { id }] of webhooks.entries()) {
      const received = byEvent(receiver.events.filter(({ path }) => path === `/${index}`))
      expect(received.size).toBe(events)
      for (const requests of received.values()) {
        const attempts = requests.map(({ headers }) => Number(headers['webhook-attempt']))
        expect(Math.min(...attempts)).toBeGreaterThanOrEqual(1)
        expect(Math.max(...attempts)).toBeLessThanOrEqual(3)
      }
      const { delivered = 0, dropped = 0 } = await statesOf(database, id)
      expect(delivered + dropped).toBe(events)
      for (const { attempt, ended_at } of await attemptsOf(database, id)) {
        expect(attempt).toBeLessThanOrEqual(3)
        expect(ended_at).not.toBeNull()
      }
    }
  })
})

describe('a stopped sender', () => {
  it('finishes what was sent, returns the rest immediately, and loses nothing', async () => {
    const { database } = testDatabase
    const receiver = await startReceiver(
      (response) => void setTimeout(() => response.writeHead(204).end(), 300),
    )
    const accountId = await makeAccount(database)
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    // A lease that would last: whatever the next worker sends was given back.
    const worker = await startWorker({ JOB_LEASE_MS: '600000' })
    await endJobs(database, accountId, 50)
    await receiver.until(10)
    worker.kill('SIGTERM')
    expect(await worker.exited).toMatchObject({ code: 0 })
    const { sending = 0, delivered = 0 } = await statesOf(database, id)
    expect([sending, delivered]).toEqual([0, receiver.events.length])
    const next = await startWorker({ JOB_LEASE_MS: '600000' })
    await until(async () => (await statesOf(database, id)).delivered === 50)
    next.kill('SIGTERM')
    await next.exited
    expect(receiver.events).toHaveLength(50)
    expect((await attemptsOf(database, id)).every(({ attempt }) => attempt === 1)).toBe(true)
  })
})
