// Concurrent operations over many connections, as from many processes.

import { describe, expect, it } from 'vitest'
import { growHold, placeHold, releaseHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { acceptJob, callOf, moneyOf, openWith, postingsOf, rows } from './money.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })

describe('concurrent spending', () => {
  it('of 1 credit by 200 calls over 10 keys in 10 processes succeeds exactly once, in 100 rounds', async () => {
    const { database } = testDatabase
    // Each ledger groups its own calls, as each process would.
    const processes = Array.from({ length: 10 }, () => createLedger(database))
    for (let round = 0; round < 100; round++) {
      const account = await openWith(database, 1)
      const settled = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          processes[n % 10]!.settle(callOf(account, 'getProperty', 1, { keyId: keys[n % 10]! })),
        ),
      )
      expect(settled.filter(({ verdict }) => verdict === 'settled')).toHaveLength(1)
      expect(
        settled.filter(({ verdict, charged }) => verdict === 'insufficient' && charged === 0),
      ).toHaveLength(199)
      expect(await moneyOf(database, account)).toMatchObject({ balance: 0, grant_left: 0 })
    }
  })

  it('of 57 credits by 200 calls charges exactly 57', async () => {
    const { database } = testDatabase
    const processes = Array.from({ length: 10 }, () => createLedger(database))
    const account = await openWith(database, 57)
    const settled = await Promise.all(
      Array.from({ length: 200 }, (_, n) => processes[n % 10]!.settle(callOf(account, 'getProperty', 1))),
    )
    expect(settled.filter(({ verdict, charged }) => verdict === 'settled' && charged === 1)).toHaveLength(57)
    expect(settled.reduce((sum, { charged }) => sum + charged, 0)).toBe(57)
    expect(await moneyOf(database, account)).toMatchObject({ balance: 0, grant_left: 0 })
  })

  // One statement would read the record with a snapshot from before the wait, and sell it.
  it('does not charge for a record that is replaced while its charge waits', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 10)
    await database.query(
      "insert into cached_records (source, zpid, generation, record) values ('remote', '570', null, '{}')",
    )
    const locked = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const holding = database.transaction(async (tx) => {
      await tx.query('select 1 from accounts where id = $1 for no key update', [account.accountId])
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    const record = { source: 'remote', zpid: '570', generation: null }
    const settling = createLedger(database).settle(callOf(account, 'getProperty', 1, { record }))
    await expect
      .poll(async () => {
        const { rows } = await database.query<{ waiting: number }>(
          "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return rows[0]!.waiting
      })
      .toBe(1)
    await database.query("delete from cached_records where zpid = '570'")
    gate.resolve()
    await holding
    expect(await settling).toMatchObject({ verdict: 'stale', charged: 0 })
    expect(await moneyOf(database, account)).toMatchObject({ balance: 10 })
  })

  it('settles a hold once, even with 10,000 concurrent settlements', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 1_000)
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 100, least: 1 })
    let won = 0
    for (let batch = 0; batch < 100; batch++) {
      const settled = await Promise.all(
        Array.from({ length: 100 }, (_, n) => settleHold(database, rows(job, 40 + (n % 3)))),
      )
      won += settled.filter(({ closed }) => closed).length
      expect(new Set(settled.map(({ charged, balance, held }) => `${charged} ${balance} ${held}`)).size).toBe(
        1,
      )
    }
    expect(won).toBe(1)
    const kinds = (await postingsOf(database, account)).map(([kind]) => kind)
    expect(kinds).toEqual(['grant', 'hold', 'charge', 'release'])
  })

  it('either settles or releases a hold, completely', async () => {
    const { database } = testDatabase
    for (let round = 0; round < 50; round++) {
      const account = await openWith(database, 100)
      const job = await acceptJob(database, account)
      await placeHold(database, { ...job, wanted: 50, least: 1 })
      const closed = await Promise.all([
        settleHold(database, rows(job, 20)),
        releaseHold(database, job),
        growHold(database, { ...job, by: 10 }),
        settleHold(database, rows(job, 30)),
        releaseHold(database, job),
      ])
      expect(closed.filter((one) => 'closed' in one && one.closed)).toHaveLength(1)
      const { balance, held } = await moneyOf(database, account)
      expect([100, 80, 70]).toContain(balance)
      expect(held).toBe(0)
    }
  })

  it('never gives the same credit to two of holds, calls, and releases', async () => {
    const { database } = testDatabase
    const ledger = createLedger(database)
    const account = await openWith(database, 60)
    /** A refused job is not accepted: its usage row is undone with it. */
    const accept = () =>
      database
        .transaction(async (tx) => {
          const job = await acceptJob(tx, account)
          const placed = await placeHold(tx, { ...job, wanted: 5, least: 5 })
          if (!placed.placed) throw new RefusedJob()
          return job
        })
        .catch((error) => {
          if (!(error instanceof RefusedJob)) throw error
        })
    const [accepted, called] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, accept)),
      Promise.all(Array.from({ length: 40 }, () => ledger.settle(callOf(account, 'getProperty', 1)))),
    ])
    const jobs = accepted.filter((job) => job !== undefined)
    const charged = called.reduce((sum, one) => sum + one.charged, 0)
    expect(await moneyOf(database, account)).toMatchObject({ balance: 60 - charged, held: jobs.length * 5 })
    expect(jobs.length * 5 + charged).toBeLessThanOrEqual(60)
    for (const job of jobs) await settleHold(database, rows(job, 5))
    expect(await moneyOf(database, account)).toMatchObject({
      balance: 60 - charged - jobs.length * 5,
      held: 0,
    })
  })
})

class RefusedJob extends Error {}

const keys = Array.from({ length: 10 }, () => crypto.randomUUID())
