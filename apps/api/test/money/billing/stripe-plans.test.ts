// Plans with Stripe: each cycle is paid separately, begins once, and ends in Free without another payment.

import { describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/money/accounts/change-plan.ts'
import { plans } from '../../../src/money/accounts/plans.ts'
import { withShop } from './stripe-shop.ts'

const shop = withShop()
const { testDatabase, customer, accountOf, purchasesOf, spend, order, refusalOf } = shop
const { completed, refunded, disputed, buy, endCycle } = shop

describe('a plan', () => {
  it('begins when its cycle is paid, and becomes Free when the next cycle is not paid', async () => {
    const who = await customer('free')
    const session = await order(who, 'monthly')
    expect(await refusalOf(who, 'annual')).toBe('open plan')
    await Promise.all([completed(session), completed(session)])
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000, prepaid: true })
    expect((await who.visitor.get('/portal/billing')).text).toContain('Your plan becomes Free on')
    await endCycle(who, 1)
    await who.visitor.get('/portal/billing')
    expect(await accountOf(who)).toMatchObject({
      plan: 'free',
      prepaid: false,
      renews_at: null,
      balance: 0,
      credits_per_cycle: plans.free.creditsPerCycle,
      rate_limit_per_minute: plans.free.rateLimitPerMinute,
    })
  })

  it('continues when the next cycle is paid in advance, and that cycle is granted once, when it begins', async () => {
    const who = await customer('free')
    await buy(who, 'monthly')
    const session = await buy(who, 'monthly')
    await completed(session)
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000 })
    expect((await who.visitor.get('/portal/billing')).text).toContain('The next cycle is paid: Monthly')
    expect(await refusalOf(who, 'monthly')).toBe('order')
    // It cannot be withdrawn without a refund.
    expect((await who.visitor.post('/portal/billing/downgrade/withdraw')).to).toContain('refused=closed')
    await spend(who, 300)
    await endCycle(who, 1)
    await Promise.all([who.visitor.get('/portal/billing'), completed(session)])
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000, prepaid: true })
    // Both the paid cycle and the next one end before the account is read.
    await buy(who, 'monthly')
    await endCycle(who, 1)
    await testDatabase.database.query(
      `update accounts set renews_at = renews_at - interval '1 month', cycle_anchor = cycle_anchor - interval '1 month',
       current_period_start = current_period_start - interval '1 month' where id = $1`,
      [who.accountId],
    )
    await who.visitor.get('/portal/billing')
    expect(await accountOf(who)).toMatchObject({ plan: 'free', balance: 0 })
    expect((await purchasesOf(who)).every(({ isGranted }) => isGranted)).toBe(true)
  })

  it('is downgraded by paying in advance for a lower plan', async () => {
    const who = await customer('free')
    await buy(who, 'annual')
    expect((await who.visitor.post('/portal/billing/downgrade', { plan: 'monthly' })).to).toContain(
      'refused=order',
    )
    await buy(who, 'monthly')
    expect(await accountOf(who)).toMatchObject({ plan: 'annual', balance: 12_000 })
    await endCycle(who, 12)
    await who.visitor.get('/portal/billing')
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000 })
  })

  it('that is upgraded converts a cycle that was paid in advance into credits that carry over', async () => {
    const who = await customer('free')
    await buy(who, 'monthly')
    await buy(who, 'monthly')
    await buy(who, 'annual')
    expect(await accountOf(who)).toMatchObject({ plan: 'annual', balance: 13_000, grant_left: 12_000 })
    // So does a change by the operator.
    const other = await customer('free')
    await buy(other, 'monthly')
    await buy(other, 'monthly')
    await changePlan(testDatabase.database, other.accountId, { plan: 'annual' })
    expect(await accountOf(other)).toMatchObject({ plan: 'annual', balance: 13_000, prepaid: false })
  })

  it('that is refunded loses the rest of its cycle, but no purchased credits', async () => {
    const who = await customer('free')
    const session = await buy(who, 'monthly')
    await buy(who, 'small')
    await spend(who, 700)
    expect(await accountOf(who)).toMatchObject({ balance: 800, grant_left: 800 })
    await buy(who, 'small')
    await refunded(session, 4900)
    expect(await accountOf(who)).toMatchObject({ balance: 500, grant_left: 0 })
    await endCycle(who, 1)
    await who.visitor.get('/portal/billing')
    // The cycle of another purchase is not touched.
    const next = await buy(who, 'monthly')
    await refunded(session, 4900)
    await disputed(session, 'needs_response', 4900)
    expect((await accountOf(who)).grant_left).toBe(1000)
    await refunded(next, 2450)
    expect(await accountOf(who)).toMatchObject({ balance: 1000, grant_left: 500 })
  })

  it('whose cycle has just ended is refunded without affecting the next cycle that was paid in advance', async () => {
    const who = await customer('free')
    const first = await buy(who, 'monthly')
    await buy(who, 'monthly')
    await endCycle(who, 1)
    await refunded(first, 4900)
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000, grant_left: 1000 })
  })

  it('that was paid in advance and is refunded does not begin', async () => {
    const who = await customer('free')
    await buy(who, 'monthly')
    const session = await buy(who, 'monthly')
    await refunded(session, 4900)
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000, next_plan: null })
    await endCycle(who, 1)
    await who.visitor.get('/portal/billing')
    expect(await accountOf(who)).toMatchObject({ plan: 'free', balance: 0 })
  })

  it('that was paid when it was no longer an upgrade adds its credits', async () => {
    const who = await customer('free')
    const session = await order(who, 'monthly')
    await changePlan(testDatabase.database, who.accountId, { plan: 'custom', credits: 50_000 })
    await changePlan(testDatabase.database, who.accountId, { plan: 'free' })
    await completed(session)
    // The operator has planned what comes next.
    expect(await accountOf(who)).toMatchObject({
      plan: 'custom',
      balance: 51_000,
      next_plan: { plan: 'free', by_customer: false },
    })
  })
})
