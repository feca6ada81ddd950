// What customers pay, over real HTTP: every metered operation at every small balance and size, and many at once.

import { type OperationId, operationIds, operations, type Property, price } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import type { Provider } from '../../../src/data/sources/provider.ts'
import { issueKey } from '../../../src/money/accounts/open-account.ts'
import { expectBooksToBalance } from '../../crash/books.ts'
import { type ExampleCall, minimalCall, sendCall } from '../../setup/example-calls.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'

const testDatabase = withTestDatabase()

/** A source that has as many listings everywhere as the test says, and of single homes exactly one. */
const source = { rows: 1 }
const provider: Provider = {
  name: 'money',
  searchCap: 500,
  findByZpid: async (zpid) => ({ record: home(zpid), generation: null }),
  findByUrl: async () => ({ record: home('1'), generation: null }),
  findByAddress: async () => ({ found: 'one', listing: { record: home('1'), generation: null } }),
  findUnits: async () => ({ parent: { ...home('99'), isBuilding: true }, units: homes() }),
  search: async ({ status, bbox: { south, west } }, { limit }) => {
    const place = { homeStatus: status.toUpperCase(), latitude: south, longitude: west }
    return {
      records: homes()
        .slice(0, limit)
        .map((row) => ({ ...row, ...place })),
      total: source.rows,
    }
  },
}
const server = withTestServer(testDatabase, { parts: { provider } })

function home(zpid: string): Property {
  return { zpid, homeStatus: 'FOR_SALE', latitude: 47, longitude: -122, unitNumber: zpid }
}

function homes(): Property[] {
  return Array.from({ length: source.rows }, (_, at) => home(String(at + 1)))
}

/** The calls that are answered at once and cost something. */
const METERED: readonly { name: string; call: ExampleCall }[] = operationIds
  .filter((id) => operations[id].statuses[200] && operations[id].price.stages[0]!.price > 0)
  .flatMap((id): { name: string; call: ExampleCall }[] => {
    const call = minimalCall(id)
    if (id !== 'getPropertyByUrl') return [{ name: id, call: syncCall(call) }]
    const url = 'https://www.zillow.com/b/some-building-abc123/'
    return [
      { name: id, call },
      { name: `${id} of a building`, call: { ...call, query: { url, extract_units: 'all' } } },
    ]
  })

function syncCall(call: ExampleCall): ExampleCall {
  const body = call.body as { maxItems?: number } | undefined
  return body && 'filters' in body ? { ...call, body: { filters: body.filters, maxItems: 50 } } : call
}

/** How many rows an answer holds that count: a building's own record does not. */
function rowsIn(json: { data: unknown }): number {
  const data = json.data as { units?: unknown[] } | unknown[]
  const rows = (Array.isArray(data) ? data : (data.units ?? [])) as { zpid: string }[]
  return rows.filter(({ zpid }) => zpid !== '99').length
}

/** The calls that answer with a building. */
const IS_BUILDING = /building/i

function isPerRow(name: string, id: OperationId): boolean {
  return operations[id].price.stages[0]!.per === 'row' && name !== 'getPropertyByUrl'
}

describe.each(METERED)('$name', ({ name, call }) => {
  it('charges its price, returns as many rows as it charges, and never exceeds the balance', async () => {
    for (const balance of [0, 1, 2, 3, 4, 5]) {
      for (const rows of new Set([0, 1, balance, balance + 1, 50])) {
        source.rows = rows
        const { key, accountId } = await server.openAccount({ credits: balance })
        const answer = await sendCall(server, call, { key })
        const place = `balance ${balance}, ${rows} rows`

        const perRow = isPerRow(name, call.id)
        const least = price(call.id, null, perRow ? 0 : 1)
        if (balance < least || balance === 0) {
          expect([place, answer.status, answer.code, answer.charged]).toEqual([
            place,
            402,
            'out_of_credits',
            0,
          ])
          continue
        }
        const granted = perRow ? Math.min(rows, balance) : 1
        const charged = price(call.id, null, granted)
        expect([place, answer.status, answer.charged, answer.remaining]).toEqual([
          place,
          200,
          charged,
          balance - charged,
        ])
        expect(await usageOf(testDatabase.database, answer)).toEqual([
          // A building's own record is charged as a row where it has no units.
          {
            operation: call.id,
            status_code: 200,
            credits_charged: charged,
            units: rows === 0 && IS_BUILDING.test(name) ? 1 : granted,
          },
        ])
        if (perRow) {
          expect([place, rowsIn(answer.json), answer.json.meta.count]).toEqual([place, granted, granted])
          const cut = granted < rows ? { truncated: true, truncated_by: 'credits' } : {}
          const { truncated, truncated_by } = answer.json.meta
          expect([place, { truncated, truncated_by }]).toEqual([
            place,
            { truncated: undefined, truncated_by: undefined, ...cut },
          ])
        }
        const { rows: accounts } = await testDatabase.database.query<{ balance: number }>(
          'select balance from accounts where id = $1',
          [accountId],
        )
        expect(accounts[0]!.balance).toBe(balance - charged)
      }
    }
    await expectBooksToBalance(testDatabase.database)
  })
})

describe('one credit', () => {
  const ROUNDS = process.env.LOTLINE_FULL ? 100 : 10

  it(`is spent once by 200 concurrent calls over 10 keys of one account, in each of ${ROUNDS} rounds`, async () => {
    source.rows = 1
    for (let round = 0; round < ROUNDS; round++) {
      const { accountId, key } = await server.openAccount({ credits: 1 })
      const keys = [key]
      while (keys.length < 10) keys.push((await issueKey(testDatabase.database, accountId)).key)
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, call) =>
          server.get('/v1/properties/1/facts', { key: keys[call % 10]! }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(199)
    }
    await expectBooksToBalance(testDatabase.database)
  })
})

describe('rows as CSV and NDJSON', () => {
  it('report in headers the values of meta, and are also cut to the credits', async () => {
    source.rows = 9
    const { key } = await server.openAccount({ credits: 4 })
    const path = '/v1/listings?bbox=-123,46,-121,48&format=ndjson'
    const cut = await server.get(path, { key })
    expect(cut.text.trimEnd().split('\n')).toHaveLength(4)
    expect(['x-row-count', 'x-total-count', 'x-truncated-by'].map((name) => cut.headers.get(name))).toEqual([
      '4',
      '9',
      'credits',
    ])
    const { key: rich } = await server.openAccount()
    const csv = await server.get('/v1/listings?bbox=-123,46,-121,48', {
      key: rich,
      headers: { accept: 'text/csv' },
    })
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(10)
    expect([csv.charged, csv.headers.get('x-row-count'), csv.headers.get('x-truncated-by')]).toEqual([
      9,
      '9',
      null,
    ])
  })
})
