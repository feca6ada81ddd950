// Findings of the audit about purchases.

import { expect, it } from 'vitest'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { approvePurchase } from '../../../src/money/billing/grant.ts'
import { orderPurchase } from '../../../src/money/billing/order.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { driftOf } from './drift.ts'

const testDatabase = withTestDatabase()
const PRICES = {
  currency: 'usd',
  plans: { monthly: 4900 },
  packs: [{ id: 'small', credits: 500, price: 2500 }],
}

it('the audit finds a paid purchase that was not granted, and one that was granted the wrong credits', async () => {
  const { database } = testDatabase
  const account = await openAccount(database, { plan: 'free' })
  const buy = async (order: Parameters<typeof orderPurchase>[4]) => {
    const ordered = await orderPurchase(database, PRICES, 'manual', account, order)
    if (!ordered.ok) throw new Error(ordered.because)
    expect((await approvePurchase(database, ordered.id, 'Maria')).done).toBe(true)
    return ordered.id
  }
  for (const id of [
    await buy({ kind: 'plan', item: 'monthly', price: 4900 }),
    await buy({ kind: 'pack', item: 'small', price: 2500 }),
  ]) {
    const found = async (change: string) => {
      await database.query(`update purchases set ${change} where id = $1`, [id])
      return (await driftOf(database)).map(({ check }) => check)
    }
    const { rows } = await database.query<{ credits: number; movement: number }>(
      'select credits, movement_id as movement from purchases where id = $1',
      [id],
    )
    const { credits, movement } = rows[0]!
    expect(await found(`credits = ${credits + 1}`)).toEqual(['purchase is granted once'])
    expect(await found(`credits = ${credits}, movement_id = 999999999`)).toEqual(['purchase is granted once'])
    expect(await found(`movement_id = null, state = 'open', closed_at = null`)).toEqual([
      'purchase is granted once',
    ])
    expect(await found(`movement_id = ${movement}, state = 'paid', closed_at = now()`)).toEqual([])
  }
})
