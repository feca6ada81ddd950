// A change of more credits than one operator may move alone waits for a second person, and moves nothing before.

import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findAccount } from '../../../src/money/accounts/find-accounts.ts'
import { orderPurchase } from '../../../src/money/billing/order.ts'
import { auditLedger } from '../../../src/money/credits/audit.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { jsonOf, lotlineWith } from '../cli/run-lotline.ts'
import type { Visitor } from '../portal/visitor.ts'
import { withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const console = withTestConsole(server)
const db = () => testDatabase.database
const lotline = (...args: readonly string[]) =>
  lotlineWith({ DATABASE_URL: testDatabase.url, ADMIN_PORT: '9911' })(...args)
const limit = (credits: string) => jsonOf(lotline, 'operators', 'credit-limit', credits)

interface Waiting {
  readonly request_id: string
  readonly action: string
  readonly credits: number
}

const pending = (): Promise<Waiting[]> => jsonOf(lotline, 'credits', 'pending')
const balanceOf = async (id: string) => (await findAccount(db(), id))!.balance
const openAccount = (credits = 1000) => server.openAccount({ plan: 'monthly', credits })
const topUp = (operator: Visitor, id: string, amount: number) =>
  operator.post(`/accounts/${id}/top-up`, { form: randomUUID(), amount: String(amount), reason: 'Goodwill' })
const decide = (operator: Visitor, id: string, verb: 'approve' | 'refuse') =>
  operator.post(`/approvals/${id}/${verb}`, { form: randomUUID() })

let support: Visitor
let finance: Visitor
let second: Visitor
beforeAll(async () => {
  // With the shared sign-in alone there is no second person.
  await limit('100')
  const { accountId } = await openAccount()
  expect((await topUp(await console.signedIn('Sam'), accountId, 500)).to).toContain('done=credits')
  expect(await pending()).toEqual([])
  await limit('off')
  support = await console.named('Support Sue', 'support')
  finance = await console.named('Finance Fred', 'finance')
  second = await console.named('Finance Flo', 'finance')
})

afterEach(async () => {
  await db().query(`update pending_credits set state = 'refused' where state = 'open'`)
  await limit('off')
  // Every credit is accounted for, whether the change was made, refused, or waits.
  expect((await auditLedger(db(), () => {})).drifts).toBe(0)
})

describe('a top-up', () => {
  it('above the limit waits, another operator approves it, and the trail names both', async () => {
    await limit('1000')
    const { accountId } = await openAccount()
    expect((await topUp(finance, accountId, 1000)).to).toContain('done=credits')
    expect((await topUp(finance, accountId, 1001)).to).toContain('done=waiting')
    // The same request again is the same one.
    expect((await topUp(finance, accountId, 1001)).to).toContain('done=waiting')
    expect(await balanceOf(accountId)).toBe(2000)
    const waiting = await pending()
    expect(waiting).toMatchObject([{ action: 'credits.topup', credits: 1001, operator: 'Finance Fred' }])
    const id = waiting[0]!.request_id
    expect((await finance.get('/approvals')).text).toContain('You asked for this change')
    const own = await decide(finance, id, 'approve')
    expect([own.status, own.text]).toEqual([422, expect.stringContaining('Another operator approves it')])
    expect(await balanceOf(accountId)).toBe(2000)

    const approved = await Promise.all([decide(second, id, 'approve'), decide(second, id, 'approve')])
    expect(approved.map(({ status }) => status).sort()).toEqual([303, 422])
    expect(await balanceOf(accountId)).toBe(3001)
    expect(await pending()).toEqual([])
    expect(await readTrail(db(), { account: accountId, limit: 10 })).toMatchObject([
      {
        action: 'credits.topup',
        operator: 'Finance Fred',
        after: { added: 1001, approved_by: 'Finance Flo' },
      },
      { action: 'credits.approve', operator: 'Finance Flo', sign_in: 'passkey', object: id },
      { action: 'credits.request', operator: 'Finance Fred', object: id },
      { action: 'credits.topup', operator: 'Finance Fred', after: { added: 1000 } },
    ])
    const { rows } = await db().query('select operator from operator_entries where account_id = $1', [
      accountId,
    ])
    expect(rows).toEqual([{ operator: 'Finance Fred' }, { operator: 'Finance Fred' }])
  })

  it('that is refused changes nothing, and can be asked for anew', async () => {
    await limit('0')
    const { accountId } = await openAccount()
    await topUp(finance, accountId, 5)
    expect((await decide(second, (await pending())[0]!.request_id, 'refuse')).status).toBe(303)
    expect([await balanceOf(accountId), await pending()]).toEqual([1000, []])
    await topUp(finance, accountId, 5)
    expect(await pending()).toHaveLength(1)
  })

  it('by support without a limit always waits, and support approves nothing', async () => {
    const { accountId } = await openAccount()
    expect((await topUp(support, accountId, 1)).to).toContain('done=waiting')
    const id = (await pending())[0]!.request_id
    expect((await decide(support, id, 'approve')).status).toBe(403)
    expect(await balanceOf(accountId)).toBe(1000)
    await limit('10')
    expect((await topUp(support, accountId, 10)).to).toContain('done=credits')
    expect((await decide(finance, id, 'approve')).status).toBe(303)
    expect(await balanceOf(accountId)).toBe(1011)
  })

  it('is not approved by the shared sign-in', async () => {
    await limit('0')
    const { accountId } = await openAccount()
    await topUp(finance, accountId, 5)
    const shared = await decide(await console.signedIn('Sam'), (await pending())[0]!.request_id, 'approve')
    expect([shared.status, shared.text]).toEqual([422, expect.stringContaining('no second person')])
    expect(await balanceOf(accountId)).toBe(1000)
  })

  it('that is no longer possible still waits, and says why', async () => {
    await limit('0')
    const { accountId } = await openAccount()
    await topUp(finance, accountId, 5)
    await db().query(`update accounts set plan = 'free' where id = $1`, [accountId])
    const refused = await decide(second, (await pending())[0]!.request_id, 'approve')
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('takes no top-ups')])
    expect(await pending()).toHaveLength(1)
    await db().query(`update accounts set plan = 'monthly' where id = $1`, [accountId])
  })
})

describe('above the limit, too,', () => {
  it('a command fails, and its adjustment, refund, or top-up waits for the console', async () => {
    await limit('2')
    const { accountId, key } = await openAccount()
    const command = async (...args: readonly string[]) =>
      lotline('credits', ...args, '--account', accountId, '--reason', 'Because', '--operator', 'Finance Flo')
    for (const args of [
      ['topup', '--amount', '500'],
      ['adjust', '--amount', '500'],
      ['adjust', '--amount', '-500'],
    ]) {
      const { code, stderr } = await command(...args)
      expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining('need a second person')])
    }
    const waiting = await pending()
    expect(waiting.map(({ action, credits }) => [action, credits])).toEqual([
      ['credits.topup', 500],
      ['credits.adjust', 500],
      ['credits.adjust', -500],
    ])
    // The name is that of the person who asked.
    expect((await decide(second, waiting[0]!.request_id, 'approve')).status).toBe(422)
    for (const { request_id } of waiting.slice(0, 2))
      expect((await decide(finance, request_id, 'approve')).status).toBe(303)
    expect(await balanceOf(accountId)).toBe(2000)
    expect((await decide(finance, waiting[2]!.request_id, 'approve')).status).toBe(303)
    expect(await balanceOf(accountId)).toBe(1500)

    await limit('0')
    await server.get('/v1/me', { key })
    const { rows } = await db().query<{ id: string }>(
      `insert into usage_rows (account_id, id, key_id, request_id, endpoint, operation, actor, status_code, created_at)
       select $1, 999999, id, 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV', '/v1/x', 'getProperty', 'detail', 404, now()
       from api_keys where account_id = $1 limit 1 returning request_id as id`,
      [accountId],
    )
    // A call that was free has nothing to give back, with or without a limit.
    expect((await command('refund', '--request', rows[0]!.id)).stderr).not.toContain('second person')
  })

  it('a plan, the approval of an order, and a new account need a second person', async () => {
    await limit('2000')
    const { accountId, keyId } = await openAccount()
    const plan = { form: randomUUID(), plan: 'custom', credits: '5000', now: 'on' }
    expect((await finance.post(`/accounts/${accountId}/plan`, plan)).to).toContain('done=waiting')
    expect(await findAccount(db(), accountId)).toMatchObject({ plan: 'monthly', balance: 1000 })
    const id = (await pending())[0]!.request_id
    expect((await decide(second, id, 'approve')).status).toBe(303)
    expect(await findAccount(db(), accountId)).toMatchObject({ plan: 'custom', credits_per_cycle: 5000 })

    const made = await finance.post('/accounts', { form: randomUUID(), plan: 'custom', credits: '5000' })
    expect([made.status, made.text]).toEqual([422, expect.stringContaining('second person')])

    await db().query(`update accounts set plan = 'monthly' where id = $1`, [accountId])
    const prices = { currency: 'usd', plans: {}, packs: [{ id: 'big', credits: 2500, price: 100 }] }
    const order = { kind: 'pack', item: 'big', price: 100 } as const
    expect((await orderPurchase(db(), prices, 'manual', { accountId, keyId }, order)).ok).toBe(true)
    const { rows } = await db().query<{ id: string }>('select id from purchases where account_id = $1', [
      accountId,
    ])
    const path = `/purchases/${rows[0]!.id}/approve`
    const before = await balanceOf(accountId)
    expect((await finance.post(path, { form: randomUUID() })).to).toBe('/purchases?done=waiting')
    expect(await balanceOf(accountId)).toBe(before)
    const [order2] = await pending()
    expect(order2).toMatchObject({ action: 'purchases.approve', credits: 2500 })
    expect((await decide(second, order2!.request_id, 'approve')).status).toBe(303)
    expect(await balanceOf(accountId)).toBe(before + 2500)
  })
})
