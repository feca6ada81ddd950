// Many jobs of some accounts beside one job of another, over a provider that takes a second for each query.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { PlanId } from '../../../src/money/accounts/plans.ts'
import { createTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer } from '../../setup/test-server.ts'
import { expectWholeRows, getJob, homeUrl, startJob, until, untilEnded } from './job-calls.ts'
import { createListProvider } from './list-provider.ts'
import { HOMES, SAMPLE } from './sample-homes.ts'

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** `jobsAtATime`: places for jobs in the one process that works. */
async function startServer(jobsAtATime?: number) {
  const { database, drop } = await createTestDatabase()
  cleanUps.push(drop)
  const provider = createListProvider(SAMPLE)
  const parts = { provider, ...(jobsAtATime !== undefined && { jobsAtATime }) }
  const server = await startTestServer({ database }, { parts })
  cleanUps.push(() => server.close())
  const running = server.app.jobs.start({ work: true })
  cleanUps.push(() => running.stop())
  return { server, provider, database }
}

/** Entries unknown to the provider, each in only one job. */
function misses(count: number): { addresses: string[] } {
  return { addresses: Array.from({ length: count }, () => `${++missing} Nowhere Ave, Seattle, WA 98101`) }
}
let missing = 0

async function startMany(
  server: TestServer,
  accounts: number,
  jobs: number,
  entries: number,
  plan: PlanId = 'custom',
) {
  const keys: string[] = []
  const ids: string[] = []
  for (let at = 0; at < accounts; at++) {
    const { key } = await server.openAccount({ plan, credits: 1_000_000 })
    keys.push(key)
    for (let job = 0; job < jobs; job++)
      ids.push((await startJob(server, '/v1/properties/batch', misses(entries), { key })).id)
  }
  return { keys, ids }
}

// The failed lookups of a free account are few for each minute, those of the other plan keep all places busy.
describe.each(['free', 'custom'] as const)(
  '10 accounts of the plan %s with 4 batches of 500 misses each, at 1 s a miss',
  (plan) => {
    it('delay the batch of a paying account by less than 2 s, and its synchronous calls hardly at all', async () => {
      const { server, provider, database } = await startServer()
      provider.before = () => sleep(1_000)
      await startMany(server, 10, 4, 500, plan)
      await until(
        async () => provider.asked.length,
        (asked) => asked > 100,
      )
      const { key } = await server.openAccount({ plan: 'monthly' })
      const { id } = await startJob(
        server,
        '/v1/properties/batch',
        { urls: [homeUrl(HOMES[0]!.zpid)] },
        { key },
      )
      await until(
        async () => (await getJob(server, key, id)).started_at,
        (startedAt) => startedAt !== null,
      )
      const { rows } = await database.query<{ ms: number }>(
        `select extract(epoch from started_at - created_at)::float8 * 1000 as ms from jobs where id = $1`,
        [id],
      )
      expect(rows[0]!.ms).toBeLessThan(2_000)
      expect(await untilEnded(server, key, id, 10_000)).toMatchObject({
        status: 'succeeded',
        result_count: 1,
      })
      const answer = await server.get(`/v1/properties/${HOMES[1]!.zpid}`, { key })
      expect(answer.status, answer.text).toBe(200)
      const open = await database.query<{ open: number }>(
        `select count(*)::integer as open from jobs where completed_at is null`,
      )
      expect(open.rows[0]!.open).toBe(40)
    }, 60_000)
  },
)

describe('when all worker places are occupied', () => {
  it('an account with four running jobs gives one of its places to another account', async () => {
    const { server, provider } = await startServer(4)
    provider.before = () => sleep(200)
    const { keys, ids } = await startMany(server, 1, 4, 500)
    await until(
      async () => provider.asked.length,
      (asked) => asked > 64,
    )
    const { key } = await server.openAccount()
    const { id } = await startJob(
      server,
      '/v1/properties/batch',
      { urls: [homeUrl(HOMES[0]!.zpid)] },
      { key },
    )
    expect(await untilEnded(server, key, id, 10_000)).toMatchObject({ status: 'succeeded', result_count: 1 })
    for (const other of ids)
      expect(await getJob(server, keys[0]!, other)).toMatchObject({ completed_at: null })
  })

  it('accounts take turns, and every job finishes with each entry done once', async () => {
    const { server, provider, database } = await startServer(2)
    provider.before = () => sleep(100)
    const jobs: { key: string; id: string }[] = []
    const urls = HOMES.slice(0, 3).map(({ zpid }) => homeUrl(zpid))
    for (let account = 0; account < 5; account++) {
      const { key } = await server.openAccount()
      const body = { urls, ...misses(300) }
      jobs.push({ key, id: (await startJob(server, '/v1/properties/batch', body, { key })).id })
    }
    // All five are under way before the first of them has ended.
    await until(
      async () => Promise.all(jobs.map(({ key, id }) => getJob(server, key, id))),
      (found) => {
        if (found.every(({ progress }) => progress.done > 0)) return true
        expect(found.filter(({ completed_at }) => completed_at !== null)).toEqual([])
        return false
      },
    )
    for (const { key, id } of jobs) {
      const job = await untilEnded(server, key, id, 60_000)
      expect(job).toMatchObject({
        status: 'succeeded',
        result_count: 3,
        failure_count: 300,
        credits_charged: 3,
      })
      await expectWholeRows(database, id, 3)
    }
    const { rows } = await database.query<{ crashes: number; failures: number }>(
      `select (select sum(crashes)::integer from jobs) as crashes,
         (select count(distinct (job_id, position))::integer from job_failures) as failures`,
    )
    expect(rows[0]).toEqual({ crashes: 0, failures: 1_500 })
  }, 120_000)
})
