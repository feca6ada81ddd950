// Leases of jobs, expired leases, and the order of accounts.

import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { MAX_CRASHES } from '../../../src/work/jobs/job.ts'
import { writeStep } from '../../../src/work/jobs/store/checkpoint.ts'
import { claimJobs, handBackJob, reapLeases, renewLeases } from '../../../src/work/jobs/store/claim-jobs.ts'
import { settleJob } from '../../../src/work/jobs/store/settle-job.ts'
import { removeOldJobs, sweepJobs } from '../../../src/work/jobs/store/sweeper.ts'
import { LeaseLost } from '../../../src/work/loop/lease.ts'
import { createTestDatabase } from '../../setup/test-database.ts'
import { CLAIM, claimJob, jobRow, makeAccount, makeJob, rowsOf, settleTools } from './made-jobs.ts'

/** Each test has its own queue. */
async function withQueue(test: (database: Database) => Promise<void>): Promise<void> {
  const { database, drop } = await createTestDatabase({ poolSize: 20 })
  try {
    await test(database)
  } finally {
    await drop()
  }
}

function expire(database: Database): Promise<unknown> {
  return database.query(
    `update jobs set lease_until = now() - interval '1 second' where lease_token is not null`,
  )
}

describe('a claim', () => {
  it('gives each job to one worker, however many claims are concurrent', () =>
    withQueue(async (database) => {
      const accounts = await Promise.all(Array.from({ length: 5 }, () => makeAccount(database)))
      for (const account of accounts) for (let i = 0; i < 8; i++) await makeJob(database, account)
      const claimed = (
        await Promise.all(Array.from({ length: 30 }, () => claimJobs(database, 3, CLAIM)))
      ).flat()
      expect(claimed).toHaveLength(40)
      expect(new Set(claimed.map(({ jobId }) => jobId)).size).toBe(40)
      expect(new Set(claimed.map(({ token }) => token)).size).toBe(40)
    }))

  it("never exceeds an account's limit on running jobs, however many claims are concurrent", () =>
    withQueue(async (database) => {
      const [greedy, modest] = [await makeAccount(database), await makeAccount(database)]
      for (let i = 0; i < 30; i++) await makeJob(database, greedy)
      for (let i = 0; i < 2; i++) await makeJob(database, modest)
      const claimed = (
        await Promise.all(
          Array.from({ length: 20 }, () => claimJobs(database, 5, { ...CLAIM, perAccount: 4 })),
        )
      ).flat()
      const of = ({ accountId }: { accountId: string }) =>
        claimed.filter((job) => job.accountId === accountId)
      expect([of(greedy).length, of(modest).length]).toEqual([4, 2])
    }))

  it('prefers the account with the fewest running jobs, and its oldest job', () =>
    withQueue(async (database) => {
      const [early, late] = [await makeAccount(database), await makeAccount(database)]
      const jobs = []
      for (let i = 0; i < 6; i++) jobs.push(await makeJob(database, early))
      const only = await makeJob(database, late)
      const order = []
      for (let i = 0; i < 4; i++) order.push((await claimJobs(database, 1, CLAIM))[0]!.jobId)
      expect(order).toEqual([jobs[0]!.jobId, only.jobId, jobs[1]!.jobId, jobs[2]!.jobId])
    }))
})

describe('a worker that lost its lease', () => {
  it('writes nothing, whatever it has found', () =>
    withQueue(async (database) => {
      const account = await makeAccount(database)
      const id = await makeJob(database, account)
      const paused = await claimJob(database, id)
      await writeStep(database, paused, { rows: rowsOf(2), checkpoint: { next: 2 } })
      await expire(database)
      await reapLeases(database)
      const next = await claimJob(database, id)
      expect(next).toMatchObject({ rowCount: 2, units: 2, checkpoint: { next: 2 } })
      const before = await jobRow(database, id)
      const failures = [{ position: 0, input: 'x', reason: 'unknown_zpid' as const }]
      await expect(
        writeStep(database, paused, { rows: rowsOf(3, 10), failures, checkpoint: { next: 5 } }),
      ).rejects.toThrow(LeaseLost)
      await handBackJob(database, paused, { crashed: true })
      expect(await renewLeases(database, [paused], 60_000)).toEqual(new Set())
      expect(await jobRow(database, id)).toEqual(before)
      const { rows } = await database.query(
        'select (select count(*) from job_rows) as rows, (select count(*) from job_failures) as failures',
      )
      expect(rows).toEqual([{ rows: 2, failures: 0 }])
      await writeStep(database, next, { rows: rowsOf(1, 20) })
    }))

  it('could not have lost it while it was renewing it', () =>
    withQueue(async (database) => {
      const id = await makeJob(database, await makeAccount(database))
      const job = await claimJob(database, id, { leaseMs: 1 })
      expect(await renewLeases(database, [job], 60_000)).toEqual(new Set([job.token]))
      expect(await reapLeases(database)).toBe(0)
      await expect(claimJob(database, id)).rejects.toThrow()
    }))
})

describe('the sweeper', () => {
  it('times out overdue jobs, queued or running, even without a live worker', () =>
    withQueue(async (database) => {
      const account = await makeAccount(database)
      const queued = await makeJob(database, account, { timeoutMs: 1 })
      const running = await makeJob(database, account)
      const inTime = await makeJob(database, account)
      await claimJob(database, running)
      await database.query(`update jobs set deadline_at = now() - interval '1 ms' where id = $1`, [
        running.jobId,
      ])
      await sweepJobs(settleTools(database))
      for (const id of [queued, running]) {
        expect(await jobRow(database, id)).toMatchObject({
          status: 'timed_out',
          error_code: 'timed_out',
          lease_token: null,
          completed_at: expect.any(Date),
        })
      }
      expect(await jobRow(database, inTime)).toMatchObject({ completed_at: null })
    }))

  it('returns true as long as there is more to do', () =>
    withQueue(async (database) => {
      const account = await makeAccount(database)
      for (let i = 0; i < 150; i++) await makeJob(database, account, { wanted: 1, timeoutMs: 1 })
      expect(await sweepJobs(settleTools(database))).toBe(true)
      expect(await sweepJobs(settleTools(database))).toBe(false)
      const left = await database.query(`select from jobs where status <> 'timed_out'`)
      expect(left.rowCount).toBe(0)
    }))

  it("measures a job's time from its first start, not from a later claim", () =>
    withQueue(async (database) => {
      const id = await makeJob(database, await makeAccount(database), { timeoutMs: 60_000 })
      const job = await claimJob(database, id, { timeoutMs: 7_200_000 })
      const begun = (await jobRow(database, id)) as { started_at: Date; deadline_at: Date }
      expect(begun.deadline_at.getTime() - begun.started_at.getTime()).toBe(7_200_000)
      await handBackJob(database, job)
      await claimJob(database, id)
      expect(await jobRow(database, id)).toMatchObject({
        started_at: begun.started_at,
        deadline_at: begun.deadline_at,
      })
    }))

  it('requeues a job whose worker was lost, and fails it after the third loss', () =>
    withQueue(async (database) => {
      const id = await makeJob(database, await makeAccount(database))
      for (let crash = 1; crash <= MAX_CRASHES; crash++) {
        await claimJob(database, id)
        await expire(database)
        await sweepJobs(settleTools(database))
        expect(await jobRow(database, id)).toMatchObject({
          crashes: crash,
          lease_token: null,
          status: crash < MAX_CRASHES ? 'running' : 'failed',
        })
      }
      expect(await jobRow(database, id)).toMatchObject({ error_code: 'internal_error' })
    }))

  it('does not count a returned lease as a crash', () =>
    withQueue(async (database) => {
      const id = await makeJob(database, await makeAccount(database))
      for (let round = 0; round < 5; round++) await handBackJob(database, await claimJob(database, id))
      await sweepJobs(settleTools(database))
      expect(await jobRow(database, id)).toMatchObject({ status: 'running', crashes: 0 })
    }))

  it('deletes jobs and their rows 30 days after their end, in batches, and nothing younger', () =>
    withQueue(async (database) => {
      const account = await makeAccount(database)
      const [old, young, live] = [
        await makeJob(database, account),
        await makeJob(database, account),
        await makeJob(database, account),
      ]
      for (const id of [old, young]) {
        const job = await claimJob(database, id)
        await writeStep(database, job, {
          rows: rowsOf(3),
          failures: [{ position: 0, input: 'x', reason: 'unknown_zpid' }],
        })
        await settleJob(settleTools(database), id, { status: 'succeeded', truncatedBy: null })
      }
      await database.query(
        `insert into job_rows (account_id, job_id, position, body) select $1, $2, n, '{}' from generate_series(3, 45000) n`,
        [old.accountId, old.jobId],
      )
      const age = (id: { jobId: string }, interval: string) =>
        database.query('update jobs set completed_at = now() - $2::interval where id = $1', [
          id.jobId,
          interval,
        ])
      await age(old, '30 days 1 minute')
      await age(young, '29 days 23 hours')
      let pieces = 0
      while (await removeOldJobs(database)) pieces++
      expect(pieces).toBeGreaterThan(2)
      const left = await database.query<{ id: string }>('select id from jobs order by created_at')
      expect(left.rows).toEqual([{ id: young.jobId }, { id: live.jobId }])
      const { rows } = await database.query(
        'select (select count(*) from job_rows) as rows, (select count(*) from job_failures) as failures',
      )
      expect(rows).toEqual([{ rows: 3, failures: 1 }])
    }))
})
