import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { type Ending, failed, SUCCEEDED } from '../../../src/work/jobs/job.ts'
import { settleJob } from '../../../src/work/jobs/store/settle-job.ts'
import { jsonOf, lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { getJob, homeUrl, startJob } from './job-calls.ts'
import { claimJob, settleTools } from './made-jobs.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

interface AbortableJob extends OpenedAccount {
  readonly id: string
}

/** A batch of two homes that no worker runs. */
async function start(): Promise<AbortableJob> {
  const account = await server.openAccount({ credits: 100, plan: 'free' })
  const { id } = await startJob(server, '/v1/properties/batch', { urls: [homeUrl(1), homeUrl(2)] }, account)
  return { ...account, id }
}

const abort = (id: string, key: string) => server.send('POST', `/v1/jobs/${id}/abort`, { key })

async function movementsOf(jobId: string) {
  const { rows } = await testDatabase.database.query<{ kind: string; held_change: number }>(
    'select kind, held_change from movements where job_id = $1 order by id',
    [jobId],
  )
  return rows.map(({ kind, held_change }) => [kind, held_change])
}

describe('POST /v1/jobs/{id}/abort (abortJob)', () => {
  it('ends a queued job for free and releases its held credits', async () => {
    const { id, key } = await start()
    const answer = await abort(id, key)
    expect([answer.status, answer.charged, answer.remaining]).toEqual([200, 0, 100])
    expect(answer.json.data).toMatchObject({
      id,
      status: 'aborted',
      credits_held: 0,
      credits_charged: 0,
      result_count: null,
      error: {
        code: 'aborted',
        message: 'The account aborted this job with POST /v1/jobs/<id>/abort. Nothing was charged.',
      },
    })
    expect(await getJob(server, key, id)).toEqual(answer.json.data)
    expect(await movementsOf(id)).toEqual([
      ['hold', 2],
      ['release', -2],
    ])
    expect((await server.get(`/v1/jobs/${id}/results`, { key })).code).toBe('job_not_ready')
  })

  it('returns an aborted job unchanged, whether the account or the operator aborted it', async () => {
    const { id, key } = await start()
    const first = await abort(id, key)
    const second = await abort(id, key)
    expect([second.status, second.json.data]).toEqual([200, first.json.data])
    const other = await start()
    await jsonOf(lotlineWith({ DATABASE_URL: testDatabase.url }), 'jobs', 'abort', other.id, '--yes')
    const answer = await abort(other.id, other.key)
    expect(answer.json.data.error.message).toMatch(/^The operator of the service stopped this job/)
  })

  it('releases the hold once, however many aborts are concurrent', async () => {
    const { id, key, accountId } = await start()
    const keys = [key, key, key]
    const answers = await Promise.all(keys.map((one) => abort(id, one)))
    const operator = lotlineWith({ DATABASE_URL: testDatabase.url })('jobs', 'abort', id, '--yes')
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await operator).code).toBe(1)
    expect(await movementsOf(id)).toHaveLength(2)
    const { rows } = await testDatabase.database.query('select balance, held from accounts where id = $1', [
      accountId,
    ])
    expect(rows).toEqual([{ balance: 100, held: 0 }])
  })

  it('takes the lease of the worker that runs it', async () => {
    const { id, key, accountId } = await start()
    const claimed = await claimJob(testDatabase.database, { accountId, jobId: id })
    expect((await abort(id, key)).status).toBe(200)
    const { rowCount } = await testDatabase.database.query('select from jobs where lease_token = $1', [
      claimed.token,
    ])
    expect(rowCount).toBe(0)
  })

  it.each<Ending>([
    SUCCEEDED,
    failed('internal_error', 'It did not work out.'),
    { status: 'timed_out', error: { code: 'timed_out', message: 'It took too long.' } },
  ])('refuses a job that has ended as $status, and changes nothing', async (ending) => {
    const { id, key, accountId } = await start()
    const jobId = { accountId, jobId: id }
    await claimJob(testDatabase.database, jobId)
    await settleJob(settleTools(testDatabase.database), jobId, ending)
    const movements = await movementsOf(id)
    const answer = await abort(id, key)
    expect([answer.status, answer.code, answer.charged]).toEqual([409, 'job_ended', 0])
    expect(answer.json.error.details).toEqual({ status: ending.status })
    expect(await movementsOf(id)).toEqual(movements)
  })

  it('answers 404 job_not_found for a job of another account and an unknown one', async () => {
    const [mine, theirs] = [await start(), await start()]
    for (const id of [theirs.id, randomUUID()]) {
      const answer = await abort(id, mine.key)
      expect([answer.status, answer.code]).toEqual([404, 'job_not_found'])
    }
    expect(await getJob(server, theirs.key, theirs.id)).toMatchObject({ status: 'queued' })
  })

  it("counts the job's results as failed lookups: each record, and every 50 rows of a search", async () => {
    const used = async (key: string) =>
      (await server.get('/v1/me', { key })).json.data.limits.failed_lookups_per_day.used
    const { id, key } = await start()
    await testDatabase.database.query('update jobs set row_count = 2, units = 2 where id = $1', [id])
    expect(await used(key)).toBe(0)
    await abort(id, key)
    expect(await used(key)).toBe(2)
    await abort(id, key)
    expect(await used(key)).toBe(2)
    const search = await start()
    await testDatabase.database.query(
      `update jobs set type = 'search', row_count = 101, units = 101 where id = $1`,
      [search.id],
    )
    await abort(search.id, search.key)
    expect(await used(search.key)).toBe(3)
  })
})
