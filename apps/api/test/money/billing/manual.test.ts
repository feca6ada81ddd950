// Orders that the operator approves: the permitted orders, and that an approval grants them once.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/money/accounts/change-plan.ts'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { approvePurchase, refusePurchase } from '../../../src/money/billing/grant.ts'
import { MAX_OPEN_PURCHASES } from '../../../src/money/billing/order.ts'
import { listOwnPurchases, listPurchases } from '../../../src/money/billing/purchases.ts'
import { listPostings } from '../../../src/money/credits/history.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { createVisitor, signedIn, type Visitor } from '../../interfaces/portal/visitor.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import { driftOf } from '../credits/drift.ts'
import { BILLING_FILE } from './prices.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: { BILLING_FILE } })
const lotline = (...args: readonly string[]) => lotlineWith({ DATABASE_URL: testDatabase.url })(...args)

const PACK = { kind: 'pack', item: 'small', price: '2500' }
const MONTHLY = { kind: 'plan', item: 'monthly', price: '4900' }
const ANNUAL = { kind: 'plan', item: 'annual', price: '49000' }

async function order(visitor: Visitor, fields: Record<string, string>): Promise<string> {
  const { status, to } = await visitor.post('/portal/billing/orders', { form: randomUUID(), ...fields })
  expect(status).toBe(303)
  return new URL(to!, server.url).search.slice(1)
}

/** The ids of the forms of a page. */
function formsOf(text: string): string[] {
  return [...text.matchAll(/name="form" value="([\w-]{36})"/g)].map(([, id]) => id!)
}

async function openOrders(accountId: string) {
  const all = await listOwnPurchases(testDatabase.database, accountId)
  return all.filter(({ state }) => state === 'open')
}

async function accountOf(accountId: string) {
  return (await findAccount(testDatabase.database, accountId))!
}

describe('a customer', () => {
  it('orders a pack, the operator approves it, and its credits are added once', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    expect((await visitor.get('/portal/billing')).text).toContain('500 credits')
    expect(await order(visitor, PACK)).toBe('done=ordered')
    expect((await accountOf(accountId)).balance).toBe(1000)
    const [open] = await openOrders(accountId)
    const listed = await lotline('purchases', 'list', '--state', 'open', '--account', accountId, '--json')
    expect(listed.json).toMatchObject([{ purchase_id: open!.id, credits: 500, price: 2500, currency: 'usd' }])

    const approved = await lotline('purchases', 'approve', open!.id, '--operator', 'Maria')
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('Pack small for $25.00') })
    // Several operators repeat the command.
    const again = await Promise.all(
      Array.from({ length: 4 }, () => approvePurchase(testDatabase.database, open!.id, 'Ana')),
    )
    expect(again.map(({ done }) => done)).toEqual([false, false, false, false])
    expect((await lotline('purchases', 'approve', open!.id)).stdout).toContain('Nothing was changed: Maria')
    expect((await lotline('purchases', 'refuse', open!.id)).code).toBe(1)
    expect(await readTrail(testDatabase.database, { account: accountId, limit: 10 })).toMatchObject([
      { action: 'purchases.approve', operator: 'Maria', via: 'command', object: open!.id },
    ])
    expect((await accountOf(accountId)).balance).toBe(1500)
    const postings = await listPostings(testDatabase.database, accountId, 10)
    expect(postings.filter(({ kind }) => kind === 'topup')).toMatchObject([
      { amount: 500, operator: 'Maria', reference: `purchase ${open!.id}` },
    ])
    expect((await visitor.get('/portal/billing')).text).toContain('Paid')
  })

  it('is upgraded when the operator approves, with a new cycle, and keeps purchased credits', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'free' })
    const visitor = await signedIn(server, key)
    expect(await order(visitor, PACK)).toBe('refused=free')
    expect(await order(visitor, MONTHLY)).toBe('done=ordered')
    expect(await order(visitor, ANNUAL)).toBe('refused=open+plan')
    const [monthly] = await openOrders(accountId)
    expect((await approvePurchase(testDatabase.database, monthly!.id, 'Maria')).done).toBe(true)
    expect(await accountOf(accountId)).toMatchObject({ plan: 'monthly', balance: 1000, grant_left: 1000 })
    await order(visitor, PACK)
    const [pack] = await openOrders(accountId)
    await approvePurchase(testDatabase.database, pack!.id, 'Maria')
    await order(visitor, ANNUAL)
    const [annual] = await openOrders(accountId)
    await approvePurchase(testDatabase.database, annual!.id, 'Maria')
    // The rest of the monthly grant has expired, and the pack stays.
    expect(await accountOf(accountId)).toMatchObject({ plan: 'annual', balance: 12_500, grant_left: 12_000 })
    expect(await order(visitor, MONTHLY)).toBe('refused=order')
    expect(await driftOf(testDatabase.database)).toEqual([])
  })

  it('plans a downgrade for the end of the cycle, and withdraws it', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'annual' })
    const visitor = await signedIn(server, key)
    const planned = await visitor.post('/portal/billing/downgrade', { plan: 'monthly' })
    expect(planned.to).toBe('/portal/billing?done=planned')
    expect(await accountOf(accountId)).toMatchObject({
      plan: 'annual',
      balance: 12_000,
      next_plan: { plan: 'monthly', by_customer: true },
    })
    expect((await visitor.get('/portal/billing')).text).toContain('Keep Annual')
    const kept = await visitor.post('/portal/billing/downgrade/withdraw')
    expect(kept.to).toBe('/portal/billing?done=kept')
    expect(await accountOf(accountId)).toMatchObject({ plan: 'annual', balance: 12_000, next_plan: null })

    await visitor.post('/portal/billing/downgrade', { plan: 'free' })
    await testDatabase.database.query(
      `update accounts set current_period_start = now() - interval '1 year', cycle_anchor = now() - interval '1 year',
       renews_at = now() - interval '1 second' where id = $1`,
      [accountId],
    )
    expect((await visitor.get('/portal/billing')).text).toContain('Packs are for paid plans')
    expect(await accountOf(accountId)).toMatchObject({ plan: 'free', balance: 100, renews_at: null })
  })

  it('cannot withdraw or replace a change that the operator has planned', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'annual' })
    await changePlan(testDatabase.database, accountId, { plan: 'free' })
    const visitor = await signedIn(server, key)
    expect((await visitor.post('/portal/billing/downgrade/withdraw')).to).toContain('refused=closed')
    expect((await visitor.post('/portal/billing/downgrade', { plan: 'monthly' })).to).toContain(
      'refused=terms',
    )
    expect((await accountOf(accountId)).next_plan).toMatchObject({ plan: 'free', by_customer: false })
    expect((await visitor.get('/portal/billing')).text).toContain('The operator has planned this change.')
  })

  it('withdraws an order, which can then not be approved', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    await order(visitor, PACK)
    const [open] = await openOrders(accountId)
    const stranger = await signedIn(
      server,
      (await openAccount(testDatabase.database, { plan: 'monthly' })).key,
    )
    const path = `/portal/billing/orders/${open!.id}/withdraw`
    expect((await stranger.post(path)).to).toContain('refused=closed')
    expect((await visitor.post(path)).to).toContain('done=withdrawn')
    expect((await visitor.post('/portal/billing/orders/nonsense/withdraw')).to).toContain('refused=closed')
    expect(await approvePurchase(testDatabase.database, open!.id, 'Maria')).toMatchObject({
      done: false,
      because: 'closed',
    })
    expect((await accountOf(accountId)).balance).toBe(1000)
  })

  it('sees why an order was refused', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    await order(visitor, PACK)
    const [open] = await openOrders(accountId)
    await refusePurchase(testDatabase.database, open!.id, 'Maria', 'No payment <in> 30 days')
    expect((await visitor.get('/portal/billing')).text).toContain('No payment &lt;in> 30 days')
    expect((await accountOf(accountId)).balance).toBe(1000)
  })

  it('cannot order at another price than the one shown', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    expect(await order(visitor, { ...PACK, price: '1' })).toBe('refused=price')
    expect(await order(visitor, { ...PACK, price: '' })).toBe('refused=price')
    expect(await order(visitor, { ...PACK, item: 'toString' })).toBe('refused=unknown')
    expect(await order(visitor, { ...MONTHLY, item: 'constructor' })).toBe('refused=unknown')
    expect(await openOrders(accountId)).toEqual([])
  })

  it('makes one order per form, even if it is sent repeatedly and concurrently to two processes', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    const forms = formsOf((await visitor.get('/portal/billing')).text)
    // Each offer has its own form, and each rendering of the page has new ones.
    expect(new Set([...forms, ...formsOf((await visitor.get('/portal/billing')).text)]).size).toBe(6)
    const other = await startTestServer(testDatabase, { env: { BILLING_FILE } })
    try {
      const there = Object.assign(createVisitor(other), { cookie: visitor.cookie })
      const sent = { ...PACK, form: forms[0]! }
      const answers = await Promise.all(
        [visitor, there, visitor, there, visitor, there].map((one) => order(one, sent)),
      )
      expect(new Set(answers)).toEqual(new Set(['done=ordered']))
      expect(await order(there, sent)).toBe('done=ordered')
      const [open, ...more] = await openOrders(accountId)
      expect(more).toEqual([])
      // Two orders of the same item have two forms, and a form of another account is another order.
      expect(await order(visitor, { ...PACK, form: forms[1]! })).toBe('done=ordered')
      expect(await openOrders(accountId)).toHaveLength(2)
      const stranger = await openAccount(testDatabase.database, { plan: 'monthly' })
      expect(await order(await signedIn(server, stranger.key), sent)).toBe('done=ordered')
      expect(await openOrders(stranger.accountId)).toHaveLength(1)
      await approvePurchase(testDatabase.database, open!.id, 'Maria')
      expect(await order(visitor, sent)).toBe('refused=closed')
      expect((await accountOf(accountId)).balance).toBe(1500)
      expect(await openOrders(accountId)).toHaveLength(1)
    } finally {
      await other.close()
    }
  })

  it('cannot order with a form that has no id', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    for (const form of ['', 'nonsense']) expect(await order(visitor, { ...PACK, form })).toBe('refused=page')
    expect((await visitor.get('/portal/billing?refused=page')).text).toContain('out of date')
    expect(await openOrders(accountId)).toEqual([])
  })

  it('can have a limited number of open orders', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    for (let at = 0; at < MAX_OPEN_PURCHASES; at++) expect(await order(visitor, PACK)).toBe('done=ordered')
    expect(await order(visitor, PACK)).toBe('refused=too+many')
    expect(await openOrders(accountId)).toHaveLength(MAX_OPEN_PURCHASES)
  })

  it('can order at balance 0', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'free', credits: 0 })
    const visitor = await signedIn(server, key)
    expect((await visitor.get('/portal')).text).toContain('Choose a plan or buy credits')
    expect(await order(visitor, MONTHLY)).toBe('done=ordered')
    expect(await openOrders(accountId)).toHaveLength(1)
  })
})

describe('an order is refused', () => {
  it('from a key with a credit limit or a list of operations', async () => {
    const { accountId } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const few = await issueKey(testDatabase.database, accountId, { allowedOperations: ['getAccount'] })
    const limited = await issueKey(testDatabase.database, accountId)
    await setKeyLimit(testDatabase.database, limited.keyId, { credits: 5, per: 'day' })
    for (const { key } of [few, limited]) {
      const visitor = await signedIn(server, key)
      expect(await order(visitor, PACK)).toBe('refused=key')
      const { text } = await visitor.get('/portal/billing')
      expect(text).toContain('The key of this session has limits')
      expect(text).not.toContain('/portal/billing/orders')
    }
    expect(await openOrders(accountId)).toEqual([])
  })

  it('for a suspended account, for custom terms, or without the CSRF token of the page', async () => {
    const own = await openAccount(testDatabase.database, { plan: 'custom' })
    expect(await order(await signedIn(server, own.key), ANNUAL)).toBe('refused=terms')
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const visitor = await signedIn(server, key)
    expect((await visitor.post('/portal/billing/orders', PACK, { csrf: undefined })).status).toBe(403)
    expect((await visitor.post('/portal/billing/orders', PACK, { origin: 'https://evil.test' })).status).toBe(
      403,
    )
    expect((await createVisitor(server).post('/portal/billing/orders', PACK)).to).toBe('/portal')
    await suspendAccount(testDatabase.database, accountId)
    expect(await order(visitor, PACK)).toBe('refused=suspended')
    expect(await openOrders(accountId)).toEqual([])
  })

  it('without a price list: the page does not exist', async () => {
    const without = await startTestServer(testDatabase)
    try {
      const { key } = await without.openAccount()
      const visitor = await signedIn(without, key)
      expect((await visitor.get('/portal')).text).not.toContain('/portal/billing')
      expect((await visitor.get('/portal/billing')).to).toBe('/portal')
      expect((await visitor.post('/portal/billing/orders', PACK)).to).toBe('/portal')
    } finally {
      await without.close()
    }
    expect(await listPurchases(testDatabase.database, { limit: 100 })).not.toContainEqual(
      expect.objectContaining({ item: 'none' }),
    )
  })
})

describe('the operator', () => {
  it('cannot approve a plan that would reduce what the account has', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'free' })
    await order(await signedIn(server, key), MONTHLY)
    const [open] = await openOrders(accountId)
    await changePlan(testDatabase.database, accountId, { plan: 'annual' })
    const refused = await lotline('purchases', 'approve', open!.id)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('take something from it') })
    expect(await accountOf(accountId)).toMatchObject({ plan: 'annual', balance: 12_000, next_plan: null })
    expect(await openOrders(accountId)).toHaveLength(1)
  })

  it('cannot approve a plan for an account that got custom terms after the order', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'free' })
    await order(await signedIn(server, key), MONTHLY)
    const [open] = await openOrders(accountId)
    await changePlan(testDatabase.database, accountId, { plan: 'free', deniedOperations: ['getProperty'] })
    expect(await approvePurchase(testDatabase.database, open!.id, 'Maria')).toEqual({
      done: false,
      because: 'terms',
    })
    expect(await accountOf(accountId)).toMatchObject({ plan: 'free', denied_operations: ['getProperty'] })
  })

  it('decides an order once, even with concurrent approvals and refusals', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'monthly' })
    const { database } = testDatabase
    for (let round = 1; round <= 5; round++) {
      await order(await signedIn(server, key), PACK)
      const { id } = (await openOrders(accountId))[0]!
      const { balance } = await accountOf(accountId)
      const decided = await Promise.all([
        ...['Ana', 'Ben', 'Cleo'].map((name) => approvePurchase(database, id, name)),
        ...['Dan', 'Eve'].map((name) => refusePurchase(database, id, name)),
      ])
      expect(decided.filter(({ done }) => done)).toHaveLength(1)
      const isApproved = decided.slice(0, 3).some(({ done }) => done)
      expect((await accountOf(accountId)).balance).toBe(balance + (isApproved ? 500 : 0))
    }
    expect(await driftOf(database)).toEqual([])
  })

  it('receives one order of a plan, even if several are sent concurrently', async () => {
    const { accountId, key } = await openAccount(testDatabase.database, { plan: 'free' })
    const visitor = await signedIn(server, key)
    await Promise.all(Array.from({ length: 6 }, () => order(visitor, MONTHLY)))
    expect(await openOrders(accountId)).toHaveLength(1)
  })

  it('gets an error for a purchase that does not exist', async () => {
    const none = await lotline('purchases', 'approve', randomUUID())
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no such purchase') })
  })
})
