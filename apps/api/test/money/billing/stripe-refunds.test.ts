// Refunds that fail after they were reported: the deducted credits are restored once, in any order and number of events.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustCredits } from '../../../src/money/credits/adjust.ts'
import { listPostings } from '../../../src/money/credits/history.ts'
import { placeHold, releaseHold } from '../../../src/money/credits/holds.ts'
import { type Refund, sendEvent, signedEvent } from './stripe-server.ts'
import { type Customer, withShop } from './stripe-shop.ts'

const shop = withShop()
const { testDatabase, stripe, server, customer, accountOf, spend, order, buy, send } = shop
const { completed, refunded, disputed, endCycle } = shop

const FULL = process.env.LOTLINE_FULL === '1'

async function failed(refund: Refund, type = 'refund.failed'): Promise<number> {
  refund.status = 'failed'
  return send(type, refund)
}

const balanceOf = async (who: Customer) => (await accountOf(who)).balance

describe('a refund that fails', () => {
  it('restores the deducted credits once, and the history shows it', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    await spend(who, 100)
    await refunded(session, 2500)
    expect(await balanceOf(who)).toBe(1000)
    const refund = stripe.refund(session, 2500)
    const statuses = await Promise.all([
      ...Array.from({ length: 4 }, () => failed(refund)),
      failed(refund, 'charge.refund.updated'),
    ])
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const type of ['refund.failed', 'refund.updated']) await failed(refund, type)
    // Credits that were spent before the refund stay spent.
    expect(await balanceOf(who)).toBe(1400)
    const postings = await listPostings(testDatabase.database, who.accountId, 10)
    expect(postings.slice(0, 2)).toMatchObject([
      { amount: 400, operator: 'stripe', reason: 'Refund failed: Pack small for $25.00' },
      { amount: -400, operator: 'stripe', reason: 'Paid back: Pack small for $25.00' },
    ])
    // Late events of its beginning.
    await send('refund.created', { ...refund, status: 'succeeded' })
    await send('charge.refunded', stripe.chargeObject(session, 2500))
    expect(await balanceOf(who)).toBe(1400)
    // The money is refunded once more, and this time it arrives.
    await refunded(session, 2500)
    expect(await balanceOf(who)).toBe(1000)
  })

  it('deducts nothing if its failure arrives first, or before the payment', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    await failed(stripe.refund(session, 2500))
    await send('refund.updated', { ...stripe.refund(session, 0), status: 'pending' })
    expect(await balanceOf(who)).toBe(1500)

    const early = await order(who, 'small')
    await refunded(early, 2500)
    await failed(stripe.refund(early, 2500))
    await completed(early)
    expect(await balanceOf(who)).toBe(2000)
  })

  it('is ignored if its event is forged', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    await refunded(session, 2500)
    const refund = { ...stripe.refund(session, 2500), status: 'failed' }
    const good = signedEvent('refund.failed', refund)
    for (const sent of [
      signedEvent('refund.failed', refund, { secret: 'whsec_of_another' }),
      { ...good, body: good.body.replace('failed', 'faiIed') },
      { ...good, signature: '' },
    ]) {
      expect(await sendEvent(server.url, sent)).toBe(400)
    }
    expect(await balanceOf(who)).toBe(1000)
    // A payment of another purchase, and one of another product.
    const other = await customer()
    const bought = await buy(other, 'small')
    await send('refund.failed', { ...refund, payment_intent: 'pi_other_3' })
    await send('refund.failed', { ...refund, currency: 'eur' })
    await send('refund.failed', { ...refund, payment_intent: bought.payment_intent })
    expect([await balanceOf(who), await balanceOf(other)]).toEqual([1000, 1500])
  })

  it('no longer deducts credits that jobs hold', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    const job = { accountId: who.accountId, jobId: crypto.randomUUID() }
    await placeHold(testDatabase.database, { ...job, wanted: 1200, least: 1 })
    await refunded(session, 2500)
    expect(await balanceOf(who)).toBe(1200)
    await failed(stripe.refund(session, 2500))
    expect(await balanceOf(who)).toBe(1500)
    expect(await releaseHold(testDatabase.database, job)).toMatchObject({ balance: 1500, held: 0 })
  })

  it('of an ended cycle restores its credits beside the new ones, and of a cycle paid in advance, the cycle', async () => {
    const who = await customer('free')
    const session = await buy(who, 'monthly')
    const next = await buy(who, 'monthly')
    await refunded(session, 2450)
    expect(await balanceOf(who)).toBe(500)
    await refunded(next, 490)
    await failed(stripe.refund(next, 490))
    await endCycle(who, 1)
    await who.visitor.get('/portal/billing')
    expect(await accountOf(who)).toMatchObject({ plan: 'monthly', balance: 1000, grant_left: 1000 })
    await failed(stripe.refund(session, 2450))
    expect(await accountOf(who)).toMatchObject({ balance: 1500, grant_left: 1000 })
    // One in advance that was refunded as a whole comes back as credits.
    const whole = await buy(who, 'monthly')
    await refunded(whole, 4900)
    expect(await accountOf(who)).toMatchObject({ balance: 1500, next_plan: null })
    await failed(stripe.refund(whole, 4900))
    expect(await accountOf(who)).toMatchObject({ balance: 2500, grant_left: 1000, next_plan: null })
  })

  it('lets a dispute of the same payment deduct what the refund restores', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    await refunded(session, 2500)
    await disputed(session, 'needs_response', 2500)
    await failed(stripe.refund(session, 2500))
    expect(await balanceOf(who)).toBe(1000)
    await disputed(session, 'won', 2500)
    expect(await balanceOf(who)).toBe(1500)
  })

  it.each([
    ['monthly', 1000, 4900],
    ['annual', 12_000, 49_000],
  ] as const)(
    'restores the credits of %s to its running cycle, where another refund or a dispute can deduct them',
    async (plan, credits, paid) => {
      const who = await customer('free')
      const session = await buy(who, plan)
      const isWhole = { balance: credits, grant_left: credits }
      const isEmpty = { balance: 0, grant_left: 0 }
      expect(await accountOf(who)).toMatchObject(isWhole)
      await refunded(session, paid)
      expect(await accountOf(who)).toMatchObject(isEmpty)
      await failed(stripe.refund(session, paid))
      expect(await accountOf(who)).toMatchObject(isWhole)
      await refunded(session, paid)
      expect(await accountOf(who)).toMatchObject(isEmpty)
      // A dispute of what is being refunded, whose refund then fails.
      await disputed(session, 'needs_response', paid)
      await failed(stripe.refund(session, paid))
      expect(await accountOf(who)).toMatchObject(isEmpty)
      await disputed(session, 'won', paid)
      expect(await accountOf(who)).toMatchObject(isWhole)
      await refunded(session, paid)
      expect(await accountOf(who)).toMatchObject(isEmpty)
    },
  )

  it('after its cycle restores credits that carry over, and another refund can deduct them', async () => {
    const who = await customer('free')
    const session = await buy(who, 'monthly')
    await buy(who, 'monthly')
    await refunded(session, 4900)
    await endCycle(who, 1)
    await who.visitor.get('/portal/billing')
    await failed(stripe.refund(session, 4900))
    expect(await accountOf(who)).toMatchObject({ balance: 2000, grant_left: 1000 })
    await refunded(session, 4900)
    expect(await accountOf(who)).toMatchObject({ balance: 1000, grant_left: 1000 })
  })

  it.each([
    ['before', true],
    ['after', false],
  ])('lets a refund that was reported %s its failure deduct what is restored', async (_, before) => {
    const who = await customer()
    const session = await buy(who, 'small')
    await refunded(session, 1250)
    const first = stripe.refund(session, 1250)
    await spend(who, 250)
    if (before) await refunded(session, 2500)
    await failed(first)
    if (!before) await refunded(session, 1250)
    expect(await balanceOf(who)).toBe(1000)
  })

  it('leaves the part that the other refunds paid back, rounded down once', async () => {
    const who = await customer()
    const session = await buy(who, 'small')
    const parts = [833, 1666, 2500].map((total) => stripe.refund(session, total))
    // More refunds than a page of Stripe has: these, and two of a hundredth that have failed.
    for (const total of [2501, 2501]) stripe.refund(session, total).status = 'failed'
    await refunded(session, 2500)
    expect(await balanceOf(who)).toBe(1000)
    await failed(parts[0]!)
    expect(await balanceOf(who)).toBe(1500 - Math.floor((500 * 1667) / 2500))
    await failed(parts[2]!)
    expect(await balanceOf(who)).toBe(1500 - Math.floor((500 * 833) / 2500))
    await failed(parts[1]!)
    expect(await balanceOf(who)).toBe(1500)
  })
})

it('refunds and failures in any order, duplicated and concurrent, deduct exactly what the successful refunds paid back', {
  timeout: 300_000,
}, async () => {
  const part = fc.record({ amount: fc.integer({ min: 1, max: 1250 }), fails: fc.boolean() })
  const spending = fc.array(fc.integer({ min: 200, max: 500 }), { minLength: 1, maxLength: 3 })
  const runs = fc.tuple(fc.array(part, { minLength: 2, maxLength: 4 }), fc.infiniteStream(fc.nat()))
  await fc.assert(
    fc.asyncProperty(
      runs,
      spending,
      fc.integer({ min: 1, max: 4 }),
      async ([parts, chances], costs, atATime) => {
        const who = await customer()
        // The credits of its plan are spent, so later calls spend purchased credits.
        await spend(who, 1000)
        let spent = 0
        // As much as there is. If another event takes it at the same moment, nothing.
        const spendings = costs.map((cost) => async () => {
          const credits = Math.min(cost, await balanceOf(who))
          const { database } = testDatabase
          const isSpent =
            credits > 0 &&
            (await adjustCredits(database, who.accountId, -credits, 'Spent by a test')).adjusted
          if (isSpent) spent += credits
          return 200
        })
        const session = await order(who, 'small')
        let total = 0
        const refunds = parts
          .filter(({ amount }) => total + amount <= 2500)
          .map(({ amount, fails }) => {
            total += amount
            return { refund: stripe.refund(session, total), fails }
          })
        const chance = () => chances.next().value as number
        const twice = (event: () => Promise<number>, pick: typeof Math.min) =>
          [0, 1].map(() => ({ event, at: pick(chance(), chance()) }))
        // Any order is possible. Mostly a payment comes first and a failure last, so that there is something to take and to give back.
        const sequence = [
          ...twice(() => completed(session), Math.min),
          ...refunds.flatMap(({ refund, fails }) => [
            ...twice(() => send('refund.created', { ...refund, status: 'succeeded' }), Math.min),
            ...(fails ? twice(() => failed(refund), Math.max) : []),
          ]),
          ...spendings.map((event) => ({ event, at: chance() })),
        ].sort((one, other) => one.at - other.at)
        for (let at = 0; at < sequence.length; at += atATime) {
          const statuses = await Promise.all(sequence.slice(at, at + atATime).map(({ event }) => event()))
          expect(new Set(statuses)).toEqual(new Set([200]))
        }
        const arrived = refunds
          .filter(({ fails }) => !fails)
          .reduce((sum, { refund: { amount } }) => sum + amount, 0)
        // In any order: the unspent rest belongs to the refunds.
        expect(await balanceOf(who)).toBe(Math.max(0, 500 - spent - Math.floor((500 * arrived) / 2500)))
      },
    ),
    { numRuns: FULL ? 40 : 2 },
  )
})
