// Entries by hand: a reference, and the refund of a call, count once, however many commands are run at a time.

import { describe, expect, it } from 'vitest'
import { topUp } from '../../../src/money/accounts/top-up.ts'
import { auditLedger, type Drift } from '../../../src/money/credits/audit.ts'
import { listPostings } from '../../../src/money/credits/history.ts'
import { refundCall } from '../../../src/money/credits/operator-entries.ts'
import { minimalCall, sendCall } from '../../setup/example-calls.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createMemoryProvider() } })
const AT_A_TIME = 8

async function drifts(): Promise<Drift[]> {
  const found: Drift[] = []
  await auditLedger(testDatabase.database, (drift) => void found.push(drift))
  return found
}

describe('an entry of the operator', () => {
  it('with a reference adds credits once, also when repeated concurrently', async () => {
    const { accountId } = await server.openAccount({ plan: 'monthly', credits: 100 })
    const note = { operator: 'Maria', reference: 'Invoice 7' }
    const results = await Promise.all(
      Array.from({ length: AT_A_TIME }, () => topUp(testDatabase.database, accountId, 50, note)),
    )
    expect(results.filter(({ toppedUp }) => toppedUp)).toHaveLength(1)
    const postings = await listPostings(testDatabase.database, accountId, 10)
    expect(postings.filter(({ kind }) => kind === 'topup')).toMatchObject([
      { amount: 50, reference: 'Invoice 7', operator: 'Maria' },
    ])
    // Another account has references of its own.
    const other = await server.openAccount({ plan: 'monthly', credits: 100 })
    expect((await topUp(testDatabase.database, other.accountId, 50, note)).toppedUp).toBe(true)
    expect(await drifts()).toEqual([])
  })

  it('refunds a call once, also when repeated concurrently', async () => {
    const { accountId, key } = await server.openAccount({ credits: 100 })
    const charged = await sendCall(server, minimalCall('getPropertyByAddress'), { key })
    expect(charged.charged).toBe(3)
    const request = charged.headers.get('x-request-id')!
    const note = { operator: 'Maria', reason: 'Wrong home' }
    const results = await Promise.all(
      Array.from({ length: AT_A_TIME }, () => refundCall(testDatabase.database, accountId, request, note)),
    )
    expect(results.map(({ refunded }) => refunded).sort()).toEqual([...Array(AT_A_TIME - 1).fill(0), 3])
    const { rows } = await testDatabase.database.query('select balance from accounts where id = $1', [
      accountId,
    ])
    expect(rows).toEqual([{ balance: 100 }])
    expect(await drifts()).toEqual([])
  })

  it('whose amount differs from its movement is found by the audit', async () => {
    const { accountId } = await server.openAccount({ credits: 100 })
    await testDatabase.database.query(
      `insert into operator_entries (account_id, movement_id, kind, amount, operator)
       select account_id, id, 'topup', 7, 'Maria' from movements where account_id = $1`,
      [accountId],
    )
    expect(await drifts()).toMatchObject([{ check: 'operator entry is its movement', accountId }])
    // The books of a test are audited at its end. Only the owner of the table can do this.
    await testDatabase.database.query('grant delete on operator_entries to current_user')
    await testDatabase.database.query('delete from operator_entries where account_id = $1', [accountId])
    await testDatabase.database.query('revoke delete on operator_entries from current_user')
  })
})
