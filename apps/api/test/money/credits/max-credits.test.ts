// The client's credit limit (X-Max-Credits, maxCredits, max_credits) over HTTP: no call or job is ever charged more, and the
// error names the limit that applied.

import { operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectBooksToBalance } from '../../crash/books.ts'
import { minimalCall, sendCall } from '../../setup/example-calls.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'
import { HASTE, startJob, untilEnded, withWorker } from '../../work/jobs/job-calls.ts'
import { callOf, filters, HOMES, LIMITED, provider, TOWER, urls } from './limited-calls.ts'

const PAIRS = process.env.LOTLINE_FULL ? 1000 : 150

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider, providerRetry: HASTE } })
withWorker(server)

const withLimit = (limit: unknown) => ({ headers: { 'x-max-credits': String(limit) } })

async function spent(accountId: string): Promise<{ charged: number; held: number }> {
  const { rows } = await testDatabase.database.query<{ charged: number; held: number }>(
    `select coalesce(-sum(amount) filter (where kind = 'charge'), 0)::integer as charged, sum(held_change)::integer as held
     from postings where account_id = $1`,
    [accountId],
  )
  return rows[0]!
}

let rich = ''
beforeAll(async () => {
  rich = (await server.openAccount({ credits: 1_000_000 })).key
})

describe.each(LIMITED)('%s with X-Max-Credits', (id) => {
  it.each(['-1', '1.5', 'many', '', '9007199254740993', '1e400', '5, 6'])(
    'of "%s" is refused with 400 at no charge',
    async (value) => {
      const answer = await sendCall(server, callOf(id), { key: rich, ...withLimit(value) })
      expect([answer.status, answer.code, answer.charged]).toEqual([400, 'invalid_parameter', 0])
      expect(answer.json.error.details.parameter).toBe('x-max-credits')
    },
  )

  it('of 0 is refused with 402, has no effect, and the error names the price', async () => {
    const { key, accountId } = await server.openAccount()
    const answer = await sendCall(server, callOf(id), { key, ...withLimit(0) })
    expect([answer.status, answer.code, answer.charged]).toEqual([402, 'max_credits_exceeded', 0])
    const required = operations[id].price.stages.reduce((sum, { price }) => sum + price, 0)
    expect(answer.json.error.details).toEqual({ required, max_credits: 0 })
    expect(await usageOf(testDatabase.database, answer)).toMatchObject([
      { operation: id, status_code: 402, units: 0, credits_charged: 0 },
    ])
    expect((await spent(accountId)).held).toBe(0)
  })

  it('of 2^53 - 1 has no effect', async () => {
    const answer = await sendCall(server, callOf(id), { key: rich, ...withLimit(Number.MAX_SAFE_INTEGER) })
    expect([200, 202]).toContain(answer.status)
    expect(answer.json.meta?.truncated).toBeUndefined()
  })
})

describe('a call with a fixed price of 3', () => {
  it.each([
    [2, 402, 0],
    [3, 200, 3],
    [4, 200, 3],
  ])('and a limit of %i gets status %i and is charged %i', async (limit, status, charged) => {
    const { key } = await server.openAccount()
    const answer = await sendCall(server, minimalCall('getPropertyByAddress'), { key, ...withLimit(limit) })
    expect([answer.status, answer.charged]).toEqual([status, charged])
  })

  it('is refused by the smaller of the credits and the limit, and the error names it', async () => {
    const { key } = await server.openAccount({ credits: 1 })
    const call = minimalCall('getPropertyByAddress')
    expect((await sendCall(server, call, { key, ...withLimit(2) })).code).toBe('out_of_credits')
    expect((await sendCall(server, call, { key, ...withLimit(0) })).code).toBe('max_credits_exceeded')
  })
})

describe('rows', () => {
  const cases = [
    ['listListings', 50],
    ['searchListings', 50],
    ['getBuildingUnits', 7],
  ] as const

  it.each(cases)('of %s are reduced to the limit, and the response says so', async (id, rows) => {
    const { key } = await server.openAccount()
    for (const limit of [1, 5, rows - 1, rows, rows + 1]) {
      const answer = await sendCall(server, callOf(id), { key, ...withLimit(limit) })
      const count = Math.min(limit, rows)
      expect([answer.status, answer.charged, answer.json.meta.count]).toEqual([200, count, count])
      expect(answer.json.meta.truncated_by).toBe(limit < rows ? 'max_credits' : undefined)
    }
  })

  it('as CSV are reduced to the limit, and the header says so', async () => {
    const { key } = await server.openAccount()
    const call = { ...callOf('listListings'), query: { ...callOf('listListings').query, format: 'csv' } }
    const answer = await sendCall(server, call, { key, ...withLimit(4) })
    expect([answer.charged, answer.headers.get('x-truncated-by'), answer.headers.get('x-row-count')]).toEqual(
      [4, 'max_credits', '4'],
    )
  })

  it('are reduced to the smaller of the credits and the limit, and the response names it', async () => {
    const { key } = await server.openAccount({ credits: 6 })
    const first = await sendCall(server, callOf('listListings'), { key, ...withLimit(4) })
    expect([first.charged, first.json.meta.truncated_by]).toEqual([4, 'max_credits'])
    const second = await sendCall(server, callOf('listListings'), { key, ...withLimit(4) })
    expect([second.charged, second.json.meta.truncated_by]).toEqual([2, 'credits'])
  })

  it('are reduced to the smallest of header, query, and body', async () => {
    const { key } = await server.openAccount()
    const list = callOf('listListings')
    const inQuery = { ...list, query: { ...list.query, max_credits: '3' } }
    expect((await sendCall(server, inQuery, { key })).charged).toBe(3)
    expect((await sendCall(server, inQuery, { key, ...withLimit(2) })).charged).toBe(2)
    expect((await sendCall(server, inQuery, { key, ...withLimit(9) })).charged).toBe(3)
    const inBody = { ...callOf('searchListings'), body: { filters, maxCredits: 3 } }
    expect((await sendCall(server, inBody, { key })).charged).toBe(3)
    expect((await sendCall(server, inBody, { key, ...withLimit(2) })).charged).toBe(2)
  })
})

describe('a job', () => {
  const jobs = [
    ['a batch', '/v1/properties/batch', { urls }, 20, 1],
    ['a search', '/v1/search', { filters, async: true, maxItems: 55 }, 55, 1],
    ['a search with details', '/v1/search/with-details', { filters, maxItems: 15 }, 15, 2],
    [
      'an exhaustive search',
      '/v1/search',
      { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' },
      HOMES,
      1,
    ],
    [
      'a batch that extracts units',
      '/v1/properties/batch',
      { urls: [TOWER], extractBuildingUnits: 'all' },
      7,
      1,
    ],
  ] as const

  it.each(jobs)('%s succeeds with the rows that the limit covers', async (_, path, body, rows, perRow) => {
    const { key, accountId } = await server.openAccount()
    for (const limit of [perRow, 2 * perRow + 1, perRow * rows, 1000]) {
      const { id, answer } = await startJob(server, path, body, { key, ...withLimit(limit) })
      const job = await untilEnded(server, key, id)
      const count = Math.min(rows, Math.floor(limit / perRow))
      expect([limit, job.status, job.result_count, job.credits_charged, job.max_credits]).toEqual([
        limit,
        'succeeded',
        count,
        count * perRow,
        limit,
      ])
      expect(job.truncated_by).toBe(count < rows ? 'max_credits' : null)
      const { rows: holds } = await testDatabase.database.query<{ amount: number }>(
        'select amount::integer from holds where account_id = $1 and job_id = $2',
        [accountId, id],
      )
      expect(holds[0]!.amount).toBeLessThanOrEqual(limit)
      expect(answer.charged).toBe(0)
    }
    await expectBooksToBalance(testDatabase.database)
  })

  it('is refused if the limit does not cover one row of each stage', async () => {
    const { key } = await server.openAccount()
    const body = { filters, maxCredits: 1 }
    const answer = await server.post('/v1/search/with-details', body, { key })
    expect([answer.status, answer.code]).toEqual([402, 'max_credits_exceeded'])
    expect(answer.json.error.details).toEqual({ required: 2, max_credits: 1 })
  })

  it('is refused by the credits if the account has fewer than the limit', async () => {
    const { key } = await server.openAccount({ credits: 6 })
    const body = { urls, maxCredits: 10 }
    const { id } = await startJob(server, '/v1/properties/batch', body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ credits_charged: 5, truncated_by: 'credits' })
  })

  it('with another limit counts as a different request for an Idempotency-Key', async () => {
    const { key } = await server.openAccount()
    const send = (limit: number) =>
      server.post(
        '/v1/properties/batch',
        { urls },
        {
          key,
          headers: { 'idempotency-key': 'one', 'x-max-credits': String(limit) },
        },
      )
    const first = await send(5)
    expect((await send(5)).json.data.job_id).toBe(first.json.data.job_id)
    expect([(await send(6)).code]).toEqual(['idempotency_key_reused'])
  })
})

it(`${PAIRS} random calls are charged at most their limits`, async () => {
  let seed = 20261122
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const started: { id: string; limit: number }[] = []
  for (let at = 0; at < PAIRS; at++) {
    const id = LIMITED[random(LIMITED.length)]!
    const limit = random(60)
    const answer = await sendCall(server, callOf(id), { key: rich, ...withLimit(limit) })
    expect([200, 202, 402], answer.text).toContain(answer.status)
    expect(answer.charged).toBeLessThanOrEqual(limit)
    if (answer.status === 202) started.push({ id: answer.json.data.job_id, limit })
  }
  for (const { id, limit } of started) {
    const job = await untilEnded(server, rich, id)
    expect(job.status).toBe('succeeded')
    expect(job.credits_charged).toBeLessThanOrEqual(limit)
  }
  await expectBooksToBalance(testDatabase.database)
})
