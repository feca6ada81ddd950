// The end of a job: once, whatever races for it, with its charge, its usage rows and its events.

import { randomUUID } from 'node:crypto'
import type { Job, JobStatus } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { cutBy, type Ending, failed, MOVES, SUCCEEDED } from '../../../src/work/jobs/job.ts'
import { abortJob } from '../../../src/work/jobs/jobs.ts'
import { writeStep } from '../../../src/work/jobs/store/checkpoint.ts'
import { type ClaimedJob, handBackJob, reapLeases } from '../../../src/work/jobs/store/claim-jobs.ts'
import { settleJob } from '../../../src/work/jobs/store/settle-job.ts'
import { TIMED_OUT } from '../../../src/work/jobs/store/sweeper.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { claimJob, jobRow, makeAccount, makeJob, rowsOf, settleTools } from './made-jobs.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })
const RACERS = 10_000
/** Of them, at the pool at the same time: a statement that waits there for too long is refused, which is not what is tested. */
const IN_THE_QUEUE = 300
/** Takes seconds of waiting. */
const inFull: (name: string, test: () => Promise<void>) => void = process.env.LOTLINE_FULL ? it : () => {}

const FAILED = failed('upstream_error', 'It failed.')
const ABORTED: Ending = { status: 'aborted', error: { code: 'aborted', message: 'Stopped.' } }

async function postingsOf(accountId: string, kind: string) {
  const { rows } = await testDatabase.database.query<{ amount: number; held_change: number }>(
    'select amount, held_change from postings where account_id = $1 and kind = $2',
    [accountId, kind],
  )
  return rows
}

describe('a job', () => {
  it(`is ended, charged, and reported once, even with ${RACERS} concurrent settlements`, async () => {
    const { database } = testDatabase
    const account = await makeAccount(database)
    const id = await makeJob(database, account)
    const job = await claimJob(database, id)
    await writeStep(database, job, { rows: rowsOf(7) })
    const told: Job[] = []
    const tools = {
      ...settleTools(database),
      writeEvent: async (_tx: unknown, _account: string, job: Job) => void told.push(job),
    }
    const endings = [SUCCEEDED, FAILED, TIMED_OUT, ABORTED]
    const ended: boolean[] = []
    let begun = 0
    await Promise.all(
      Array.from({ length: IN_THE_QUEUE }, async () => {
        for (let at = begun++; at < RACERS; at = begun++) {
          ended.push(await settleJob(tools, id, endings[at % 4]!, at % 4 === 0 ? { token: job.token } : {}))
        }
      }),
    )
    expect(ended).toHaveLength(RACERS)
    expect(ended.filter(Boolean)).toHaveLength(1)
    expect(told).toHaveLength(1)
    const row = await jobRow(database, id)
    const charges = await postingsOf(account.accountId, 'charge')
    expect(charges).toEqual(row.status === 'succeeded' ? [{ amount: -7, held_change: -7 }] : [])
    expect(told[0]).toMatchObject({
      id: id.jobId,
      status: row.status,
      credits_held: 0,
      credits_charged: row.status === 'succeeded' ? 7 : 0,
    })
    expect((await postingsOf(account.accountId, 'release')).length).toBe(1)
  })

  it.each([
    ['failed', FAILED],
    ['timed_out', TIMED_OUT],
    ['aborted', ABORTED],
  ] as const)('that is %s is free and releases its whole hold', async (status, ending) => {
    const { database } = testDatabase
    const account = await makeAccount(database, 50)
    const id = await makeJob(database, account)
    await writeStep(database, await claimJob(database, id), { rows: rowsOf(3) })
    expect(await settleJob(settleTools(database), id, ending)).toBe(true)
    const { rows } = await database.query('select balance, held from accounts where id = $1', [
      account.accountId,
    ])
    expect(rows).toEqual([{ balance: 50, held: 0 }])
    expect(await jobRow(database, id)).toMatchObject({ status, lease_token: null, truncated_by: null })
    const usage = await database.query(
      'select units, credits_charged, status_code from usage_rows where job_id = $1',
      [id.jobId],
    )
    expect(usage.rows).toEqual([{ units: 0, credits_charged: 0, status_code: 202 }])
  })

  it('that succeeds is charged for its rows and releases the rest, as its usage row shows', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database, 50)
    const id = await makeJob(database, account, { wanted: 20 })
    const job = await claimJob(database, id)
    await writeStep(database, job, { rows: [...rowsOf(4), { body: '{"zpid":"9"}', charged: false }] })
    expect(await settleJob(settleTools(database), id, cutBy('credits'), { token: job.token })).toBe(true)
    const { rows } = await database.query('select balance, held from accounts where id = $1', [
      account.accountId,
    ])
    expect(rows).toEqual([{ balance: 46, held: 0 }])
    expect(await jobRow(database, id)).toMatchObject({
      status: 'succeeded',
      truncated_by: 'credits',
      row_count: 5,
      units: 4,
    })
    const usage = await database.query('select units, credits_charged from usage_rows where job_id = $1', [
      id.jobId,
    ])
    expect(usage.rows).toEqual([{ units: 4, credits_charged: 4 }])
  })

  it('is not partly settled: if its events cannot be written, nothing is', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database)
    const id = await makeJob(database, account)
    await claimJob(database, id)
    const tools = { ...settleTools(database), writeEvent: () => Promise.reject(new Error('no outbox')) }
    await expect(settleJob(tools, id, SUCCEEDED)).rejects.toThrow('no outbox')
    expect(await jobRow(database, id)).toMatchObject({ status: 'running', completed_at: null })
    expect((await postingsOf(account.accountId, 'release')).length).toBe(0)
    expect(await settleJob(settleTools(database), id, SUCCEEDED)).toBe(true)
  })

  inFull('is not kept from all others by one who falls asleep while ending it', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database)
    const id = await makeJob(database, account)
    const asleep = {
      ...settleTools(database),
      writeEvent: () => new Promise<void>((resolve) => setTimeout(resolve, 12_000)),
    }
    const first = settleJob(asleep, id, ABORTED).catch((error: unknown) => error)
    expect(await settleJob(settleTools(database), id, TIMED_OUT)).toBe(true)
    expect(await first).toBeInstanceOf(DatabaseUnavailable)
    expect(await jobRow(database, id)).toMatchObject({ status: 'timed_out' })
  })

  it('is not settled by a worker that lost it, and does not time out early', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database)
    const id = await makeJob(database, account)
    const job = await claimJob(database, id)
    const other = { token: '00000000-0000-4000-8000-000000000000' }
    expect(await settleJob(settleTools(database), id, SUCCEEDED, other)).toBe(false)
    expect(await settleJob(settleTools(database), id, TIMED_OUT, { overdue: true })).toBe(false)
    expect(await settleJob(settleTools(database), id, SUCCEEDED, job)).toBe(true)
  })

  it('is aborted by the operator once, queued or running', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database)
    const [queued, running] = [await makeJob(database, account), await makeJob(database, account)]
    await claimJob(database, running)
    for (const id of [queued, running]) {
      expect(await abortJob(database, id.jobId)).toBe(true)
      expect(await abortJob(database, id.jobId)).toBe(false)
      expect(await jobRow(database, id)).toMatchObject({ status: 'aborted', error_code: 'aborted' })
    }
    expect(await abortJob(database, '00000000-0000-4000-8000-000000000000')).toBe(false)
  })
})

describe('job states', () => {
  const all = Object.keys(MOVES) as JobStatus[]

  it('that are final never change, whatever operation is tried', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database, 1_000_000)
    const reach: Record<JobStatus, (id: { accountId: string; jobId: string }) => Promise<unknown>> = {
      queued: async () => {},
      running: (id) => claimJob(database, id),
      succeeded: async (id) => {
        await claimJob(database, id)
        await settleJob(settleTools(database), id, SUCCEEDED)
      },
      failed: async (id) => {
        await claimJob(database, id)
        await settleJob(settleTools(database), id, FAILED)
      },
      timed_out: (id) => settleJob(settleTools(database), id, TIMED_OUT),
      aborted: (id) => settleJob(settleTools(database), id, ABORTED),
    }
    // A worker whose lease is not the job's.
    const id = (job: { accountId: string; jobId: string }) => ({ ...job, token: randomUUID() }) as ClaimedJob
    const attempts: Record<string, (job: { accountId: string; jobId: string }) => Promise<unknown>> = {
      'to end it': async (job) => {
        for (const ending of [SUCCEEDED, FAILED, TIMED_OUT, ABORTED]) {
          expect(await settleJob(settleTools(database), job, ending)).toBe(false)
        }
      },
      'to claim it': (job) => expect(claimJob(database, job)).rejects.toThrow('could not be claimed'),
      'to hand it back': (job) => handBackJob(database, id(job)),
      'to give it rows': (job) => expect(writeStep(database, id(job), { rows: rowsOf(1) })).rejects.toThrow(),
      'to take it from a lost worker': () => reapLeases(database),
    }
    const ended = all.filter((status) => MOVES[status].length === 0)
    expect(ended).toEqual(['succeeded', 'failed', 'timed_out', 'aborted'])
    for (const status of ended) {
      const job = await makeJob(database, account)
      await reach[status](job)
      const before = await jobRow(database, job)
      expect(before).toMatchObject({ status })
      for (const attempt of Object.values(attempts)) await attempt(job)
      expect(await jobRow(database, job)).toEqual(before)
    }
  })
})
