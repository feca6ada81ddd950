// Windows and queues over a real Redis, as three processes see them.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LimitsUnavailable } from '../../src/limits/limits.ts'
import { STORE_PREFIX } from '../../src/limits/store/scripts.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { callerOf, openMember, until, withMembers } from './members.ts'
import { type StoreProcess, startStore, storeProgram } from './store-process.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })
const patient = { signal: new AbortController().signal }

describe.skipIf(!storeProgram)('traffic that three processes share', () => {
  let store: StoreProcess
  beforeAll(async () => {
    store = await startStore()
  })
  afterAll(() => store?.close())

  const members = (work: Parameters<typeof withMembers>[1], windowMs?: number) =>
    withMembers(
      { database: testDatabase.database, url: store.url, count: 3, ...(windowMs && { windowMs }) },
      work,
    )

  /** All admissions of a key that the store remembers, in microseconds, in order. */
  async function admissionsOf(keyId: string): Promise<number[]> {
    const epoch = await store.client.hget(`${STORE_PREFIX}epoch`, 'id')
    const ring = await store.client.hgetall(`${STORE_PREFIX}${epoch}:window:${keyId}`)
    const admissions = Object.entries(ring).filter(([field]) => Number(field) >= Number(ring.h))
    return admissions.map(([, entry]) => Number.parseInt(entry, 10)).sort((a, b) => a - b)
  }

  it('admits the limit and not one call more, whichever process is asked', async () => {
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

  it('has an exact window: the L-th latest admission is as old as the window, to the microsecond', async () => {
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
      // As many as fit, less one window's worth at the end and what the loop's own pauses cost.
      expect(admissions.length).toBeGreaterThan(limit * 4)
      for (let at = limit; at < admissions.length; at++) {
        expect(admissions[at]! - admissions[at - limit]!).toBeGreaterThanOrEqual(windowMs * 1000)
      }
    }, windowMs)
  })

  it('says when the next call is admitted, and admits it then', async () => {
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

  it('takes over a change of the limit at once, in both directions', async () => {
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

  it('has one call of a key in flight and admits the others in order of arrival, over all processes', async () => {
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
        await store.client.ping()
        if (call === 0) await sleep(20)
      }
      await Promise.all(calls)
      expect(order).toEqual(Array.from({ length: 150 }, (_, call) => call))
      expect(processes.map(({ queues }) => queues.size)).toEqual([0, 0, 0])
    })
  })

  async function ticketsOf(keyId: string): Promise<number> {
    const epoch = await store.client.hget(`${STORE_PREFIX}epoch`, 'id')
    return store.client.zcard(`${STORE_PREFIX}${epoch}:queue:${keyId}`)
  }

  it('never loses a call and never has two in flight, whoever gives up when', async () => {
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

  it('knows of a flush: slots are kept, waiters keep their order, no one else is let in, windows are built again', async () => {
    await members(async (processes) => {
      const account = await openRecordedAccount(4)
      const [first, second, third] = processes
      const principal = callerOf(account.keyId, account.accountId, 6)
      // The database remembers four; one more is in flight and has no usage row yet.
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
      await store.client.flushall()
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

  it('asks the store for at most 11 commands a call, and for 8 where calls come together', async () => {
    await members(async ([first]) => {
      const callers = Array.from({ length: 50 }, () => callerOf(randomUUID(), randomUUID(), 1_000))
      async function call(principal: (typeof callers)[number], request: string): Promise<void> {
        await first!.windows.enter(principal, request)
        const slot = await first!.queues.take(principal.keyId, patient)
        slot.release()
      }
      /** Commands of all kinds in the store, those within scripts too, while something is done. */
      async function commandsOf(work: () => Promise<void>): Promise<number> {
        await store.client.config('RESETSTAT')
        await work()
        ;(await first!.queues.take(randomUUID(), patient)).release()
        const stats = await store.client.info('commandstats')
        return [...stats.matchAll(/calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0)
      }
      for (const [at, principal] of callers.entries()) await call(principal, `req_first_${at}`)
      const alone = await commandsOf(async () => {
        for (let at = 0; at < 200; at++) await call(callers[at % 50]!, `req_alone_${at}`)
      })
      const together = await commandsOf(async () => {
        for (let round = 0; round < 20; round++)
          await Promise.all(callers.map((principal, at) => call(principal, `req_together_${round}_${at}`)))
      })
      // Besides, three processes say every half second that they live.
      expect(alone / 200).toBeLessThanOrEqual(11 + 3)
      expect(together / 1_000).toBeLessThanOrEqual(8)
    })
  })

  /** An account with so many usage rows of the last minute. */
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

  it('is refused while the store hangs or is gone, within a bound, and works again by itself', async () => {
    await members(async ([first, second]) => {
      const principal = callerOf(randomUUID(), randomUUID(), 100)
      expect((await first!.windows.enter(principal, 'req_1')).admitted).toBe(true)
      for (const outage of ['hangs', 'is gone'] as const) {
        const slot = await first!.queues.take(principal.keyId, patient)
        const waiting = second!.queues.take(principal.keyId, patient)
        waiting.catch(() => {})
        await until(async () => (await ticketsOf(principal.keyId)) === 2)
        if (outage === 'hangs') store.kill('SIGSTOP')
        else {
          // It will come back with what it knew, of which nothing is true any more.
          await store.client.save()
          await store.stop()
        }
        await expect(first!.windows.enter(principal, `req_${outage}`)).rejects.toThrow(LimitsUnavailable)
        await expect(second!.queues.take(principal.keyId, patient)).rejects.toThrow(LimitsUnavailable)
        // Who waits is not kept waiting for a store that may never come back.
        await expect(waiting).rejects.toThrow(LimitsUnavailable)
        await until(() => slot.lost)
        expect(first!.available).toBe(false)
        slot.release()

        if (outage === 'hangs') store.kill('SIGCONT')
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

  it('is refused by a store whose password is wrong, which is reported immediately without the password', async () => {
    const guarded = await startStore()
    try {
      await guarded.client.config('SET', 'requirepass', 'open-sesame-42')
      const url = guarded.url.replace('//', '//:hunter2@')
      const refused = openMember({ database: testDatabase.database, url })
      await expect(refused).rejects.toThrow(
        /^The store at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS .* Check VALKEY_URL/,
      )
      await expect(refused).rejects.not.toThrow(/hunter2/)
      const member = await openMember({
        database: testDatabase.database,
        url: guarded.url.replace('redis://', 'valkey://:open-sesame-42@'),
      })
      await member.close()
    } finally {
      await guarded.close()
    }
  })

  it('is not shared with processes that use another store: such a process is refused', async () => {
    const other = await startStore()
    try {
      await members(async () => {
        await expect(
          openMember({ database: testDatabase.database, url: other.url, patienceMs: 500 }),
        ).rejects.toThrow(/3 other API processes of this database do not use the store.*VALKEY_URL/)
      })
    } finally {
      await other.close()
    }
  })
})
