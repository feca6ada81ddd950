// An estimate and the call itself agree: conditional calls, limits of the client, and the named limit.

import { type OperationId, operations, type Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { plans } from '../../../src/money/accounts/plans.ts'
import { placeHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { sendCall } from '../../setup/example-calls.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { acceptJob, callOf } from './money.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

let key = ''
beforeAll(async () => {
  const homes: Property[] = Array.from({ length: 6 }, (_, at) => ({
    zpid: String(1000 + at),
    homeStatus: 'FOR_SALE',
    price: 100_000,
    latitude: 47.6 + at / 1000,
    longitude: -122.3,
  }))
  await importListings(
    testDatabase.database,
    homes.map((record, at) => ({ line: at + 1, record })),
  )
  key = (await server.openAccount()).key
})

interface EstimatedCall {
  readonly operation: OperationId
  readonly path?: Record<string, string>
  readonly query?: Record<string, string | number>
  readonly body?: object
}

interface CallHeaders {
  readonly key: string
  readonly headers?: Record<string, string>
}

function make({ operation, path = {}, query = {}, body }: EstimatedCall, sent: CallHeaders) {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return sendCall(server, { id: operation, params: path, query: texts, body } as never, sent)
}

const dryRun = (call: EstimatedCall, { key, headers }: CallHeaders) =>
  make(call, { key, headers: { ...headers, prefer: 'dry-run' } })

const filters = { status: 'for_sale', bbox: { west: -122.4, south: 47.59, east: -122.2, north: 47.62 } }

describe('an estimate and the call agree', () => {
  it('on a 304 for a matching If-None-Match, for free', async () => {
    const call: EstimatedCall = { operation: 'getProperty', path: { zpid: '1001' } }
    const tag = (await make(call, { key })).headers.get('etag')!
    for (const [sent, charge] of [
      [tag, 0],
      ['W/"none"', 1],
    ] as const) {
      const headers = { 'if-none-match': sent }
      const { json } = await make(call, { key, headers: { ...headers, prefer: 'dry-run' } })
      expect(json.data).toMatchObject({ exact: true, min: charge, max: charge, would_be_refused: false })
      expect((await make(call, { key, headers })).charged).toBe(charge)
    }
  })

  it.each([
    ['the header', { 'x-max-credits': '2' }, 2],
    ['the input, if it is smaller', { 'x-max-credits': '9' }, 4],
  ])('POST /v1/estimate obeys X-Max-Credits: %s', async (_, headers, charge) => {
    const call: EstimatedCall = {
      operation: 'listListings',
      query: { bbox: '-122.4,47.59,-122.2,47.62', max_credits: 4 },
    }
    const { json } = await server.post(
      '/v1/estimate',
      { operation: call.operation, input: { query: call.query } },
      { key, headers },
    )
    expect(json.data).toMatchObject({ exact: true, min: charge, max: charge, would_be_truncated: true })
    expect((await make(call, { key, headers })).charged).toBe(charge)
  })

  it('on the smaller of the credits and the call limit, if a row costs more than the minimum', async () => {
    const stage = operations.listListings.price.stages[0] as unknown as { price: number; minimum: number }
    const real = { ...stage }
    Object.assign(stage, { price: 7, minimum: 1 })
    try {
      for (const [credits, cap, code] of [
        [3, 5, 'out_of_credits'],
        [5, 3, 'max_credits_exceeded'],
        [5, 5, 'max_credits_exceeded'],
      ] as const) {
        const account = await server.openAccount({ credits })
        const call: EstimatedCall = {
          operation: 'listListings',
          query: { bbox: '-122.4,47.59,-122.2,47.62', max_credits: cap },
        }
        const { json } = await dryRun(call, account)
        const made = await make(call, account)
        expect([json.data.error_code, made.code, made.charged]).toEqual([code, code, 0])
      }
    } finally {
      Object.assign(stage, real)
    }
  })

  it('on the refusal of a job with a limit of 0 credits and nothing available', async () => {
    const { database } = testDatabase
    const account = await server.openAccount({ credits: 3 })
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 2, least: 1 })
    await createLedger(database).settle(callOf(account, 'getProperty', 1))
    const body = { filters, async: true, maxItems: 5, maxCredits: 0 }
    const call: EstimatedCall = { operation: 'searchListings', body }
    expect((await dryRun(call, account)).json.data).toMatchObject({
      available: 0,
      error_code: 'max_credits_exceeded',
    })
    expect((await make(call, account)).code).toBe('max_credits_exceeded')
  })

  it('on the refusal of a job above the limit of open jobs', async () => {
    const account = await server.openAccount({ credits: 1_000 })
    const call: EstimatedCall = {
      operation: 'searchListings',
      body: { filters, async: true, maxItems: 1 },
    }
    const codeOf = async () => (await dryRun(call, account)).json.data.error_code
    const limits = plans.custom as { maxOpenJobs: number }
    const real = limits.maxOpenJobs
    limits.maxOpenJobs = 2
    try {
      // No worker runs, so that all of them stay open.
      for (const code of [null, null, 'job_limit']) {
        expect(await codeOf()).toBe(code)
        expect((await make(call, account)).code ?? null).toBe(code)
      }
    } finally {
      limits.maxOpenJobs = real
    }
  })
})

it('a call that cannot be paid is refused even if its If-None-Match would match', async () => {
  const { database } = testDatabase
  const account = await server.openAccount({ credits: 10 })
  const call: EstimatedCall = { operation: 'getProperty', path: { zpid: '1002' } }
  const tag = (await make(call, account)).headers.get('etag')!
  const again = async (headers: Record<string, string> = {}) => {
    const { status, code } = await make(call, { ...account, headers: { 'if-none-match': tag, ...headers } })
    return [status, code]
  }
  expect(await again()).toEqual([304, undefined])
  expect(await again({ 'x-max-credits': '0' })).toEqual([402, 'max_credits_exceeded'])
  await setKeyLimit(database, account.keyId, { credits: 0, per: 'day' })
  await expect.poll(() => again(), { interval: 10 }).toEqual([402, 'key_limit_reached'])
})
