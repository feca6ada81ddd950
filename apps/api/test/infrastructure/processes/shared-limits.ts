// Tests of windows and queues for three processes that share a store.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { LimitsUnavailable } from '../../../src/money/limits/limits.ts'
import { storeKeys } from '../../../src/money/limits/store/store-keys.ts'
import type { TestDatabase } from '../../setup/test-database.ts'
import { callerOf, until, withMembers } from './members.ts'

/** A store that tests can inspect and disturb. */
export interface TestedStore {
  readonly url: string
  /** The name and the account of an API key. */
  lookAt(keyId: string): Promise<{ readonly client: Redis; readonly epoch: string }>
  flush(): Promise<void>
  freeze(): void
  thaw(): void
  /** Stops it after it has saved its data. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** The keys of this server. */
export async function lookAt(client: Redis) {
  return { client, epoch: (await client.hget(storeKeys.epoch, 'id')) ?? '' }
}

/** The first element of a queue's list. */
const MARK = 1
const patient = { signal: new AbortController().signal }

export function testSharedLimits(testDatabase: TestDatabase, findStore: () => TestedStore): void {
  const store: TestedStore = {
    get url() {
      return findStore().url
    },
    lookAt: (keyId) => findStore().lookAt(keyId),
    flush: () => findStore().flush(),
    freeze: () => findStore().freeze(),
    thaw: () => findStore().thaw(),
    stop: () => findStore().stop(),
    start: () => findStore().start(),
  }
  const members = (work: Parameters<typeof withMembers>[1], windowMs?: number) =>
    withMembers(
      { database: testDatabase.database, url: store.url, count: 3, ...(windowMs && { windowMs }) },
      work,
    )

  /** All stored admissions of a key, in microseconds, in order. */
  async function admissionsOf(keyId: string): Promise<number[]> {
    const { client, epoch } = await store.lookAt(keyId)
    const ring = await client.hgetall(storeKeys.window(epoch, keyId))
    const admissions = Object.entries(ring).filter(([field]) => Number(field) >= Number(ring.h))
    return admissions.map(([, entry]) => Number.parseInt(entry, 10)).sort((a, b) => a - b)
  }

  it('admit exactly the limit over all processes', async () => {
    await members(async (processes) => {
      const principal = callerOf(randomUUID(), randomUUID(), 50)
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, call) =>
          processes[call % 3]!.windows.enter(principal, `req_${call}`),
        ),
      )
      const admitted = answers.filter((answer) => answer.admitted)
      expect(admitted).toHaveLength(50)
      expect(admitted.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, left) => left),
      )
      for (const { admitted, remaining, resetMs } of answers) {
        if (!admitted) expect(remaining).toBe(0)
        expect(resetMs).toBeGreaterThan(50_000)
        expect(resetMs).toBeLessThanOrEqual(60_000)
      }
    })
  })

  it('use an exact sliding window, to the microsecond', async () => {
    const windowMs = 400
    const limit = 7
    await members(async (processes) => {
      const principal = callerOf(randomUUID(), randomUUID(), limit)
      const admissions: number[] = []
      let refused = 0
      let call = 0
      const end = performance.now() + 2500
      await Promise.all(
        processes.map(async ({ windows }) => {
          while (performance.now() < end) {
            const { admitted, resetMs } = await windows.enter(principal, `req_${++call}`)
            if (!admitted) refused++
            expect(resetMs).toBeLessThanOrEqual(windowMs)
            for (const at of await admissionsOf(principal.keyId))
              if (!admissions.includes(at)) admissions.push(at)
            await sleep(call % 9)
          }
        }),
      )
      admissions.sort((a, b) => a - b)
      expect(refused).toBeGreaterThan(50)
      // The maximum, minus one window at the end and the pauses of the loop.
      expect(admissions.length).toBeGreaterThan(limit * 4)
      for (let at = limit; at < admissions.length; at++) {
        expect(admissions[at]! - admissions[at - limit]!).toBeGreaterThanOrEqual(windowMs * 1000)
      }
    }, windowMs)
  })

  it('return when the next call is admitted, and admit it then', async () => {
    await members(async ([first, second]) => {
      const principal = callerOf(randomUUID(), randomUUID(), 2)
      await first!.windows.enter(principal, 'req_1')
      await second!.windows.enter(principal, 'req_2')
      const { admitted, resetMs } = await first!.windows.enter(principal, 'req_3')
      expect(admitted).toBe(false)
      expect((await second!.windows.look(principal)).admitted).toBe(false)
      await sleep(resetMs + 2)
      expect((await second!.windows.look(principal)).admitted).toBe(true)
      expect((await first!.windows.enter(principal, 'req_4')).admitted).toBe(true)
    }, 300)
  })

  it('apply a higher or lower limit immediately', async () => {
    await members(async ([first, second]) => {
      const [keyId, accountId] = [randomUUID(), randomUUID()]
      for (let call = 0; call < 5; call++)
        await first!.windows.enter(callerOf(keyId, accountId, 5), `req_${call}`)
      expect((await second!.windows.enter(callerOf(keyId, accountId, 5), 'req_5')).admitted).toBe(false)
      expect((await second!.windows.enter(callerOf(keyId, accountId, 6), 'req_6')).admitted).toBe(true)
      expect(await second!.windows.enter(callerOf(keyId, accountId, 2), 'req_7')).toMatchObject({
        admitted: false,
        remaining: 0,
        limit: 2,
      })
    })
  })

  it('run one call of a key at a time over all processes, in order of arrival', async () => {
    await members(async (processes) => {
      const keyId = randomUUID()
      const order: number[] = []
      let inFlight = 0
      const calls: Promise<void>[] = []
      for (let call = 0; call < 150; call++) {
        const { queues } = processes[call % 3]!
        calls.push(
          queues.take(keyId, patient).then(async (slot) => {
            expect(++inFlight).toBe(1)
            expect(slot.lost).toBe(false)
            order.push(call)
            await Promise.resolve()
            inFlight--
            slot.release()
          }),
        )
        // Arrival is arrival at the store: the next one comes when this one is there.
        await until(async () => (await ticketsOf(keyId)) > 0 || order.includes(call))
        await (await store.lookAt(keyId)).client.ping()
        if (call === 0) await sleep(20)
      }
      await Promise.all(calls)
      expect(order).toEqual(Array.from({ length: 150 }, (_, call) => call))
      expect(processes.map(({ queues }) => queues.size)).toEqual([0, 0, 0])
    })
  })

  async function ticketsOf(keyId: string): Promise<number> {
    const { client, epoch } = await store.lookAt(keyId)
    const listed = await client.llen(storeKeys.queue(epoch, keyId))
    return Math.max(0, listed - MARK)
  }

  it('never lose a call and never run two, with random cancellations', async () => {
    await members(async (processes) => {
      const keyId = randomUUID()
      const gate = await processes[0]!.queues.take(keyId, patient)
      const order: number[] = []
      let inFlight = 0
      const calls = []
      for (let call = 0; call < 60; call++) {
        const leaving = new AbortController()
        const done = processes[call % 3]!.queues.take(keyId, leaving).then(
          async (slot) => {
            expect(++inFlight).toBe(1)
            order.push(call)
            await sleep(1)
            inFlight--
            slot.release()
          },
          (error) => expect(error.message).toBe('gone'),
        )
        await until(async () => (await ticketsOf(keyId)) === call + 2)
        calls.push({ leaving, done })
      }
      const leavers = calls.filter((_, call) => call % 5 < 2)
      for (const { leaving } of leavers) leaving.abort(new Error('gone'))
      gate.release()
      await Promise.all(calls.map(({ done }) => done))
      expect(order).toEqual(Array.from({ length: 60 }, (_, call) => call).filter((call) => call % 5 >= 2))
      await until(async () => (await ticketsOf(keyId)) === 0)
      expect(processes.map(({ queues }) => queues.size)).toEqual([0, 0, 0])
    })
  })

  it('survive a flush of the store: slots and queues are kept, and windows are restored', async () => {
    await members(async (processes) => {
      const account = await openRecordedAccount(4)
      const [first, second, third] = processes
      const principal = callerOf(account.keyId, account.accountId, 6)
      // The database has four; one more is in flight without a usage row.
      expect(await first!.windows.enter(principal, 'req_in_flight')).toMatchObject({
        admitted: true,
        remaining: 1,
      })
      const slot = await first!.queues.take(account.keyId, patient)
      const order: number[] = []
      const waiters = []
      for (const [call, { queues }] of [third!, second!].entries()) {
        waiters.push(
          queues.take(account.keyId, patient).then((taken) => {
            order.push(call)
            taken.release()
          }),
        )
        await until(async () => (await ticketsOf(account.keyId)) === call + 2)
      }
      await store.flush()
      const late = second!.queues.take(account.keyId, patient).then((taken) => {
        order.push(2)
        taken.release()
      })
      // Four of the database and one in flight were not forgotten: there is room for one of six.
      expect(await second!.windows.enter(principal, 'req_a')).toMatchObject({ admitted: true, remaining: 0 })
      expect(await third!.windows.enter(principal, 'req_b')).toMatchObject({ admitted: false, remaining: 0 })
      await sleep(700)
      expect(order).toEqual([])
      expect(slot.lost).toBe(false)
      slot.release()
      await Promise.all([...waiters, late])
      expect(order).toEqual([0, 1, 2])
    })
  })

  /** An account with `calls` usage rows in the last minute. */
  async function openRecordedAccount(calls: number) {
    const [accountId, keyId] = [randomUUID(), randomUUID()]
    await testDatabase.database.query(
      `insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, units, status_code, credits_charged, created_at)
        select $1, $2, 'req_recorded_' || n, '/v1/me', 'getAccount', 'account', 0, 200, 0, now() - n * interval '1 second'
        from generate_series(1, $3::integer) n`,
      [accountId, keyId, calls],
    )
    return { accountId, keyId }
  }

  it('refuse calls within a bounded time while the store is down, and recover by themselves', async () => {
    await members(async ([first, second]) => {
      const principal = callerOf(randomUUID(), randomUUID(), 100)
      expect((await first!.windows.enter(principal, 'req_1')).admitted).toBe(true)
      for (const outage of ['hangs', 'is gone'] as const) {
        const slot = await first!.queues.take(principal.keyId, patient)
        const waiting = second!.queues.take(principal.keyId, patient)
        waiting.catch(() => {})
        await until(async () => (await ticketsOf(principal.keyId)) === 2)
        if (outage === 'hangs') store.freeze()
        else {
          // The store returns with outdated data.
          await store.stop()
        }
        await expect(first!.windows.enter(principal, `req_${outage}`)).rejects.toThrow(LimitsUnavailable)
        await expect(second!.queues.take(principal.keyId, patient)).rejects.toThrow(LimitsUnavailable)
        // Waiting calls do not wait for a store that may never return.
        await expect(waiting).rejects.toThrow(LimitsUnavailable)
        await until(() => slot.lost)
        expect(first!.available).toBe(false)
        slot.release()

        if (outage === 'hangs') store.thaw()
        else await store.start()
        await until(() => first!.available && second!.available)
        const again = await second!.queues.take(principal.keyId, patient)
        expect(again.lost).toBe(false)
        again.release()
        expect((await first!.windows.enter(principal, `req_after_${outage}`)).admitted).toBe(true)
      }
      expect(first!.queues.size + second!.queues.size).toBe(0)
    })
  })
}
