// Jobs start soon, with or without a notification, and the many jobs of one account do not delay another account's job.

import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import type { Interval } from '../../../src/infrastructure/platform/interval.ts'
import type { RunningJobs } from '../../../src/work/jobs/jobs.ts'
import { startRemovingExpired } from '../../../src/work/retention/remove-expired.ts'
import { type BreakableDatabase, createBreakableDatabase } from '../../setup/breakable-database.ts'
import { createTestDatabase } from '../../setup/test-database.ts'
import { startTestServer } from '../../setup/test-server.ts'
import { getJob, homeUrl, startJob, until, untilEnded } from './job-calls.ts'
import { createListProvider } from './list-provider.ts'
import { HOMES, SAMPLE } from './sample-homes.ts'

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function startServer(
  options: { env?: Record<string, string>; database?: (database: Database) => Database } = {},
) {
  const { database, drop } = await createTestDatabase()
  cleanUps.push(drop)
  const provider = createListProvider(SAMPLE)
  const server = await startTestServer(
    { database: options.database?.(database) ?? database },
    { parts: { provider }, env: options.env ?? {} },
  )
  cleanUps.push(() => server.close())
  const start = (work: boolean): RunningJobs => {
    const running = server.app.jobs.start({ work })
    cleanUps.push(() => running.stop())
    return running
  }
  return { server, provider, database, start }
}

const urls = [homeUrl(HOMES[0]!.zpid)]

describe('without a notification', () => {
  it('a job is still found by polling', async () => {
    const { server, start } = await startServer({
      // A listener that never comes about, as behind some poolers.
      database: (database) => ({ ...database, listen: () => new Promise(() => {}) }),
    })
    start(true)
    const { key } = await server.openAccount()
    for (let round = 0; round < 3; round++) {
      await sleep(Math.random() * 900)
      const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key })
      await untilEnded(server, key, id, 5_000)
    }
  })
})

describe('many jobs of one account', () => {
  it("do not delay another account's job", async () => {
    const { server, provider, start } = await startServer()
    provider.before = () => sleep(60)
    const [greedy, modest] = [await server.openAccount({ credits: 10_000 }), await server.openAccount()]
    const many: string[] = []
    for (let at = 0; at < 40; at++) {
      const body = { addresses: [`${at + 1} Main St, Seattle, WA 98101`] }
      many.push((await startJob(server, '/v1/properties/batch', body, greedy)).id)
    }
    start(true)
    await until(
      async () => (await getJob(server, greedy.key, many[0]!)).status,
      (status) => status !== 'queued',
    )
    const { id } = await startJob(server, '/v1/properties/batch', { urls }, modest)
    await untilEnded(server, modest.key, id)
    const { json } = await server.get('/v1/jobs?status=queued&limit=500', { key: greedy.key })
    expect(json.data.length).toBeGreaterThan(15)
  })

  it('run at most four at a time', async () => {
    const { server, provider, database, start } = await startServer()
    provider.before = () => sleep(20)
    const account = await server.openAccount({ credits: 10_000 })
    const ids: string[] = []
    for (let at = 0; at < 15; at++) {
      const body = { addresses: [`${at + 1} Main St, Seattle, WA 98101`] }
      ids.push((await startJob(server, '/v1/properties/batch', body, account)).id)
    }
    start(true)
    start(true)
    let most = 0
    await until(
      async () => {
        const { rows } = await database.query<{ running: number; left: number }>(
          `select count(*) filter (where lease_token is not null) as running,
             count(*) filter (where completed_at is null) as left from jobs`,
        )
        most = Math.max(most, rows[0]!.running)
        return rows[0]!.left
      },
      (left) => left === 0,
    )
    expect(most).toBe(4)
  })
})

describe('an overdue job', () => {
  it('times out without a live worker, and is free', async () => {
    const { server, start } = await startServer({ env: { JOB_TIMEOUT_MS: '300' } })
    start(false)
    const { key } = await server.openAccount({ credits: 100 })
    const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'timed_out',
      error: { code: 'timed_out' },
      started_at: null,
      result_count: null,
      credits_held: 0,
      credits_charged: 0,
    })
    expect((await server.get('/v1/me', { key })).json.data.credits).toMatchObject({ balance: 100, held: 0 })
    const results = await server.get(`/v1/jobs/${id}/results`, { key })
    expect([results.status, results.code]).toEqual([409, 'job_not_ready'])
  })

  it("times out during its worker's run, which then queries and writes nothing more", async () => {
    const { server, provider, start } = await startServer({
      env: { JOB_TIMEOUT_MS: '500', JOB_LEASE_MS: '300' },
    })
    provider.before = () => sleep(100)
    start(true)
    const { key } = await server.openAccount()
    const addresses = Array.from({ length: 400 }, (_, at) => `${at + 1} Main St, Seattle, WA 98101`)
    const { id } = await startJob(server, '/v1/properties/batch', { addresses }, { key })
    const job = await untilEnded(server, key, id)
    expect(job).toMatchObject({ status: 'timed_out', started_at: expect.any(String) })
    expect(job.progress.done).toBeLessThan(400)
    await sleep(600)
    const asked = provider.asked.length
    await sleep(400)
    expect(provider.asked.length).toBe(asked)
    expect(await getJob(server, key, id)).toEqual(job)
  })
})

it('times out in time although many expired rows wait for deletion', async () => {
  const { server, database, start } = await startServer({ env: { JOB_TIMEOUT_MS: '300' } })
  const { key } = await server.openAccount()
  const sweeper = start(false)
  const { id: old } = await startJob(server, '/v1/properties/batch', { urls }, { key })
  await untilEnded(server, key, old)
  await sweeper.stop()
  await database.query(`update jobs set completed_at = now() - interval '31 days' where id = $1`, [old])
  const removals = async () => {
    const { rows } = await database.query<{ pid: number; query_start: Date }>(
      `select pid, query_start from pg_stat_activity
       where wait_event_type = 'Lock' and query like '%delete from jobs %'`,
    )
    return rows
  }
  let removing: Interval | undefined
  await database.transaction(async (tx) => {
    // The removal waits as long as this transaction lasts.
    await tx.query('select from jobs where id = $1 for update', [old])
    removing = startRemovingExpired(database, pino({ level: 'silent' }), 100)
    start(false)
    const begun = await until(removals, (waiting) => waiting.length > 0)
    const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ status: 'timed_out' })
    expect(await removals()).toEqual(begun)
  })
  await removing?.stop()
})

it('a database outage longer than a lease delays a job, but does not count as a lost worker', async () => {
  let breakable: BreakableDatabase | undefined
  const { server, provider, database, start } = await startServer({
    env: { JOB_LEASE_MS: '2000' },
    database: (whole) => (breakable = createBreakableDatabase(() => whole)),
  })
  provider.before = () => sleep(20)
  start(true)
  const { key } = await server.openAccount()
  const addresses = Array.from({ length: 400 }, (_, at) => `${at + 1} Main St, Seattle, WA 98101`)
  const { id } = await startJob(server, '/v1/properties/batch', { addresses }, { key })
  const job = async () => {
    const { rows } = await database.query<{ is_over: boolean | null; done: number; crashes: number }>(
      'select lease_until < now() as is_over, progress_done as done, crashes from jobs where id = $1',
      [id],
    )
    return rows[0]!
  }
  await until(job, ({ done }) => done > 0)
  breakable!.fault = () => new DatabaseUnavailable('away')
  await until(job, ({ is_over }) => is_over === true)
  // By then the worker has let go of the job.
  await sleep(1_000)
  breakable!.fault = undefined
  expect(await untilEnded(server, key, id)).toMatchObject({ status: 'succeeded', failure_count: 400 })
  expect(await job()).toMatchObject({ crashes: 0 })
})
