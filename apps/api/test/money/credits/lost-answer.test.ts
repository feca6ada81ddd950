import { describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { type CallToSettle, CLIENT_DISCONNECTED, createLedger } from '../../../src/money/credits/ledger.ts'
import { expectBooksToBalance } from '../../crash/books.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const testDatabase = withTestDatabase()
let requests = 0

async function newCall(facts: Partial<CallToSettle> = {}): Promise<CallToSettle> {
  const account = await openAccount(testDatabase.database, { plan: 'custom', credits: 100 })
  return {
    accountId: account.accountId,
    keyId: account.keyId,
    requestId: `req_${String(++requests).padStart(26, '0')}`,
    endpoint: '/v1/properties/1',
    operation: 'getProperty',
    actor: 'detail',
    status: 200,
    admittedAt: new Date(),
    mode: 'call',
    units: 1,
    price: 1,
    minimum: 1,
    ...facts,
  }
}

async function rowsOf({ requestId }: CallToSettle) {
  const { rows } = await testDatabase.database.query(
    'select status_code, units, credits_charged from usage_rows where request_id = $1',
    [requestId],
  )
  return rows
}

/** A database whose connection breaks once during a settlement, before or after the statement runs. */
function breakingOnce(when: 'before' | 'after'): Database {
  let isBroken = false
  return {
    ...testDatabase.database,
    async query(text, values, options) {
      if (!text.includes('settle_calls') || isBroken)
        return testDatabase.database.query(text, values, options)
      isBroken = true
      if (when === 'after') await testDatabase.database.query(text, values, options)
      throw new DatabaseUnavailable('The connection was lost.', { outcomeUnknown: true })
    },
  }
}

describe('a charge whose response from the database was lost', () => {
  it('counts if it is in the ledger', async () => {
    const call = await newCall()
    const settlement = await createLedger(breakingOnce('after')).settle(call)
    expect(settlement).toMatchObject({ verdict: 'settled', units: 1, charged: 1, balance: 99 })
    await expectBooksToBalance(testDatabase.database)
  })

  it('does not count if it is not in the ledger', async () => {
    const call = await newCall()
    const lost = createLedger(breakingOnce('before')).settle(call)
    await expect(lost).rejects.toMatchObject({ charge: 'free', outcomeUnknown: false })
    expect(await rowsOf(call)).toEqual([{ status_code: 503, units: 0, credits_charged: 0 }])
    await expectBooksToBalance(testDatabase.database)
  })

  it('stays missing once it was reported as missing, even if the lost statement arrives later', async () => {
    const [call, beside] = [await newCall(), await newCall()]
    const late: (() => Promise<unknown>)[] = []
    const ledger = createLedger({
      ...testDatabase.database,
      async query(text, values, options) {
        if (!text.includes('settle_calls')) return testDatabase.database.query(text, values, options)
        late.push(() => testDatabase.database.query(text, values, options))
        throw new DatabaseUnavailable('The connection was lost.', { outcomeUnknown: true })
      },
    })
    const told = await Promise.allSettled([ledger.settle(call), ledger.settle(beside)])
    expect(told).toMatchObject([{ reason: { charge: 'free' } }, { reason: { charge: 'free' } }])
    for (const arrive of late) await expect(arrive()).rejects.toMatchObject({ code: '23505' })
    expect(await rowsOf(call)).toEqual([{ status_code: 503, units: 0, credits_charged: 0 }])
    await expectBooksToBalance(testDatabase.database)
  })

  it('stays missing even if the lost statement arrives after its hour was closed', async () => {
    const { database } = testDatabase
    const call = await newCall({ admittedAt: new Date(Date.now() - 3 * 60 * 60 * 1000) })
    await database.query(
      `insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, status_code, created_at)
       values ($1, $2, $3, $4, $5, $6, 503, $7)`,
      [
        call.accountId,
        call.keyId,
        call.requestId,
        call.endpoint,
        call.operation,
        call.actor,
        call.admittedAt.toISOString(),
      ],
    )
    await database.query('select close_usage($1)', [call.accountId])
    await expect(createLedger(database).settle(call)).rejects.toMatchObject({ code: '23505' })
    expect(await rowsOf(call)).toEqual([{ status_code: 503, units: 0, credits_charged: 0 }])
    await expectBooksToBalance(database)
  })

  it('waits for a statement that is still running, and returns its charge', async () => {
    const call = await newCall()
    const { database } = testDatabase
    const slow: Promise<unknown>[] = []
    const ledger = createLedger({
      ...database,
      async query(text, values, options) {
        if (!text.includes('settle_calls')) return database.query(text, values, options)
        const written = Promise.withResolvers<void>()
        slow.push(
          database.transaction(async (tx) => {
            await tx.query(text, values)
            written.resolve()
            await tx.query('select pg_sleep(0.5)')
          }),
        )
        await written.promise
        throw new DatabaseUnavailable('The connection was lost.', { outcomeUnknown: true })
      },
    })
    expect(await ledger.settle(call)).toMatchObject({ verdict: 'settled', charged: 1, balance: 99 })
    await Promise.all(slow)
  })

  it('is reported as unknown when the ledger cannot be read, and no call waits forever', async () => {
    const call = await newCall()
    const away = (error: Error) =>
      createLedger({
        ...testDatabase.database,
        query: (text) =>
          Promise.reject(
            text.includes('settle_calls') ? new DatabaseUnavailable('lost', { outcomeUnknown: true }) : error,
          ),
      })
    await expect(away(new DatabaseUnavailable('away')).settle(call)).rejects.toMatchObject({
      charge: 'unknown',
    })
    await expect(away(new Error('wrong statement')).settle(call)).rejects.toThrow('wrong statement')
  })
})

describe('a client that disconnects', () => {
  it('is not charged if the disconnect is known before the charge is written, and its usage row says so', async () => {
    const call = await newCall({ hasDisconnected: () => true })
    expect(await createLedger(testDatabase.database).settle(call)).toMatchObject({ charged: 0, balance: 100 })
    expect(await rowsOf(call)).toEqual([{ status_code: CLIENT_DISCONNECTED, units: 0, credits_charged: 0 }])
  })
})
