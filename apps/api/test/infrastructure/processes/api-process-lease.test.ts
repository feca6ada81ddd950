// The processes that may serve calls on one database.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type ApiProcessLease,
  type ApiProcessLeaseOptions,
  joinProcesses,
} from '../../../src/infrastructure/processes/api-process-lease.ts'
import { identifyThisProcess, isKnownDead } from '../../../src/infrastructure/processes/process-identity.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { createMemoryLimits } from '../../../src/money/limits/in-memory.ts'
import { LimitsUnavailable } from '../../../src/money/limits/limits.ts'
import { spawnServer, startServer, wordsOf } from '../../process/start/server-process.ts'
import { startProcess } from '../../setup/child-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { callerOf, log, until } from './members.ts'

const testDatabase = withTestDatabase()
const patient = { signal: new AbortController().signal }

async function join(
  countsIn: 'memory' | 'store',
  options: Partial<ApiProcessLeaseOptions> = {},
): Promise<ApiProcessLease> {
  const { database } = testDatabase
  const processLease = await joinProcesses({ database, log, countsIn, waitTimeoutMs: 300, ...options })
  onTestFinished(() => processLease.leave())
  return processLease
}

/** Replaces the lease, as if it had expired and another process had taken over. Returns a function that ends the other lease. */
async function supplant(processLease: ApiProcessLease): Promise<() => Promise<void>> {
  const other = randomUUID()
  const { database } = testDatabase
  await database.query('delete from api_processes where token = $1', [processLease.token])
  const elsewhere = { ...identifyThisProcess(), host: 'elsewhere', realm: null }
  await database.query("insert into api_processes values ($1, 'memory', $2, now() + interval '1 hour')", [
    other,
    JSON.stringify(elsewhere),
  ])
  return async () => void (await database.query('delete from api_processes where token = $1', [other]))
}

describe('an API process that counts calls in its memory', () => {
  it('prevents every other API process from starting until it stops', async () => {
    const first = await join('memory')
    expect(first.held).toBe(true)
    await expect(join('memory')).rejects.toThrow(/^Another server \(process \d+ on .*\) .* VALKEY_URL/)
    await expect(join('store')).rejects.toThrow(/without VALKEY_URL/)
    await first.leave()
    expect(first.held).toBe(false)
    expect((await join('memory')).held).toBe(true)
  })

  it('cannot start beside processes that share a store', async () => {
    const first = await join('store')
    const second = await join('store')
    expect(await second.findOthers()).toEqual([first.token])
    await expect(join('memory')).rejects.toThrow(/Set the same VALKEY_URL here/)
  })

  it('is the only one, however many start together', async () => {
    const came = await Promise.allSettled(
      Array.from({ length: 8 }, () => join('memory', { waitTimeoutMs: 0 })),
    )
    expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('makes its successor wait until it has stopped', async () => {
    const first = await join('memory')
    const next = join('memory', { waitTimeoutMs: 15_000 })
    await sleep(300)
    await first.leave()
    expect((await next).held).toBe(true)
  })

  it('admits no call and loses its slots when its lease is lost, and recounts from the usage rows when it is renewed', async () => {
    const { database } = testDatabase
    const processLease = await join('memory', { leaseMs: 1000 })
    const limits = createMemoryLimits(database, { processLease })
    const { accountId, keyId } = await openAccount(database, {
      plan: 'custom',
      credits: 10,
      ratePerMinute: 3,
    })
    const principal = callerOf(keyId, accountId, 3)
    expect(await limits.windows.enter(principal, 'req_1')).toMatchObject({ admitted: true, remaining: 2 })
    const slot = await limits.queues.take(keyId, patient)

    const endOther = await supplant(processLease)
    await until(() => !processLease.held)
    expect([limits.available, slot.lost]).toEqual([false, true])
    await expect(limits.windows.enter(principal, 'req_2')).rejects.toThrow(LimitsUnavailable)
    await expect(limits.queues.take(keyId, patient)).rejects.toThrow(LimitsUnavailable)

    // The other process admitted three calls.
    await database.query(
      `insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, units, status_code, credits_charged, created_at)
        select $1, $2, 'req_elsewhere_' || n, '/v1/me', 'getAccount', 'account', 0, 200, 0, now() from generate_series(1, 3) n`,
      [accountId, keyId],
    )
    await endOther()
    await until(() => processLease.held)
    expect(slot.lost).toBe(true)
    slot.release()
    expect(await limits.windows.enter(principal, 'req_3')).toMatchObject({ admitted: false })
    expect((await limits.queues.take(keyId, patient)).lost).toBe(false)
  })

  it('treats its lease as lost when the database does not answer for the duration of the lease', async () => {
    const { database } = testDatabase
    let isAway = false
    const faulty = {
      ...database,
      query: (...asked: Parameters<typeof database.query>) =>
        isAway ? Promise.reject(new Error('away')) : database.query(...asked),
    } as typeof database
    const processLease = await join('memory', { leaseMs: 1000, database: faulty })
    isAway = true
    await until(() => !processLease.held)
    isAway = false
    await until(() => processLease.held)
    expect(processLease.losses).toBe(0)
  })
})

describe('the identity of a process', () => {
  it('proves that a process of this machine is dead, and never that one of another machine is', async () => {
    const self = identifyThisProcess()
    expect(isKnownDead(self)).toBe(false)
    expect(isKnownDead({ ...self, realm: 'another machine', pid: 1 })).toBe(false)
    if (self.realm === null) return
    const script = new URL('./sleep.ts', import.meta.url).pathname
    const child = startProcess(script)
    const [, identity] = await child.line(/^(\{.*\})$/)
    expect(isKnownDead(JSON.parse(identity!))).toBe(false)
    child.kill('SIGKILL')
    await child.exited
    expect(isKnownDead(JSON.parse(identity!))).toBe(true)
    // Another process may have its pid by now.
    expect(isKnownDead({ ...self, began: '1' })).toBe(true)
  })
})

describe('a second API process without VALKEY_URL', () => {
  it('is refused with a one-line error, and a killed first process does not delay its successor', async () => {
    const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
    const env = { DATABASE_URL: testDatabase.url, SECRETS_KEY, SAMPLE_DATA: 'off' }
    const first = await startServer(env)
    const second = spawnServer(env)
    expect(await second.exited).toEqual({ code: 1, signal: null })
    expect(second.out).toEqual([])
    expect(wordsOf(second)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^lotline: Another server \\(process ${first.pid} on .*\\) answers calls over this database already.*VALKEY_URL`,
        ),
      ),
    ])
    const { key } = await openAccount(testDatabase.database, { plan: 'custom', credits: 1, ratePerMinute: 9 })
    const me = () => fetch(`${first.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    expect((await me()).status).toBe(200)

    // Workers do not count calls.
    const worker = spawnServer({ ...env, ROLE: 'worker' })
    await worker.line(/works on jobs/)
    worker.kill('SIGTERM')
    await worker.exited

    first.kill('SIGKILL')
    await first.exited
    const successor = await startServer(env)
    expect(successor.lines.join('\n')).not.toContain('Waiting for')
    successor.kill('SIGTERM')
    expect((await successor.exited).code).toBe(0)
  })
})
