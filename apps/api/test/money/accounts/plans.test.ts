import { openapi } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { findOutdated, withBlock } from '../../../guides/plan-tables.ts'
import { changePlan, type PlanChange } from '../../../src/money/accounts/change-plan.ts'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { PLANS, plans } from '../../../src/money/accounts/plans.ts'
import { topUp } from '../../../src/money/accounts/top-up.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { acceptJob, callOf, letPass, rows } from '../credits/money.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

it('the figures of the plans are the same in the contract, the guide, and the code', () => {
  expect(
    findOutdated().map(({ file }) => file.pathname),
    'run: pnpm generate',
  ).toEqual([])
})

it('the table of plans lists the watches of each plan, and POST /v1/watches refers to it', () => {
  const { description } = openapi.paths['/v1/watches']!.post as { description: string }
  expect(description.replaceAll(/\s+/g, ' ')).toContain('when it is created (see the schema `PlanId`)')
  const table = openapi.components!.schemas!.PlanId as { description: string }
  for (const id of PLANS) {
    const { maxWatches, maxWatchMatches, watchQueriesPerHour } = plans[id]
    const figures = [maxWatches, maxWatchMatches, watchQueriesPerHour]
    const cells = figures.map((figure) => figure.toLocaleString('en-US')).join(' | ')
    expect(table.description).toMatch(
      new RegExp(`^\\| \`${id}\` \\|.* \\| ${cells.replaceAll('|', '\\|')} \\|$`, 'm'),
    )
  }
})

it('the generator replaces only the lines of the plans in a text', () => {
  const text = 'before\n\n  | plan |\n  |---|\n  | `free` | 1 |\n  | `gone` | 2 |\n\n  | `free` | kept |\n'
  expect(withBlock(text, { first: '| `free` |', lines: ['| `free` | 7 |', '| `new` | 8 |'] })).toBe(
    'before\n\n  | plan |\n  |---|\n  | `free` | 7 |\n  | `new` | 8 |\n\n  | `free` | kept |\n',
  )
  expect(() => withBlock('nothing', { first: '| `free` |', lines: [] })).toThrow('no line')
})

describe('a plan', () => {
  it.each([
    ['free', 100, 20, false],
    ['monthly', 1_000, 200, true],
    ['annual', 12_000, 300, true],
    ['custom', 1_000, 300, true],
  ] as const)('%s grants %d credits at %d requests a minute', async (plan, credits, rate, topUps) => {
    const { database } = testDatabase
    const { accountId, key } = await openAccount(database, { plan })
    const me = await server.get('/v1/me', { key })
    expect(me.json.data).toMatchObject({
      plan_id: plan,
      plan: { id: plan, credits_per_cycle: credits, rate_limit_per_minute: rate },
      credits: { balance: credits, held: 0, available: credits, granted_this_cycle: credits },
    })
    expect(me.headers.get('ratelimit-policy')).toContain(`q=${rate};`)
    expect((await topUp(database, accountId, 5)).toppedUp).toBe(topUps)
    expect(plans[plan].topUps).toBe(topUps)
  })

  it('can have other figures when the account is opened', async () => {
    const { accountId } = await openAccount(testDatabase.database, {
      plan: 'custom',
      credits: 7,
      ratePerMinute: 3,
      deniedOperations: ['listUsage'],
    })
    expect(await findAccount(testDatabase.database, accountId)).toMatchObject({
      credits_per_cycle: 7,
      rate_limit_per_minute: 3,
      denied_operations: ['listUsage'],
      balance: 7,
    })
  })
})

describe('a change of plan', () => {
  const figures = { credits: 1_000, ratePerMinute: 300 }
  it.each<[from: PlanChange, to: PlanChange, outcome: string]>([
    [{ plan: 'free' }, { plan: 'monthly' }, 'begun'],
    [{ plan: 'free' }, { plan: 'annual' }, 'begun'],
    [{ plan: 'free' }, { plan: 'custom', credits: 1 }, 'begun'],
    [{ plan: 'free' }, { plan: 'free', credits: 500 }, 'adjusted'],
    [{ plan: 'monthly' }, { plan: 'annual' }, 'begun'],
    [{ plan: 'monthly' }, { plan: 'custom' }, 'begun'],
    [{ plan: 'monthly' }, { plan: 'custom', credits: 999 }, 'waiting'],
    [{ plan: 'monthly' }, { plan: 'custom', credits: 5_000, ratePerMinute: 100 }, 'waiting'],
    [{ plan: 'monthly' }, { plan: 'free' }, 'waiting'],
    [{ plan: 'monthly' }, { plan: 'free', atOnce: true }, 'begun'],
    [{ plan: 'annual' }, { plan: 'monthly' }, 'waiting'],
    [{ plan: 'annual' }, { plan: 'monthly', atOnce: true }, 'begun'],
    [{ plan: 'annual' }, { plan: 'free' }, 'waiting'],
    [{ plan: 'custom', ...figures }, { plan: 'custom', deniedOperations: ['listUsage'] }, 'adjusted'],
    [{ plan: 'custom', ...figures }, { plan: 'custom', ratePerMinute: 10 }, 'adjusted'],
    [{ plan: 'custom', ...figures }, { plan: 'custom', credits: 2_000 }, 'begun'],
    [{ plan: 'custom', ...figures }, { plan: 'custom', credits: 500 }, 'waiting'],
    [{ plan: 'monthly' }, { plan: 'monthly' }, 'adjusted'],
  ])('from %j to %j is %s', async (from, to, outcome) => {
    const { database } = testDatabase
    const { accountId } = await openAccount(database, from)
    const before = (await findAccount(database, accountId))!
    const changed = (await changePlan(database, accountId, to))!
    expect(changed.outcome).toBe(outcome)
    const { account } = changed
    if (outcome === 'waiting') {
      expect(account).toMatchObject({ ...before, next_plan: { plan: to.plan } })
    } else {
      expect(account).toMatchObject({ plan: to.plan, next_plan: null })
      expect(account.renews_at === null).toBe(to.plan === 'free')
    }
    if (outcome === 'begun') {
      expect(account.balance).toBe(account.credits_per_cycle)
      expect(account.current_period_start.getTime()).toBeGreaterThan(before.current_period_start.getTime())
    }
    if (outcome === 'adjusted') {
      expect(account).toMatchObject({ balance: before.balance, renews_at: before.renews_at })
    }
  })

  it('that takes effect immediately begins a new cycle: the rest of the grant expires, and top-ups and holds stay', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'monthly' })
    await topUp(database, account.accountId, 30)
    await createLedger(database).settle(callOf(account, 'listListings', 50))
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 100, least: 1 })
    await changePlan(database, account.accountId, { plan: 'annual' })
    const { balance, held, grant_left, expiring, granted_this_cycle } = (await findAccount(
      database,
      account.accountId,
    ))!
    expect({ balance, held, grant_left, expiring, granted_this_cycle }).toEqual({
      balance: 12_000 + 30 + 70,
      held: 100,
      grant_left: 12_000,
      expiring: 70,
      granted_this_cycle: 12_000,
    })
    expect(await settleHold(database, rows(job, 10))).toMatchObject({
      charged: 10,
      expired: 60,
      balance: 12_030,
    })
  })

  it('applies to calls within a second', async () => {
    const { database } = testDatabase
    const { accountId, key } = await openAccount(database, { plan: 'free' })
    await server.get('/v1/usage', { key })
    await changePlan(database, accountId, {
      plan: 'custom',
      ratePerMinute: 77,
      deniedOperations: ['listUsage'],
    })
    await expect
      .poll(async () => (await server.get('/v1/usage', { key })).code, { timeout: 1_000, interval: 200 })
      .toBe('plan_not_allowed')
    const me = await server.get('/v1/me', { key })
    expect(me.headers.get('ratelimit-policy')).toContain('q=77;')
    expect(me.json.data.plan_id).toBe('custom')
  })

  it('cancels a change that was waiting', async () => {
    const { database } = testDatabase
    const { accountId } = await openAccount(database, { plan: 'annual' })
    await changePlan(database, accountId, { plan: 'free' })
    expect((await changePlan(database, accountId, { plan: 'annual' }))!.account.next_plan).toBeNull()
    await changePlan(database, accountId, { plan: 'free' })
    const { account } = (await changePlan(database, accountId, { plan: 'monthly' }))!
    expect(account.next_plan).toEqual({
      plan: 'monthly',
      by_customer: false,
      credits_per_cycle: 1_000,
      rate_limit_per_minute: 200,
      denied_operations: [],
    })
  })

  it('happens after a renewal that is due', async () => {
    const { database } = testDatabase
    const account = await openAccount(database, { plan: 'monthly' })
    await changePlan(database, account.accountId, { plan: 'free' })
    await letPass(database, account, '40 days')
    // By now the account is on the free plan, so nothing waits.
    const { outcome, account: after } = (await changePlan(database, account.accountId, { plan: 'monthly' }))!
    expect(outcome).toBe('begun')
    expect(after).toMatchObject({ plan: 'monthly', balance: 1_000 })
  })

  it('of an account that does not exist is refused', async () => {
    for (const plan of PLANS) {
      expect(await changePlan(testDatabase.database, crypto.randomUUID(), { plan })).toBeUndefined()
    }
  })
})
