// Windows and queues in a real Redis that three processes share. shared-limits.ts has the tests that apply to any store.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { callerOf, openMember, withMembers } from './members.ts'
import { lookAt, testSharedLimits } from './shared-limits.ts'
import { type StoreProcess, startStore, storeProgram } from './store-process.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })
const patient = { signal: new AbortController().signal }
/** The script and its commands: TIME, HMGET, ZSCORE, ZADD, ZREMRANGEBYSCORE, PEXPIRE. */
const COMMANDS_OF_BEAT = 7
/** LINDEX, ZSCORE, PEXPIRE. */
const COMMANDS_OF_WATCHED_KEY = 3

describe.skipIf(!storeProgram)('limits that three processes share', () => {
  let store: StoreProcess
  beforeAll(async () => {
    store = await startStore()
  })
  afterAll(() => store?.close())

  const members = (work: Parameters<typeof withMembers>[1]) =>
    withMembers({ database: testDatabase.database, url: store.url, count: 3 }, work)

  testSharedLimits(testDatabase, () => ({
    url: store.url,
    lookAt: () => lookAt(store.client),
    flush: async () => void (await store.client.flushall()),
    freeze: () => store.kill('SIGSTOP'),
    thaw: () => store.kill('SIGCONT'),
    async stop() {
      await store.client.save()
      await store.stop()
    },
    start: () => store.start(),
  }))

  it('use at most 8 commands and 2 round trips per call, also for concurrent calls', async () => {
    await members(async ([first]) => {
      const callers = Array.from({ length: 50 }, () => callerOf(randomUUID(), randomUUID(), 1_000))
      async function call(principal: (typeof callers)[number], request: string): Promise<void> {
        await first!.windows.enter(principal, request)
        const slot = await first!.queues.take(principal.keyId, patient)
        slot.release()
      }
      /** Commands in the store during calls: all of them including those in scripts, and those that were sent. */
      async function commandsOf(calls: number, work: () => Promise<void>) {
        await store.client.config('RESETSTAT')
        await work()
        const stats = await store.client.info('commandstats')
        const counts = new Map<string, number>()
        for (const [, name, count] of stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) {
          counts.set(name!, Number(count))
        }
        // Three processes send a heartbeat every half second, which uses the only other commands.
        const beats = counts.get('zremrangebyscore') ?? 0
        // A heartbeat checks each key whose ticket has no response yet.
        const lookedAfter = counts.get('lindex') ?? 0
        const ofBeats = beats * COMMANDS_OF_BEAT + lookedAfter * COMMANDS_OF_WATCHED_KEY
        const ofTest = 2
        const sum = [...counts.values()].reduce((sum, count) => sum + count, 0)
        return {
          all: (sum - ofBeats - ofTest) / calls,
          scripts: ((counts.get('evalsha') ?? 0) - beats) / calls,
        }
      }
      for (const [at, principal] of callers.entries()) await call(principal, `req_first_${at}`)
      const alone = await commandsOf(200, async () => {
        for (let at = 0; at < 200; at++) await call(callers[at % 50]!, `req_alone_${at}`)
      })
      const together = await commandsOf(1_000, async () => {
        for (let round = 0; round < 20; round++)
          await Promise.all(callers.map((principal, at) => call(principal, `req_together_${round}_${at}`)))
      })
      // A heartbeat may be counted partly: its commands are few beside those of hundreds of calls.
      expect(alone.all).toBeLessThan(8.1)
      // Counted, and released without waiting. The ticket is a plain command in between.
      expect(alone.scripts).toBeLessThan(2.1)
      expect(together.all).toBeLessThan(8.1)
    })
  })

  it('fail immediately with a wrong store password, and the error does not show it', async () => {
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

  it('do not start beside a process that uses another store', async () => {
    const other = await startStore()
    try {
      await members(async () => {
        await expect(
          openMember({ database: testDatabase.database, url: other.url, waitTimeoutMs: 500 }),
        ).rejects.toThrow(/3 other API processes of this database do not use the store.*VALKEY_URL/)
      })
    } finally {
      await other.close()
    }
  })
})
