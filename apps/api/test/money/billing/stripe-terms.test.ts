// Payment by Stripe together with jobs that hold credits, and with terms that the operator changes.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/money/accounts/change-plan.ts'
import { plans } from '../../../src/money/accounts/plans.ts'
import { placeHold, releaseHold } from '../../../src/money/credits/holds.ts'
import { type Customer, withShop } from './stripe-shop.ts'

const shop = withShop()
const { testDatabase, customer, accountOf, purchasesOf, order } = shop
const { completed, refunded, disputed, buy, endCycle } = shop

async function hold({ accountId }: Customer, credits: number) {
  const job = { accountId, jobId: randomUUID() }
  const placed = await placeHold(testDatabase.database, { ...job, wanted: credits, least: 1 })
  expect(placed).toMatchObject({ placed: true, amount: credits })
  return job
}

describe('credits that jobs hold while their pack is refunded', () => {
  it('are deducted when the jobs release them, and responses show the balance after that', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    const [first, second] = [await hold(who, 700), await hold(who, 700)]
    await refunded(session, 2500)
    expect(await accountOf(who)).toMatchObject({ balance: 1400, held: 1400 })
    // A smaller hold may release in parts; a repeated fact asks for no more.
    await refunded(session, 2500)
    expect(await releaseHold(testDatabase.database, first)).toMatchObject({ balance: 1000, held: 700 })
    expect(await releaseHold(testDatabase.database, second)).toMatchObject({ balance: 1000, held: 0 })
    expect(await accountOf(who)).toMatchObject({ balance: 1000, grant_left: 1000 })
    await buy(who, 'small')
    await releaseHold(testDatabase.database, await hold(who, 100))
    expect((await accountOf(who)).balance).toBe(1500)
  })

  it('are restored if the dispute is won, released or not', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    const [first, second] = [await hold(who, 1200), await hold(who, 200)]
    await disputed(session, 'needs_response', 2500)
    await releaseHold(testDatabase.database, second)
    expect(await accountOf(who)).toMatchObject({ balance: 1200, held: 1200 })
    await disputed(session, 'won', 2500)
    await releaseHold(testDatabase.database, first)
    expect(await accountOf(who)).toMatchObject({ balance: 1500, held: 0 })
  })
})

it('credits of a refunded plan that jobs hold are deducted when the jobs release them', async () => {
  const who = await customer('free')
  const session = await buy(who, 'monthly')
  const job = await hold(who, 999)
  await refunded(session, 4900)
  expect(await accountOf(who)).toMatchObject({ balance: 999, held: 999 })
  await releaseHold(testDatabase.database, job)
  expect(await accountOf(who)).toMatchObject({ balance: 0, grant_left: 0 })
})

it('an overlapping refund and dispute deduct each credit once, also when the dispute is won', async () => {
  const who = await customer()
  const session = await buy(who, 'small')
  await disputed(session, 'needs_response', 1750)
  await refunded(session, 1250)
  expect((await accountOf(who)).balance).toBe(1000)
  expect(await disputed(session, 'won', 1750)).toBe(200)
  expect((await accountOf(who)).balance).toBe(1250)
})

describe('terms that the operator has changed', () => {
  it('keep a cycle that was paid in advance, and the plan still ends without a further payment', async () => {
    const who = await customer('free')
    await buy(who, 'monthly')
    await changePlan(testDatabase.database, who.accountId, { plan: 'monthly', ratePerMinute: 50 })
    expect(await accountOf(who)).toMatchObject({ prepaid: true, balance: 1000 })
    await changePlan(testDatabase.database, who.accountId, {
      plan: 'monthly',
      ratePerMinute: plans.monthly.rateLimitPerMinute,
    })
    await buy(who, 'monthly')
    await changePlan(testDatabase.database, who.accountId, { plan: 'monthly', ratePerMinute: 300 })
    expect(await accountOf(who)).toMatchObject({
      prepaid: true,
      balance: 1000,
      rate_limit_per_minute: 300,
      next_plan: { plan: 'monthly', by_customer: true },
    })
    await endCycle(who, 1)
    await who.visitor.get('/portal/billing')
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000, rate_limit_per_minute: 300 })
    await endCycle(who, 1)
    await who.visitor.get('/portal/billing')
    expect(await accountOf(who)).toMatchObject({ plan: 'free', balance: 0, prepaid: false })
  })

  it('are kept when a plan that was ordered earlier is paid: its credits are added', async () => {
    const who = await customer('free')
    const session = await order(who, 'monthly')
    await changePlan(testDatabase.database, who.accountId, { plan: 'custom', credits: 50_000 })
    await completed(session)
    expect(await accountOf(who)).toMatchObject({
      plan: 'custom',
      balance: 51_000,
      prepaid: false,
      next_plan: null,
    })
    expect(await purchasesOf(who)).toMatchObject([{ isGranted: true }])
    await refunded(session, 4900)
    expect((await accountOf(who)).balance).toBe(50_000)

    const denied = await customer('free')
    const upgrade = await order(denied, 'monthly')
    await changePlan(testDatabase.database, denied.accountId, {
      plan: 'free',
      deniedOperations: ['getProperty'],
    })
    await completed(upgrade)
    expect(await accountOf(denied)).toMatchObject({ plan: 'free', denied_operations: ['getProperty'] })
  })

  it('renew automatically again when a lower plan that was paid in advance is refunded', async () => {
    const who = await customer('annual')
    const session = await buy(who, 'monthly')
    expect(await accountOf(who)).toMatchObject({ plan: 'annual', prepaid: true })
    await refunded(session, 4900)
    expect(await accountOf(who)).toMatchObject({
      plan: 'annual',
      prepaid: false,
      next_plan: null,
      balance: 12_000,
    })
  })
})

it('a cycle that was paid in advance and is partly refunded begins without the refunded part', async () => {
  const who = await customer('free')
  await buy(who, 'monthly')
  const session = await buy(who, 'monthly')
  await refunded(session, 490)
  expect(await accountOf(who)).toMatchObject({ balance: 1000, next_plan: { plan: 'monthly' } })
  await endCycle(who, 1)
  await who.visitor.get('/portal/billing')
  expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 900, grant_left: 900 })
  // A refund of all of it, in two steps, before it begins: no cycle, and no credits.
  const next = await buy(who, 'monthly')
  await refunded(next, 490)
  await refunded(next, 4900)
  expect(await accountOf(who)).toMatchObject({ balance: 900, next_plan: null })
})
