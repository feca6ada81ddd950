// Failed lookups: each account has the number of its plan for a minute and a day, over all its keys, calls, jobs, and processes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { plans } from '../../../src/money/accounts/plans.ts'
import type { RunningJobs } from '../../../src/work/jobs/jobs.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'
import { getJob, homeUrl, startJob, until, untilEnded } from '../../work/jobs/job-calls.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
// Two processes share only a database.
const one = withTestServer(testDatabase, { parts: { provider } })
const other = withTestServer(testDatabase, { parts: { provider } })

const FREE = plans.free
let next = 80_000_000
const unknownPath = () => `/v1/properties/${next++}`
const HOME = '/v1/properties/48749425'

const openFree = () => one.openAccount({ plan: 'free' })

/** Ends the current window of the account. */
async function endWindow(accountId: string, window: 'minute' | 'day'): Promise<void> {
  await testDatabase.database.query(
    `update budgets set ends_at = ends_at - interval '1 ${window}' where subject = $1 and seconds = $2`,
    [accountId, window === 'minute' ? 60 : 86_400],
  )
}

async function setDay(accountId: string, used: number): Promise<void> {
  await testDatabase.database.query('update budgets set taken = $2 where subject = $1 and seconds = 86400', [
    accountId,
    used,
  ])
}

const count = (answers: readonly TestResponse[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('lookups by calls of one account', () => {
  it('may fail as often in a minute as the plan allows, then get 429 without a provider query', async () => {
    const { key, accountId } = await openFree()
    const before = provider.asked
    for (let made = 0; made < FREE.failedLookupsPerMinute; made++)
      expect((await one.get(unknownPath(), { key })).status).toBe(404)
    const refused = await one.get(unknownPath(), { key })
    expect([refused.status, refused.code, refused.charged]).toEqual([429, 'lookup_budget_exceeded', 0])
    expect(refused.json.error.details).toEqual({
      plan: 'free',
      window: 'minute',
      limit: FREE.failedLookupsPerMinute,
    })
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThanOrEqual(2)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(provider.asked - before).toBe(FREE.failedLookupsPerMinute)
    // Another process, and one that has just started, also refuse.
    expect((await other.get(unknownPath(), { key })).code).toBe('lookup_budget_exceeded')
    expect(provider.asked - before).toBe(FREE.failedLookupsPerMinute)
    const { data } = (await one.get('/v1/me', { key })).json
    expect(data.limits).toMatchObject({
      failed_lookups_per_minute: { used: FREE.failedLookupsPerMinute, limit: FREE.failedLookupsPerMinute },
      failed_lookups_per_day: { used: FREE.failedLookupsPerMinute, limit: FREE.failedLookupsPerDay },
    })

    await endWindow(accountId, 'minute')
    expect((await one.get(unknownPath(), { key })).status).toBe(404)
  })

  it('with several keys in two processes together fail no more often than the plan allows', async () => {
    const account = await openFree()
    const keys = [account.key]
    for (let made = 0; made < 7; made++)
      keys.push((await issueKey(testDatabase.database, account.accountId)).key)
    const before = provider.asked
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        (at % 2 ? one : other).get(unknownPath(), { key: keys[at % keys.length]! }),
      ),
    )
    expect(count(answers, 404)).toBe(FREE.failedLookupsPerMinute)
    expect(count(answers, 429)).toBe(64 - FREE.failedLookupsPerMinute)
    expect(provider.asked - before).toBe(FREE.failedLookupsPerMinute)
  })

  it('are not limited if they succeed: only lookups that find nothing count', async () => {
    const { key, accountId } = await openFree()
    for (let made = 0; made < FREE.failedLookupsPerMinute + 5; made++) {
      await testDatabase.database.query('delete from cached_records')
      one.app.records.forget({ source: provider.name, zpid: '48749425' })
      expect((await one.get(HOME, { key })).status).toBe(200)
    }
    await one.app.budget.drain()
    const { rows } = await testDatabase.database.query(
      'select seconds, taken from budgets where subject = $1 order by seconds',
      [accountId],
    )
    expect(rows).toEqual([
      { seconds: 60, taken: 0 },
      { seconds: 86_400, taken: 0 },
    ])
  })

  it('of a remembered miss or a cached home are answered when the budget is used up', async () => {
    const { key } = await openFree()
    const known = unknownPath()
    expect((await one.get(known, { key })).status).toBe(404)
    expect((await one.get(HOME, { key })).status).toBe(200)
    for (let made = 1; made < FREE.failedLookupsPerMinute; made++) await one.get(unknownPath(), { key })
    expect((await one.get(unknownPath(), { key })).status).toBe(429)
    expect((await one.get(known, { key })).status).toBe(404)
    expect((await one.get(HOME, { key })).status).toBe(200)
  })

  it('may fail as often in a day as the plan allows, and are then refused with the time until the day ends', async () => {
    const { key, accountId } = await openFree()
    expect((await one.get(unknownPath(), { key })).status).toBe(404)
    await setDay(accountId, FREE.failedLookupsPerDay)
    const refused = await one.get(unknownPath(), { key })
    expect(refused.json.error.details).toEqual({
      plan: 'free',
      window: 'day',
      limit: FREE.failedLookupsPerDay,
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
    await endWindow(accountId, 'day')
    expect((await one.get(unknownPath(), { key })).status).toBe(404)
  })

  it('do not use the budget of another account', async () => {
    const [first, second] = [await openFree(), await openFree()]
    for (let made = 0; made <= FREE.failedLookupsPerMinute; made++)
      await one.get(unknownPath(), { key: first.key })
    expect((await one.get(unknownPath(), { key: first.key })).status).toBe(429)
    expect((await one.get(unknownPath(), { key: second.key })).status).toBe(404)
  })

  it('do not count if the provider failed', async () => {
    const { key, accountId } = await openFree()
    provider.trouble = () => Promise.reject(new Error('broken'))
    expect((await one.get(unknownPath(), { key })).status).toBe(500)
    provider.trouble = undefined
    await one.app.budget.drain()
    const { rows } = await testDatabase.database.query(
      'select taken from budgets where subject = $1 and seconds = 60',
      [accountId],
    )
    expect(rows).toEqual([{ taken: 0 }])
  })
})

describe('jobs of one account', () => {
  let running: RunningJobs[] = []
  beforeAll(() => {
    running = [one, other].map((server) => server.app.jobs.start({ work: true }))
  })
  afterAll(async () => {
    for (const jobs of running) await jobs.stop()
  })

  it('continue at the pace of the budget that they share with calls, and end with every entry answered', async () => {
    const { key, accountId } = await openFree()
    const entries = FREE.failedLookupsPerMinute * 2 + 5
    const urls = Array.from({ length: entries }, () => homeUrl(next++))
    const before = provider.asked
    const { id } = await startJob(one, '/v1/properties/batch', { urls }, { key })

    for (let minute = 1; minute <= 2; minute++) {
      const due = FREE.failedLookupsPerMinute * minute
      // The job waits without a place in a worker, and the provider is not queried.
      await until(
        async () => {
          const { rows } = await testDatabase.database.query<{ waits: boolean | null }>(
            'select lease_token is null and not_before > now() as waits from jobs where id = $1',
            [id],
          )
          return rows[0]!.waits
        },
        (waits) => waits === true,
      )
      const job = await getJob(one, key, id)
      expect(job).toMatchObject({ status: 'running', error: null })
      // Entries are recorded in order. Entries that were answered before an earlier one had its lookup are not queried again.
      expect(job.failure_count).toBeLessThanOrEqual(due)
      expect(provider.asked - before).toBe(due)
      expect((await one.get(unknownPath(), { key })).code).toBe('lookup_budget_exceeded')
      await endWindow(accountId, 'minute')
      await testDatabase.database.query('update jobs set not_before = now() where id = $1', [id])
    }

    const job = await untilEnded(one, key, id)
    expect(job).toMatchObject({ status: 'succeeded', failure_count: entries, credits_charged: 0 })
    expect(job.failures.map(({ position }) => position)).toEqual(urls.map((_, at) => at))
    expect(provider.asked - before).toBe(entries)
  })

  it('are not claimed while they wait, and time out if their time ends meanwhile', async () => {
    const { key } = await openFree()
    const urls = Array.from({ length: FREE.failedLookupsPerMinute + 1 }, () => homeUrl(next++))
    const { id } = await startJob(one, '/v1/properties/batch', { urls }, { key })
    await until(
      async () => {
        const { rows } = await testDatabase.database.query<{ waits: boolean }>(
          'select not_before > now() as waits from jobs where id = $1',
          [id],
        )
        return rows[0]!.waits
      },
      (waits) => waits === true,
    )
    await testDatabase.database.query('update jobs set deadline_at = now() where id = $1', [id])
    expect(await untilEnded(one, key, id)).toMatchObject({ status: 'timed_out', credits_charged: 0 })
  })

  it('look up an unknown building only if the budget has a lookup left', async () => {
    const { key, accountId } = await openFree()
    for (let made = 0; made < FREE.failedLookupsPerMinute; made++) await one.get(unknownPath(), { key })
    const query = new URLSearchParams({
      url: 'https://www.zillow.com/b/unknown-seattle-wa-8QqQq8/',
      sync: 'false',
    })
    // Only the window of the minute is tested: the rate limit of the free account admits the call itself.
    const accepted = await one.get(`/v1/buildings/by-url?${query}`, { key })
    expect(accepted.status, accepted.text).toBe(202)
    const id = accepted.json.data.job_id as string
    const before = provider.asked
    await until(
      async () => {
        const { rows } = await testDatabase.database.query<{ waits: boolean }>(
          'select not_before > now() as waits from jobs where id = $1',
          [id],
        )
        return rows[0]!.waits
      },
      (waits) => waits === true,
    )
    expect(provider.asked - before).toBe(0)
    await endWindow(accountId, 'minute')
    await testDatabase.database.query('update jobs set not_before = now() where id = $1', [id])
    expect((await untilEnded(one, key, id)).error?.code).toBe('not_found')
    expect(provider.asked - before).toBe(1)
  })
})
