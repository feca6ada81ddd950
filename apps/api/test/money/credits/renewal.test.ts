import { describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/money/accounts/change-plan.ts'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { topUp } from '../../../src/money/accounts/top-up.ts'
import { renewIfDue } from '../../../src/money/credits/cycles.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { callOf, letPass, moneyOf, openWith, postingsOf } from './money.ts'

const testDatabase = withTestDatabase({ poolSize: 20 })
const server = withTestServer(testDatabase)

describe('a renewal', () => {
  it('expires the rest of the grant, keeps top-ups, and grants the new credits', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'monthly' })
    await topUp(database, account.accountId, 50)
    await createLedger(database).settle(callOf(account, 'listListings', 50))
    expect(await renewIfDue(database, account.accountId)).toBe(false)
    await letPass(database, account, '32 days')
    expect(await renewIfDue(database, account.accountId)).toBe(true)
    expect(await renewIfDue(database, account.accountId)).toBe(false)
    expect(await moneyOf(database, account)).toEqual({
      balance: 1050,
      held: 0,
      grant_left: 1000,
      expiring: 0,
    })
    expect(await postingsOf(database, account)).toEqual([
      ['grant', 1000, 0],
      ['topup', 50, 0],
      ['charge', -50, 0],
      ['expire', -950, 0],
      ['grant', 1000, 0],
    ])
  })

  it('after months without a call is one expiry and one grant, for the current cycle', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'monthly' })
    await letPass(database, account, '200 days')
    await renewIfDue(database, account.accountId)
    expect(await postingsOf(database, account)).toEqual([
      ['grant', 1000, 0],
      ['expire', -1000, 0],
      ['grant', 1000, 0],
    ])
    const { current_period_start, renews_at } = (await findAccount(database, account.accountId))!
    const now = Date.now()
    expect(current_period_start.getTime()).toBeLessThanOrEqual(now)
    expect(renews_at!.getTime()).toBeGreaterThan(now)
    expect(renews_at!.getTime() - current_period_start.getTime()).toBeLessThanOrEqual(31 * 86_400_000)
  })

  it('happens once, also when requested concurrently', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'annual' })
    await letPass(database, account, '367 days')
    const ledger = createLedger(database)
    const asked = await Promise.all([
      ...Array.from({ length: 40 }, () => renewIfDue(database, account.accountId)),
      ...Array.from({ length: 10 }, () => ledger.settle(callOf(account, 'getProperty', 1))),
    ])
    expect(asked.filter((answer) => answer === true).length).toBeLessThanOrEqual(1)
    expect(await moneyOf(database, account)).toMatchObject({ balance: 11_990 })
    const kinds = (await postingsOf(database, account)).map(([kind]) => kind)
    expect(kinds.filter((kind) => kind === 'grant')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'expire')).toHaveLength(1)
  })

  it('happens before any charge of the new cycle, so that the grant is spent before top-ups', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 10)
    await topUp(database, account.accountId, 20)
    const ledger = createLedger(database)
    await ledger.settle(callOf(account, 'listListings', 10))
    await letPass(database, account, '32 days')
    expect(await ledger.settle(callOf(account, 'listListings', 4))).toMatchObject({ charged: 4, balance: 26 })
    expect(await moneyOf(database, account)).toMatchObject({ balance: 26, grant_left: 6 })
  })

  it('happens for an account at balance 0 with its next call', async () => {
    const { database } = testDatabase
    const account = await server.openAccount({ plan: 'monthly', credits: 1 })
    await createLedger(database).settle(callOf(account, 'getProperty', 1))
    expect((await server.get('/v1/me', { key: account.key })).code).toBe('out_of_credits')
    await letPass(database, account, '32 days')
    await expect
      .poll(async () => (await server.get('/v1/me', { key: account.key })).status, { timeout: 2_000 })
      .toBe(200)
    const me = await server.get('/v1/me', { key: account.key })
    expect(me.json.data.credits).toEqual({ balance: 1, held: 0, available: 1, granted_this_cycle: 1 })
  })

  it('never happens on the free plan', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'free' })
    await letPass(database, account, '3 years')
    expect(await renewIfDue(database, account.accountId)).toBe(false)
    expect(await moneyOf(database, account)).toMatchObject({ balance: 100 })
  })
})

describe('the days of a cycle', () => {
  async function cycleAt(anchor: string, months: number, at: string): Promise<string> {
    const { rows } = await testDatabase.database.query<{ begins: Date; ends: Date }>(
      'select begins, ends from cycle_at($1, $2, $3)',
      [anchor, months, at],
    )
    return `${day(rows[0]!.begins)} to ${day(rows[0]!.ends)}`
  }
  const day = (at: Date) => at.toISOString().replace('T00:00:00.000Z', '')

  it('that began on the 31st are the last days of short months, and then the 31st again', async () => {
    expect(await cycleAt('2026-01-31', 1, '2026-02-27')).toBe('2026-01-31 to 2026-02-28')
    expect(await cycleAt('2026-01-31', 1, '2026-02-28')).toBe('2026-02-28 to 2026-03-31')
    expect(await cycleAt('2026-01-31', 1, '2026-03-30')).toBe('2026-02-28 to 2026-03-31')
    expect(await cycleAt('2026-01-31', 1, '2026-03-31')).toBe('2026-03-31 to 2026-04-30')
    expect(await cycleAt('2023-10-31', 1, '2024-02-29')).toBe('2024-02-29 to 2024-03-31')
    expect(await cycleAt('2023-12-30', 1, '2033-03-01')).toBe('2033-02-28 to 2033-03-30')
  })

  it('of a year that began on a leap day return to it', async () => {
    expect(await cycleAt('2024-02-29', 12, '2025-02-27')).toBe('2024-02-29 to 2025-02-28')
    expect(await cycleAt('2024-02-29', 12, '2028-03-01')).toBe('2028-02-29 to 2029-02-28')
  })

  it('are counted in UTC, whatever the time zone of the session', async () => {
    const { rows } = await testDatabase.database.transaction(async (tx) => {
      await tx.query("set local timezone = 'Pacific/Auckland'")
      return tx.query<{ ends: Date }>(
        "select ends from cycle_at('2026-01-30T12:00Z', 1, '2026-02-01T00:00Z')",
      )
    })
    expect(rows[0]!.ends.toISOString()).toBe('2026-02-28T12:00:00.000Z')
  })

  it('of an account can be read after a renewal', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'monthly' })
    await database.query(
      "update accounts set cycle_anchor = '2025-01-31', current_period_start = '2025-01-31', renews_at = '2025-02-28' where id = $1",
      [account.accountId],
    )
    await renewIfDue(database, account.accountId)
    const { current_period_start, renews_at } = (await findAccount(database, account.accountId))!
    expect(`${day(current_period_start)} to ${day(renews_at!)}`).toBe(
      await cycleAt('2025-01-31', 1, new Date().toISOString()),
    )
  })
})

describe('a waiting downgrade', () => {
  it('takes effect at the renewal, with its own figures', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'annual' })
    await topUp(database, account.accountId, 7)
    const changed = await changePlan(database, account.accountId, {
      plan: 'monthly',
      deniedOperations: ['listUsage'],
    })
    expect(changed!.outcome).toBe('waiting')
    expect(await moneyOf(database, account)).toMatchObject({ balance: 12_007 })
    await letPass(database, account, '1 year 40 days')
    await renewIfDue(database, account.accountId)
    const after = (await findAccount(database, account.accountId))!
    expect(after).toMatchObject({
      plan: 'monthly',
      credits_per_cycle: 1000,
      rate_limit_per_minute: 200,
      denied_operations: ['listUsage'],
      balance: 1007,
      next_plan: null,
    })
    // The year had ended 40 days ago, so this is the second month.
    const days = (Date.now() - after.current_period_start.getTime()) / 86_400_000
    expect(days).toBeGreaterThan(8)
    expect(days).toBeLessThan(13)
    expect(after.renews_at!.getTime()).toBeGreaterThan(Date.now())
  })

  it('to the free plan ends the cycles, and its credits are granted only once per account', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'monthly' })
    await topUp(database, account.accountId, 7)
    for (const granted of [100, 0]) {
      expect((await changePlan(database, account.accountId, { plan: 'free' }))!.outcome).toBe('waiting')
      await letPass(database, account, '32 days')
      await renewIfDue(database, account.accountId)
      const after = await findAccount(database, account.accountId)
      expect(after).toMatchObject({
        plan: 'free',
        renews_at: null,
        granted_this_cycle: granted,
        balance: granted + 7,
      })
      expect(await topUp(database, account.accountId, 1)).toEqual({
        toppedUp: false,
        because: 'plan has no top-ups',
      })
      await changePlan(database, account.accountId, { plan: 'monthly' })
    }
  })
})
