// The plan limits an account's open jobs and stored results; above the limit, further jobs are refused.

import { describe, expect, it } from 'vitest'
import { plans } from '../../../src/money/accounts/plans.ts'
import { createMetrics } from '../../../src/process/telemetry/metrics/metrics.ts'
import { removeOldJobs } from '../../../src/work/jobs/store/sweeper.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'
import { homeUrl, runBatch, until, withWorker } from './job-calls.ts'

const testDatabase = withTestDatabase()
const parts = { provider: createMemoryProvider() }
const one = withTestServer(testDatabase, { parts })
const other = withTestServer(testDatabase, { parts })

const FREE = plans.free
const BATCH = { urls: [homeUrl(48749425)] }

const openFree = () => one.openAccount({ plan: 'free' })
const start = (key: string, server = one): Promise<TestResponse> =>
  server.post('/v1/properties/batch', BATCH, { key })

async function endAll(accountId: string): Promise<void> {
  await testDatabase.database.query('update jobs set deadline_at = now() where account_id = $1', [accountId])
  const running = one.app.jobs.start({ work: false })
  await until(
    async () =>
      (
        await testDatabase.database.query<{ open: number }>(
          'select open_jobs as open from job_storage where account_id = $1',
          [accountId],
        )
      ).rows[0]!.open,
    (open) => open === 0,
  )
  await running.stop()
}

describe('open jobs', () => {
  it("never exceed the plan's limit, even when two processes start many concurrently", async () => {
    const { key, accountId } = await openFree()
    const answers: TestResponse[] = []
    for (let round = 0; round < 3; round++) {
      answers.push(
        ...(await Promise.all(Array.from({ length: 10 }, (_, at) => start(key, at % 2 ? one : other)))),
      )
    }
    const accepted = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ code }) => code === 'job_limit')
    expect([accepted.length, refused.length]).toEqual([FREE.maxOpenJobs, 30 - FREE.maxOpenJobs])
    expect(refused[0]!.json.error.details).toEqual({
      plan: 'free',
      bound: 'open_jobs',
      value: FREE.maxOpenJobs,
      limit: FREE.maxOpenJobs,
    })
    // A refused job leaves nothing: no row, no hold, no charge.
    const { rows } = await testDatabase.database.query(
      `select (select count(*) from jobs where account_id = $1) as jobs,
         (select count(*) from holds where account_id = $1) as holds,
         (select held from accounts where id = $1) as held`,
      [accountId],
    )
    expect(rows).toEqual([{ jobs: FREE.maxOpenJobs, holds: FREE.maxOpenJobs, held: FREE.maxOpenJobs }])
    await endAll(accountId)
    expect((await start(key)).status).toBe(202)
  })
})

describe('stored results', () => {
  withWorker(one)

  it('are counted by rows and bytes, and no longer count after their deletion', async () => {
    const { key, accountId } = await one.openAccount()
    const job = await runBatch(one, key, { urls: [...BATCH.urls, homeUrl(1), homeUrl(2)] })
    const { rows } = await testDatabase.database.query<{ bytes: number }>(
      `select (select sum(octet_length(body)) from job_rows where job_id = $1)
         + (select sum(octet_length(input) + 100) from job_failures where job_id = $1) + 1024 as bytes`,
      [job.id],
    )
    expect((await one.get('/v1/me', { key })).json.data.limits).toMatchObject({
      open_jobs: { used: 0 },
      stored_rows: { used: 1 },
      stored_bytes: { used: rows[0]!.bytes },
    })
    await testDatabase.database.query(
      `update jobs set completed_at = now() - interval '1 year' where id = $1`,
      [job.id],
    )
    while (await removeOldJobs(testDatabase.database)) {
      // Deletes in batches.
    }
    expect((await one.get('/v1/me', { key })).json.data.limits).toMatchObject({
      stored_rows: { used: 0 },
      stored_bytes: { used: 0 },
    })
    expect(accountId).toBeTruthy()
  })

  it.each([
    ['stored_rows', 'rows', FREE.maxStoredRows],
    ['stored_bytes', 'bytes', FREE.maxStoredBytes],
  ] as const)('at the plan’s limit of %s, no further job is accepted', async (bound, column, limit) => {
    const { key, accountId } = await openFree()
    expect((await start(key)).status).toBe(202)
    await endAll(accountId)
    await testDatabase.database.query(`update stored_jobs set ${column} = $2 where account_id = $1`, [
      accountId,
      limit,
    ])
    const refused = await start(key)
    expect([refused.status, refused.code, refused.charged]).toEqual([409, 'job_limit', 0])
    expect(refused.json.error.details).toMatchObject({ plan: 'free', bound, limit })
    expect(refused.json.error.details.value).toBeGreaterThanOrEqual(limit)
    const { data } = (await one.get('/v1/me', { key })).json
    expect(data.limits[bound].used).toBeGreaterThanOrEqual(data.limits[bound].limit)

    const { text } = await createMetrics(one.app.config, testDatabase.database).read()
    expect(text).toContain(`lotline_account_limit{plan="free",bound="${bound}"} ${limit}`)
    expect(text).toMatch(new RegExp(`lotline_account_use_largest\\{plan="free",bound="${bound}"\\} \\d+`))
    expect(text).not.toContain(accountId)
  })
})
