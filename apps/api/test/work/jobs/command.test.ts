import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { jsonOf, lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { getJob, homeUrl, startJob } from './job-calls.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const lotline = (...args: readonly string[]) => lotlineWith({ DATABASE_URL: testDatabase.url })(...args)

async function start() {
  const account = await server.openAccount({ credits: 100 })
  const { id } = await startJob(server, '/v1/properties/batch', { urls: [homeUrl(1), homeUrl(2)] }, account)
  return { ...account, id }
}

describe('lotline jobs', () => {
  it('list shows jobs of all accounts, latest first, and filters them', async () => {
    const [one, other] = [await start(), await start()]
    const all = await jsonOf(lotline, 'jobs', 'list')
    expect(all.map(({ job_id }: { job_id: string }) => job_id).slice(0, 2)).toEqual([other.id, one.id])
    expect(all[0]).toMatchObject({
      account_id: other.accountId,
      type: 'batch_detail',
      status: 'queued',
      progress_done: 0,
      progress_total: 2,
      credits_held: 2,
      credits_charged: 0,
      crashes: 0,
      completed_at: null,
    })
    expect(
      await jsonOf(lotline, 'jobs', 'list', '--account', one.accountId, '--status', 'live'),
    ).toHaveLength(1)
    expect(await jsonOf(lotline, 'jobs', 'list', '--limit', '1')).toHaveLength(1)
    expect((await lotline('jobs', 'list', '--type', 'search')).stdout).toBe('There are none.\n')
    expect((await lotline('jobs', 'list', '--limit', '1')).stdout).toMatch(
      /^JOB +ACCOUNT +TYPE +STATUS +DONE .*\n\S+ /,
    )
    expect((await lotline('jobs', 'list', '--status', 'done')).code).toBe(2)
  })

  it('abort ends a job permanently and releases its hold', async () => {
    const { id, key } = await start()
    expect(await jsonOf(lotline, 'jobs', 'abort', id, '--yes')).toEqual({ job_id: id, status: 'aborted' })
    expect(await getJob(server, key, id)).toMatchObject({
      status: 'aborted',
      error: { code: 'aborted' },
      credits_held: 0,
      credits_charged: 0,
      completed_at: expect.any(String),
    })
    expect((await server.get('/v1/me', { key })).json.data.credits).toMatchObject({ balance: 100, held: 0 })
    const again = await lotline('jobs', 'abort', id, '--yes')
    expect([again.code, again.stderr]).toEqual([
      1,
      `lotline: There is no job ${id} that is queued or running.\n`,
    ])
    expect((await lotline('jobs', 'abort', randomUUID(), '--yes')).code).toBe(1)
  })

  it('abort asks for confirmation, and does nothing without a terminal', async () => {
    const { id, key } = await start()
    const ran = await lotline('jobs', 'abort', id)
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
    expect(await getJob(server, key, id)).toMatchObject({ status: 'queued' })
  })
})
