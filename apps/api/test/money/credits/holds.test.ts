import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Queryable } from '../../../src/infrastructure/database/database.ts'
import {
  findHold,
  growHold,
  HOLD_STEP,
  placeHold,
  releaseHold,
  settleHold,
} from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { acceptJob, callOf, letPass, moneyOf, openWith, postingsOf, rows } from './money.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })

/** A job with a hold of its own. */
async function jobHolding(credits: number, { of: balance = 100 } = {}) {
  const { database } = testDatabase
  const account = await openWith(database, balance)
  const job = await acceptJob(database, account)
  const placed = await placeHold(database, { ...job, wanted: credits, least: 0 })
  return { database, account, job, placed }
}

describe('a hold', () => {
  it('takes the requested credits, but never the last credit', async () => {
    const { database } = testDatabase
    for (const [balance, wanted, least, expected] of [
      [10, 4, 1, 4],
      [10, 9, 1, 9],
      [10, 10, 1, 9],
      [10, 500, 1, 9],
      [2, 500, 1, 1],
      [1, 500, 1, undefined],
      [1, 500, 0, undefined],
      [2, 500, 2, undefined],
      [3, 500, 2, 2],
      [1, 0, 0, 0],
    ] as const) {
      const account = await openWith(database, balance)
      const job = { accountId: account.accountId, jobId: randomUUID() }
      const placed = await placeHold(database, { ...job, wanted, least })
      const place = `${wanted} wanted, at least ${least}, of ${balance}`
      if (expected === undefined) {
        expect(placed, place).toMatchObject({
          placed: false,
          required: Math.max(1, least) + 1,
          balance,
          held: 0,
        })
        expect(await findHold(database, job), place).toBeUndefined()
      } else {
        expect(placed, place).toMatchObject({ placed: true, amount: expected, balance, held: expected })
        expect(await findHold(database, job), place).toEqual({ state: 'open', amount: expected, charged: 0 })
      }
      expect(await moneyOf(database, account), place).toMatchObject({ balance, held: expected ?? 0 })
    }
  })

  it('cannot be spent by calls', async () => {
    const { database, account } = await jobHolding(95)
    const ledger = createLedger(database)
    expect(await ledger.settle(callOf(account, 'listListings', 50))).toMatchObject({
      verdict: 'settled',
      units: 5,
      charged: 5,
      balance: 95,
      held: 95,
    })
    expect(await ledger.settle(callOf(account, 'getProperty', 1))).toMatchObject({ verdict: 'insufficient' })
  })

  it('that is placed twice for one job is held once, also concurrently', async () => {
    const { database, account, job } = await jobHolding(30)
    expect(await placeHold(database, { ...job, wanted: 50, least: 1 })).toMatchObject({
      placed: true,
      amount: 30,
      balance: 100,
      held: 30,
    })
    const other = await acceptJob(database, account)
    const placed = await Promise.all(
      Array.from({ length: 20 }, () => placeHold(database, { ...other, wanted: 10, least: 1 })),
    )
    expect(placed).toMatchObject(
      Array.from({ length: 20 }, () => ({ placed: true, amount: 10, balance: 100, held: 40 })),
    )
    expect(await moneyOf(database, account)).toMatchObject({ balance: 100, held: 40 })
  })

  it('grows in steps, but never by the last credit', async () => {
    const { database, account, job } = await jobHolding(10, { of: 1_000 })
    expect(await growHold(database, { ...job, by: HOLD_STEP })).toMatchObject({
      grown: true,
      by: 500,
      amount: 510,
    })
    expect(await growHold(database, { ...job, by: HOLD_STEP })).toMatchObject({
      grown: true,
      by: 489,
      amount: 999,
    })
    expect(await growHold(database, { ...job, by: HOLD_STEP })).toMatchObject({
      grown: false,
      because: 'insufficient',
      amount: 999,
      balance: 1_000,
      held: 999,
    })
    await expect(async () => growHold(database, { ...job, by: HOLD_STEP + 1 })).rejects.toThrow(RangeError)
    await settleHold(database, rows(job, 999))
    expect(await growHold(database, { ...job, by: 1 })).toMatchObject({ grown: false, because: 'closed' })
    expect(await moneyOf(database, account)).toMatchObject({ balance: 1, held: 0 })
  })
})

describe('settling a hold', () => {
  it('charges, releases the rest and fills the usage row', async () => {
    const { database, account, job } = await jobHolding(30)
    expect(await settleHold(database, rows(job, 12))).toEqual({
      closed: true,
      charged: 12,
      released: 18,
      expired: 0,
      balance: 88,
      held: 0,
    })
    expect(await findHold(database, job)).toEqual({ state: 'settled', amount: 30, charged: 12 })
    expect(await postingsOf(database, account)).toEqual([
      ['grant', 100, 0],
      ['hold', 0, 30],
      ['charge', -12, -12],
      ['release', 0, -18],
    ])
    expect(await usageOf(database, job)).toEqual([
      { stage: null, status_code: 202, units: 12, credits_charged: 12 },
    ])
  })

  it('of a chained job fills a usage row for each stage', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 100)
    const job = await acceptJob(database, account, 'searchWithDetails')
    await placeHold(database, { ...job, wanted: 40, least: 0 })
    expect(await usageOf(database, job)).toEqual([
      { stage: 'search', status_code: 202, units: 0, credits_charged: 0 },
      { stage: 'detail', status_code: 202, units: 0, credits_charged: 0 },
    ])
    const stages = [
      { requestId: job.requestId, stage: 'search', units: 20, credits: 20 },
      { requestId: job.requestId, stage: 'detail', units: 17, credits: 17 },
    ] as const
    await expect(settleHold(database, { ...job, stages: stages.slice(0, 1) })).rejects.toThrow('1 stages')
    expect(await settleHold(database, { ...job, stages })).toMatchObject({
      closed: true,
      charged: 37,
      released: 3,
    })
    expect(await usageOf(database, job)).toEqual([
      { stage: 'search', status_code: 202, units: 20, credits_charged: 20 },
      { stage: 'detail', status_code: 202, units: 17, credits_charged: 17 },
    ])
  })

  it('of a job without results releases everything', async () => {
    const { database, account, job } = await jobHolding(30)
    expect(await settleHold(database, rows(job, 0))).toMatchObject({ charged: 0, released: 30, balance: 100 })
    expect(await moneyOf(database, account)).toMatchObject({ balance: 100, held: 0 })
  })

  it('for more credits than held is refused and changes nothing', async () => {
    const { database, account, job } = await jobHolding(30)
    await expect(settleHold(database, rows(job, 31))).rejects.toThrow('30 are held')
    expect(await findHold(database, job)).toMatchObject({ state: 'open' })
    expect(await moneyOf(database, account)).toMatchObject({ balance: 100, held: 30 })
    await releaseHold(database, job)
  })

  it('that was never placed, or whose call left no usage row, is refused', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 10)
    const job = { accountId: account.accountId, jobId: randomUUID() }
    await expect(settleHold(database, { ...job, stages: [] })).rejects.toThrow()
    await placeHold(database, { ...job, wanted: 5, least: 1 })
    const stages = [{ requestId: 'req_unknown', stage: null, units: 1, credits: 1 }]
    await expect(settleHold(database, { ...job, stages })).rejects.toThrow('0 usage rows')
    await expect(settleHold(database, { ...job, stages: [] })).rejects.toThrow('0 usage rows')
    await releaseHold(database, job)
  })

  it('happens once: later settlements and releases return the first result', async () => {
    const { database, account, job } = await jobHolding(30)
    await settleHold(database, rows(job, 12))
    const was = { closed: false, state: 'settled', charged: 12, released: 18, balance: 88, held: 0 }
    expect(await settleHold(database, rows(job, 30))).toEqual(was)
    expect(await releaseHold(database, job)).toEqual(was)
    expect(await moneyOf(database, account)).toMatchObject({ balance: 88, held: 0 })
  })

  it('has no effect if its transaction is rolled back', async () => {
    const { database, account, job } = await jobHolding(30)
    const undone = database.transaction(async (tx) => {
      await settleHold(tx, rows(job, 12))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await findHold(database, job)).toMatchObject({ state: 'open' })
    expect(await settleHold(database, rows(job, 13))).toMatchObject({ closed: true, charged: 13 })
    expect(await moneyOf(database, account)).toMatchObject({ balance: 87 })
  })
})

describe('releasing a hold', () => {
  it('charges nothing and leaves the usage row at 0', async () => {
    const { database, account, job } = await jobHolding(30)
    expect(await releaseHold(database, job)).toMatchObject({ closed: true, charged: 0, released: 30 })
    expect(await releaseHold(database, job)).toMatchObject({ closed: false, state: 'released' })
    expect(await settleHold(database, rows(job, 5))).toMatchObject({
      closed: false,
      state: 'released',
      charged: 0,
    })
    expect(await moneyOf(database, account)).toMatchObject({ balance: 100, held: 0 })
    expect(await usageOf(database, job)).toEqual([
      { stage: null, status_code: 202, units: 0, credits_charged: 0 },
    ])
  })
})

describe('a hold over the end of a cycle', () => {
  it('keeps credits of the old cycle, which are spent first and expire when the hold is closed', async () => {
    const { database, account, job } = await jobHolding(80)
    await letPass(database, account, '32 days')
    expect(await database.query('select renew_if_due($1)', [account.accountId])).toBeTruthy()
    expect(await moneyOf(database, account)).toEqual({
      balance: 180,
      held: 80,
      grant_left: 100,
      expiring: 80,
    })
    expect(await settleHold(database, rows(job, 30))).toEqual({
      closed: true,
      charged: 30,
      released: 50,
      expired: 50,
      balance: 100,
      held: 0,
    })
    expect(await moneyOf(database, account)).toEqual({ balance: 100, held: 0, grant_left: 100, expiring: 0 })
    expect((await postingsOf(database, account)).slice(1)).toEqual([
      ['hold', 0, 80],
      ['expire', -20, 0],
      ['grant', 100, 0],
      ['charge', -30, -30],
      ['release', 0, -50],
      ['expire', -50, 0],
    ])
  })

  it('does not pass its old credits to holds of the new cycle', async () => {
    const { database, account, job: old } = await jobHolding(60)
    await letPass(database, account, '32 days')
    const young = await acceptJob(database, account)
    // The renewal that is due comes first: this hold lies on the new grant.
    expect(await placeHold(database, { ...young, wanted: 50, least: 1 })).toMatchObject({
      balance: 160,
      held: 110,
    })
    expect(await releaseHold(database, old)).toMatchObject({
      released: 60,
      expired: 60,
      balance: 100,
      held: 50,
    })
    expect(await settleHold(database, rows(young, 50))).toMatchObject({
      charged: 50,
      expired: 0,
      balance: 50,
    })
  })

  it('gives the old credits to the oldest holds first', async () => {
    const { database, account, job: first } = await jobHolding(50)
    const second = await acceptJob(database, account)
    await placeHold(database, { ...second, wanted: 40, least: 1 })
    // Of 100, 90 are held and 8 spent by calls out of what is not: 92 are left of the grant, 2 of them free.
    await createLedger(database).settle(callOf(account, 'listListings', 8))
    await database.query('select top_up($1, 30)', [account.accountId])
    await letPass(database, account, '32 days')
    // 122 with the top-up, 32 available: those expire, and 60 of the grant stay under holds of 90.
    await database.query('select renew_if_due($1)', [account.accountId])
    expect(await moneyOf(database, account)).toEqual({
      balance: 190,
      held: 90,
      grant_left: 100,
      expiring: 60,
    })
    expect(await releaseHold(database, second)).toMatchObject({ released: 40, expired: 10 })
    expect(await releaseHold(database, first)).toMatchObject({
      released: 50,
      expired: 50,
      balance: 130,
      held: 0,
    })
  })
})

async function usageOf(database: Queryable, job: { requestId: string }) {
  const { rows } = await database.query(
    'select stage, status_code, units, credits_charged from usage_rows where request_id = $1 order by id',
    [job.requestId],
  )
  return rows
}
