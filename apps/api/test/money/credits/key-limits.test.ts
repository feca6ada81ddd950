// Key limits in the ledger: charges and holds of a key never exceed its limit, even concurrently, and a period ends at midnight
// UTC.

import { describe, expect, it } from 'vitest'
import type { Database, Queryable } from '../../../src/infrastructure/database/database.ts'
import {
  type CreditLimit,
  findKeyAllowance,
  type LimitPeriod,
  MAX_KEY_LIMIT,
  setKeyLimit,
} from '../../../src/money/accounts/key-limits.ts'
import { issueKey, rotateKey } from '../../../src/money/accounts/keys.ts'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { auditLedger } from '../../../src/money/credits/audit.ts'
import {
  growHold,
  type PlaceHoldResult,
  placeHold,
  releaseHold,
  settleHold,
} from '../../../src/money/credits/holds.ts'
import { createLedger, type Settlement } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { driftOf } from './drift.ts'
import { acceptJob, callOf, moneyOf, openWith, rows, type TestJob } from './money.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })

/** An account with 1,000 credits whose key has this limit. */
async function openLimited(credits: number, per: LimitPeriod = 'total', balance = 1_000) {
  const account = await openWith(testDatabase.database, balance)
  await setKeyLimit(testDatabase.database, account.keyId, { credits, per })
  return account
}

const usedOf = async ({ keyId }: { keyId: string }) =>
  (await findKeyAllowance(testDatabase.database, keyId))?.used

/** Ends the present period of a limit at a moment, as midnight does. `at` is an expression of PostgreSQL. */
async function endPeriod({ keyId }: OpenedAccount, at: string): Promise<void> {
  await testDatabase.database.query(
    `update key_limits set period_ends = ${at} where id = (select limit_id from api_keys where id = $1)`,
    [keyId],
  )
}

const chargedIn = (settled: readonly Settlement[]) => settled.reduce((sum, { charged }) => sum + charged, 0)

/** Thrown to roll a transaction back. */
class RolledBackOnPurpose extends Error {}

/** The hold of a new job of the key. A job that is refused leaves nothing. */
async function hold(account: OpenedAccount, wanted: number, least = 1) {
  const answers: { job: TestJob; placed: PlaceHoldResult }[] = []
  await undoable(async (tx) => {
    const job = await acceptJob(tx, account)
    const placed = await placeHold(tx, { ...job, wanted, least, keyId: account.keyId })
    answers.push({ job, placed })
    if (!placed.placed) throw new RolledBackOnPurpose()
  })
  return answers[0]!
}

async function undoable(work: (tx: Queryable) => Promise<void>): Promise<void> {
  await testDatabase.database.transaction(work).catch((error) => {
    if (!(error instanceof RolledBackOnPurpose)) throw error
  })
}

describe('the limit of a key', () => {
  it('of 57 credits is charged exactly 57 by 200 concurrent calls', async () => {
    const { database } = testDatabase
    const account = await openLimited(60)
    const processes = Array.from({ length: 10 }, () => createLedger(database))
    await processes[0]!.settle(callOf(account, 'listListings', 3))
    const settled = await Promise.all(
      Array.from({ length: 200 }, (_, n) => processes[n % 10]!.settle(callOf(account, 'getProperty', 1))),
    )
    expect(settled.filter(({ verdict, charged }) => verdict === 'settled' && charged === 1)).toHaveLength(57)
    expect(settled.filter(({ verdict }) => verdict === 'insufficient')).toHaveLength(143)
    expect(Math.min(...settled.map(({ keyLeft }) => keyLeft!))).toBe(0)
    expect(await usedOf(account)).toBe(60)
    expect(await moneyOf(database, account)).toMatchObject({ balance: 940 })
    expect(await driftOf(database)).toEqual([])
  })

  it('is shared with the key of a rotation, including the used credits', async () => {
    const { database } = testDatabase
    const account = await openLimited(20)
    const ledger = createLedger(database)
    await ledger.settle(callOf(account, 'listListings', 6))
    const rotation = await rotateKey(database, account.keyId, 60)
    if (!rotation.rotated) throw new Error(rotation.because)
    const keys = [account.keyId, rotation.keyId]
    const settled = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        ledger.settle(callOf(account, 'getProperty', 1, { keyId: keys[n % 2]! })),
      ),
    )
    expect(chargedIn(settled)).toBe(14)
    expect(await usedOf(rotation)).toBe(20)
    expect(await driftOf(database)).toEqual([])
  })

  it('does not affect the other keys of the account', async () => {
    const { database } = testDatabase
    const account = await openLimited(1)
    const ledger = createLedger(database)
    const other = await issueKey(database, account.accountId)
    const settled = await Promise.all([
      ledger.settle(callOf(account, 'listListings', 5)),
      ledger.settle(callOf(account, 'listListings', 5, { keyId: other.keyId })),
      ledger.settle(callOf(account, 'getProperty', 1)),
    ])
    expect(settled.map(({ verdict, charged, keyLeft }) => [verdict, charged, keyLeft])).toEqual([
      ['settled', 1, 0],
      ['settled', 5, null],
      ['insufficient', 0, 0],
    ])
  })

  it('can be raised, lowered, and removed; with another period, counting restarts at 0', async () => {
    const { database } = testDatabase
    const account = await openLimited(10)
    const ledger = createLedger(database)
    const charge = async () => (await ledger.settle(callOf(account, 'listListings', 4))).charged
    const set = (limit: CreditLimit | null) => setKeyLimit(database, account.keyId, limit)
    expect([await charge(), await charge(), await charge()]).toEqual([4, 4, 2])
    await set({ credits: 13, per: 'total' })
    expect(await charge()).toBe(3)
    await set({ credits: 5, per: 'total' })
    expect(await findKeyAllowance(database, account.keyId)).toMatchObject({ used: 13, remaining: 0 })
    expect(await charge()).toBe(0)
    await set({ credits: 5, per: 'month' })
    expect([await charge(), await charge()]).toEqual([4, 1])
    expect(await driftOf(database)).toEqual([])
    await set(null)
    expect(await findKeyAllowance(database, account.keyId)).toBeUndefined()
    expect(await charge()).toBe(4)
    expect((await ledger.settle(callOf(account, 'getProperty', 1))).keyLeft).toBeNull()
  })

  it.each([0, 1, 2, 3, 4, MAX_KEY_LIMIT])(
    'of %i credits allows a call of 3 credits only within it',
    async (limit) => {
      const account = await openLimited(limit)
      const settled = await createLedger(testDatabase.database).settle(
        callOf(account, 'getPropertyByAddress', 1),
      )
      const charged = limit >= 3 ? 3 : 0
      expect(settled).toMatchObject({ charged, keyLeft: limit - charged })
    },
  )
})

describe('the period of a limit', () => {
  it('resets at midnight under load, and each day is charged exactly the limit', async () => {
    const { database } = testDatabase
    const account = await openLimited(50, 'day')
    const processes = Array.from({ length: 5 }, () => createLedger(database))
    // Midnight comes while the calls run.
    await endPeriod(account, `clock_timestamp() + interval '150 ms'`)
    const { rows: before } = await database.query<{ after: number }>(
      'select counted_after as after from key_limits where account_id = $1',
      [account.accountId],
    )
    const settled: Settlement[] = []
    const isOver = () => settled.filter(({ charged }) => charged > 0).length === 100
    const until = performance.now() + 20_000
    const client = async (n: number) => {
      while (!isOver() && performance.now() < until)
        settled.push(await processes[n % 5]!.settle(callOf(account, 'getProperty', 1)))
    }
    await Promise.all(Array.from({ length: 40 }, (_, n) => client(n)))
    const { rows } = await database.query<{ first: number; second: number; used: number }>(
      `select count(*) filter (where u.id < l.counted_after)::integer as first,
         count(*) filter (where u.id > l.counted_after)::integer as second, l.used
       from usage_rows u join key_limits l on l.account_id = u.account_id
       where u.account_id = $1 and u.credits_charged > 0 and u.id > $2 group by l.used`,
      [account.accountId, before[0]!.after],
    )
    expect(rows).toEqual([{ first: 50, second: 50, used: 50 }])
    expect(await driftOf(database)).toEqual([])
  })

  it('leaves the full limit when it has ended, even before the next charge', async () => {
    const { database } = testDatabase
    const account = await openLimited(5, 'week')
    await createLedger(database).settle(callOf(account, 'listListings', 5))
    await endPeriod(account, `now() - interval '1 second'`)
    const allowance = (await findKeyAllowance(database, account.keyId))!
    expect(allowance).toMatchObject({ used: 0, remaining: 5 })
    expect(allowance.resetsAt!.getTime()).toBeGreaterThan(Date.now())
    expect(allowance.resetsAt!.getUTCDay()).toBe(1)
  })

  it('does not go back for a charge whose transaction began before midnight', async () => {
    const { database } = testDatabase
    const account = await openLimited(10, 'day')
    await database.transaction(async (tx) => {
      // This transaction's clock stands still from here on.
      await tx.query('select now()')
      await endPeriod(account, 'clock_timestamp()')
      await createLedger(database).settle(callOf(account, 'listListings', 4))
      const { rows } = await tx.query<{ charged: number; key_left: number }>(
        `select charged, key_left from settle_calls(array[$1::uuid], array[$2::uuid], array['req_late'], array['/'],
           array['listListings'], array['search'], array[200], array[now()], array['row'], array[9::bigint], array[1::bigint],
           array[0::bigint], array[null::text], array[null::bigint], array[null::text])`,
        [account.accountId, account.keyId],
      )
      expect(rows).toEqual([{ charged: 6, key_left: 0 }])
    })
    expect(await usedOf(account)).toBe(10)
  })

  it.each([
    ['day', '2026-03-08T07:59:59.999Z', '2026-03-09T00:00:00.000Z'],
    ['day', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['day', '2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z'],
    ['week', '2026-11-22T23:59:59.999Z', '2026-11-23T00:00:00.000Z'],
    ['week', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['month', '2028-02-29T12:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ])('%s: at %s, ends at %s in UTC, in any session time zone', async (per, at, end) => {
    for (const zone of ['UTC', 'America/Los_Angeles', 'Pacific/Auckland']) {
      const { rows } = await testDatabase.database.transaction(async (tx) => {
        await tx.query(`set local timezone = '${zone}'`)
        return tx.query<{ end: Date }>('select limit_period_end($1, $2) as end', [per, at])
      })
      expect(rows[0]!.end.toISOString()).toBe(end)
    }
  })
})

describe('the audit of key limits', () => {
  it.each([
    ['counted a credit too many', 'update key_limits set used = used + 1, most = most + 1'],
    ['counted a credit too few', 'update key_limits set used = used - 1 where used > 0'],
    ['is not looked at', 'update accounts set has_key_limits = false'],
    [
      'has not counted a hold',
      'update holds set key_id = null where job_id = (select job_id from holds where limit_counted > 0 limit 1)',
    ],
  ])('finds a limit that %s', async (_, statement) => {
    const { database } = testDatabase
    const account = await openLimited(20)
    await createLedger(database).settle(callOf(account, 'listListings', 6))
    const { job } = await hold(account, 5)
    const found = new Set<string>()
    await undoable(async (tx) => {
      await tx.query('grant update on holds to current_user')
      await tx.query(statement)
      const inside: Database = { ...database, query: tx.query, transaction: (work) => work(tx) }
      await auditLedger(inside, ({ check }) => void found.add(check))
      throw new RolledBackOnPurpose()
    })
    expect([...found]).toEqual(['key limit is its charges'])
    await releaseHold(database, job)
  })
})

describe('the hold of a job under a key limit', () => {
  it('counts when it is placed, and is returned when it is released or not charged', async () => {
    const { database } = testDatabase
    const account = await openLimited(30)
    const first = await hold(account, 20)
    expect(first.placed).toMatchObject({ amount: 20, keyLeft: 10 })
    const second = await hold(account, 20)
    expect(second.placed).toMatchObject({ placed: true, amount: 10, keyLeft: 0 })
    expect((await hold(account, 5)).placed).toMatchObject({ placed: false, keyLeft: 0 })
    await releaseHold(database, second.job)
    expect(await usedOf(account)).toBe(20)
    expect(await growHold(database, { ...first.job, by: 500 })).toMatchObject({ by: 10, keyLeft: 0 })
    expect(await growHold(database, { ...first.job, by: 1 })).toMatchObject({ because: 'key_limit' })
    await settleHold(database, rows(first.job, 12))
    expect(await usedOf(account)).toBe(12)
  })

  it('of an earlier day is returned to that day, and not to the present one', async () => {
    const { database } = testDatabase
    const account = await openLimited(30, 'day')
    const { job } = await hold(account, 25)
    await endPeriod(account, 'now()')
    await createLedger(database).settle(callOf(account, 'listListings', 10))
    expect(await growHold(database, { ...job, by: 15 })).toMatchObject({ by: 15, keyLeft: 5 })
    expect(await usedOf(account)).toBe(25)
    // Of 40 held, 30 are charged: 10 of the 15 of today come back.
    await settleHold(database, rows(job, 30))
    expect(await usedOf(account)).toBe(15)
    expect((await driftOf(database)).filter(({ check }) => check === 'key limit is its charges')).toEqual([])
  })

  it('never exceeds the limit together with concurrent calls', async () => {
    const { database } = testDatabase
    const account = await openLimited(100)
    const ledger = createLedger(database)
    const jobs = Promise.all(Array.from({ length: 10 }, () => hold(account, 9, 9)))
    const calls = Promise.all(
      Array.from({ length: 120 }, () => ledger.settle(callOf(account, 'getProperty', 1))),
    )
    const [held, charged] = [await jobs, chargedIn(await calls)]
    const placed = held.filter(({ placed }) => placed.placed)
    expect(charged + placed.length * 9).toBe(await usedOf(account))
    expect(await usedOf(account)).toBeLessThanOrEqual(100)
    for (const { job } of placed) await releaseHold(database, job)
    expect(await usedOf(account)).toBe(charged)
  })
})
