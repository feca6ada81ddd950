import { operationIds, operations, price } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { callOf, moneyOf, openWith, postingsOf } from './money.ts'

const testDatabase = withTestDatabase()

const metered = operationIds.filter((id) => operations[id].price.stages.some((stage) => stage.price > 0))
const UNITS = 5

/** The expected charge of a call with `available` credits; undefined if it is refused. */
function expected(id: (typeof metered)[number], available: number, units: number) {
  const [stage] = operations[id].price.stages
  if (stage!.per === 'call') {
    const charged = price(id, stage!.stage, units)
    return charged <= available ? { units, charged } : undefined
  }
  for (let granted = units; granted >= 0; granted--) {
    const charged = price(id, stage!.stage, granted)
    if (charged <= available && (granted > 0 || units === 0)) return { units: granted, charged }
  }
  return undefined
}

describe('a call', () => {
  // Chained searches are priced by stages and only ever run as jobs.
  const sync = metered.filter((id) => operations[id].price.stages.length === 1)

  it.each(sync)(
    'of %s is charged its price, reduced to the available credits, at balances 0 to 5',
    async (id) => {
      const { database } = testDatabase
      const ledger = createLedger(database)
      for (let balance = 0; balance <= 5; balance++) {
        for (const units of [0, 1, UNITS, UNITS + 1, 50]) {
          const account = await openWith(database, balance)
          const settlement = await ledger.settle(callOf(account, id, units))
          const due = expected(id, balance, units)
          const place = `balance ${balance}, ${units} units`
          expect(settlement, place).toEqual({
            verdict: due ? 'settled' : 'insufficient',
            units: due?.units ?? 0,
            charged: due?.charged ?? 0,
            balance: balance - (due?.charged ?? 0),
            held: 0,
            keyLeft: null,
          })
          const { rows } = await database.query(
            'select units, credits_charged, status_code from usage_rows where account_id = $1',
            [account.accountId],
          )
          expect(rows, place).toEqual([
            { units: due?.units ?? 0, credits_charged: due?.charged ?? 0, status_code: due ? 200 : 402 },
          ])
          expect(await moneyOf(database, account), place).toMatchObject({
            balance: balance - (due?.charged ?? 0),
          })
        }
      }
    },
  )

  it('that is free leaves no posting, and a usage row', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 5)
    const settlement = await createLedger(database).settle(callOf(account, 'getAccount', 1))
    expect(settlement).toEqual({
      verdict: 'settled',
      units: 0,
      charged: 0,
      balance: 5,
      held: 0,
      keyLeft: null,
    })
    expect(await postingsOf(database, account)).toEqual([['grant', 5, 0]])
  })

  it('spends the grant first and top-ups last', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 4)
    await database.query('select top_up($1, 10)', [account.accountId])
    const ledger = createLedger(database)
    await ledger.settle(callOf(account, 'getPropertyByAddress', 1))
    expect(await moneyOf(database, account)).toMatchObject({ balance: 11, grant_left: 1 })
    await ledger.settle(callOf(account, 'getPropertyByAddress', 1))
    expect(await moneyOf(database, account)).toMatchObject({ balance: 8, grant_left: 0 })
  })

  it('with a price of several credits per row is reduced to whole rows, and never below its minimum', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 5)
    const ledger = createLedger(database)
    const costly = { price: 2, minimum: 3 }
    // The audit must not see these prices, which are in no contract, so they are rolled back.
    await expect(
      database.transaction(async (tx) => {
        const inside = createLedger({ ...database, query: tx.query })
        expect(await inside.settle(callOf(account, 'searchListings', 7, costly))).toMatchObject({
          units: 2,
          charged: 4,
        })
        expect(await inside.settle(callOf(account, 'searchListings', 1, costly))).toMatchObject({
          verdict: 'insufficient',
          charged: 0,
        })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await ledger.settle(callOf(account, 'searchListings', 0))).toMatchObject({ units: 0, charged: 1 })
  })
})

describe('calls that are settled in one group', () => {
  it('of ten keys of one account are decided in order, and a refused 3-credit call does not block a 1-credit call', async () => {
    const { database } = testDatabase
    let statements = 0
    const counted = {
      ...database,
      query: ((...args: Parameters<typeof database.query>) => {
        statements += 1
        return database.query(...args)
      }) as typeof database.query,
    }
    const account = await openWith(database, 8)
    const calls = [
      callOf(account, 'getProperty', 1),
      callOf(account, 'getPropertyByAddress', 1),
      callOf(account, 'listListings', 2),
      callOf(account, 'getPropertyByAddress', 1),
      callOf(account, 'getProperty', 1),
      callOf(account, 'getPropertyByAddress', 1),
      callOf(account, 'listListings', 50),
      callOf(account, 'getAccount', 1),
      callOf(account, 'getProperty', 1),
      callOf(account, 'listListings', 1),
    ].map((call) => ({ ...call, keyId: crypto.randomUUID() }))
    const ledger = createLedger(counted)
    const settled = await Promise.all(calls.map((call) => ledger.settle(call)))
    expect(statements).toBe(1)
    // The balance is what each left to the next.
    expect(settled.map(({ verdict, charged, balance }) => [verdict, charged, balance])).toEqual([
      ['settled', 1, 7],
      ['settled', 3, 4],
      ['settled', 2, 2],
      ['insufficient', 0, 2],
      ['settled', 1, 1],
      ['insufficient', 0, 1],
      ['settled', 1, 0],
      ['settled', 0, 0],
      ['insufficient', 0, 0],
      ['insufficient', 0, 0],
    ])
  })

  it('are all settled except one that cannot be written', async () => {
    const { database } = testDatabase
    const ledger = createLedger(database)
    const account = await openWith(database, 10)
    const first = callOf(account, 'getProperty', 1)
    const outcomes = await Promise.allSettled([
      ledger.settle(first),
      ledger.settle({ ...first, units: 7 }),
      ledger.settle(callOf(account, 'getProperty', 1, { accountId: crypto.randomUUID() })),
      ledger.settle(callOf(account, 'getProperty', 1)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await moneyOf(database, account)).toMatchObject({ balance: 8 })
  })

  it('are answered as soon as each is charged, if one of them cannot be written', async () => {
    const { database } = testDatabase
    const [free, locked] = await Promise.all([openWith(database, 1), openWith(database, 1)])
    let stuck: Promise<unknown> | undefined
    await database.transaction(async (tx) => {
      let statements = 0
      const ledger = createLedger({
        ...database,
        query: (async (...args: Parameters<typeof database.query>) => {
          // The first was the group's, which failed; now each call has its own.
          if (++statements === 2)
            await tx.query('select from accounts where id = $1 for update', [locked.accountId])
          return database.query(...args)
        }) as typeof database.query,
      })
      const poison = ledger.settle(callOf(free, 'getProperty', 1, { accountId: crypto.randomUUID() }))
      const good = ledger.settle(callOf(free, 'getProperty', 1))
      stuck = ledger.settle(callOf(locked, 'getProperty', 1))
      await expect(poison).rejects.toThrow('no account')
      expect(await good).toMatchObject({ charged: 1 })
    })
    expect(await stuck).toMatchObject({ charged: 1 })
  })

  it('of many accounts are each charged to the right account', async () => {
    const { database } = testDatabase
    const ledger = createLedger(database)
    const accounts = await Promise.all(Array.from({ length: 20 }, (_, n) => openWith(database, n)))
    const calls = accounts.flatMap((account) =>
      Array.from({ length: 10 }, () => callOf(account, 'getProperty', 1)),
    )
    const settled = await Promise.all(calls.map((call) => ledger.settle(call)))
    for (const [n, account] of accounts.entries()) {
      const own = settled.slice(n * 10, n * 10 + 10)
      expect(own.map(({ charged }) => charged)).toEqual(Array.from({ length: 10 }, (_, i) => (i < n ? 1 : 0)))
      expect(await moneyOf(database, account)).toMatchObject({ balance: Math.max(0, n - 10) })
    }
  })

  it('are sent to an idle database once the group is large enough', async () => {
    const { database } = testDatabase
    const groups: number[] = []
    const watched = {
      ...database,
      query: ((...args: Parameters<typeof database.query>) => {
        groups.push((args[1]![0] as string[]).length)
        return database.query(...args)
      }) as typeof database.query,
    }
    const ledger = createLedger(watched)
    const account = await openWith(database, 100)
    const calls = Array.from({ length: 40 }, () => ledger.settle(callOf(account, 'getProperty', 1)))
    expect(groups).toEqual([16])
    const settled = await Promise.all(calls)
    expect(groups).toEqual([16, 24])
    expect(settled.map(({ balance }) => balance)).toEqual(Array.from({ length: 40 }, (_, at) => 99 - at))
  })

  it('are sent before the previous group is answered', async () => {
    const { database } = testDatabase
    const events: string[] = []
    const watched = {
      ...database,
      query: ((...args: Parameters<typeof database.query>) => {
        events.push('asked')
        return database.query(...args)
      }) as typeof database.query,
    }
    const ledger = createLedger(watched)
    const accounts = await Promise.all([openWith(database, 1), openWith(database, 1)])
    const first = ledger.settle(callOf(accounts[0]!, 'getProperty', 1)).then(() => events.push('answered'))
    await new Promise((resolve) => setImmediate(resolve))
    const second = ledger.settle(callOf(accounts[1]!, 'getProperty', 1)).then(() => events.push('answered'))
    await Promise.all([first, second])
    expect(events).toEqual(['asked', 'asked', 'answered', 'answered'])
  })

  it('do not delay other accounts while they wait for an account lock', async () => {
    const { database } = testDatabase
    const ledger = createLedger(database)
    const locked = await openWith(database, 1)
    const free = await openWith(database, 1)
    let stuck: Promise<unknown> | undefined
    await database.transaction(async (tx) => {
      await tx.query('select from accounts where id = $1 for update', [locked.accountId])
      stuck = ledger.settle(callOf(locked, 'getProperty', 1))
      await new Promise((resolve) => setImmediate(resolve))
      expect(await ledger.settle(callOf(free, 'getProperty', 1))).toMatchObject({ charged: 1 })
      expect(await moneyOf(database, locked)).toMatchObject({ balance: 1 })
    })
    expect(await stuck).toMatchObject({ charged: 1 })
  })
})
