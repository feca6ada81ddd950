// Every operation through the SDK against the mock, which answers what the contract shows: each success, and each error.

import { type OperationId, operationIds, operations } from '@lotline/contract'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  JobLimitError,
  JobNotReadyError,
  LookupBudgetError,
  Lotline,
  LotlineError,
  NotFoundError,
  OutOfCreditsError,
  RateLimitedError,
  ServerError,
} from '../src/index.ts'
import { calls } from './every-operation.ts'

let mock: Mock
let lotline: Lotline
const asked: string[] = []

beforeAll(async () => {
  mock = await startMock({ onAnswer: ({ method, url }) => asked.push(`${method} ${url}`) })
  lotline = new Lotline({ apiKey: DEMO_KEY, baseUrl: mock.origin, maxRetries: 0 })
})
afterAll(() => mock.close())

describe('a successful call', () => {
  it.each(operationIds)('reaches its operation and has a receipt: %s', async (id) => {
    asked.length = 0
    const result = await calls[id](lotline, {})
    expect(asked).toEqual([expect.stringMatching(pathPattern(id))])
    expect(result).toMatchObject({
      requestId: expect.stringMatching(/^req_/),
      credits: { charged: expect.any(Number), remaining: expect.any(Number) },
    })
    expect(result).not.toHaveProperty('request_id')
  })
})

describe('an API error', () => {
  const CLASSES: Readonly<Record<number, typeof LotlineError>> = {
    401: AuthenticationError,
    402: OutOfCreditsError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
  }
  const documented = operationIds.flatMap((id) =>
    Object.entries(operations[id].statuses).flatMap(([status, { errors }]) =>
      errors.map((code) => [id, Number(status), code] as const),
    ),
  )

  it.each(documented)('has the class of its code: %s %i %s', async (id, status, code) => {
    const headers = { Prefer: `code=${status}, example=${code}` }
    const error = await calls[id](lotline, { headers }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CLASSES[status] ?? (status >= 500 ? ServerError : InvalidRequestError))
    expect(error).toBeInstanceOf(LotlineError)
    expect(error).toMatchObject({ code, status, requestId: expect.stringMatching(/^req_/) })
    expect((error as LotlineError).credits?.charged ?? 0).toBe(0)
    expect((error as Error).name).toBe((error as Error).constructor.name)
    expect(error instanceof JobNotReadyError).toBe(code === 'job_not_ready')
    expect(error instanceof JobLimitError).toBe(code === 'job_limit')
    expect(error instanceof LookupBudgetError).toBe(code === 'lookup_budget_exceeded')
    if (error instanceof JobLimitError)
      expect([error.bound, error.value, error.limit]).toEqual(['open_jobs', 20, 20])
    if (error instanceof LookupBudgetError) expect([error.window, error.limit]).toEqual(['minute', 20])
    expect((error as LotlineError).message).toMatch(/\.$/)
  })

  it('for a rate limit says how long to wait', async () => {
    const headers = { Prefer: 'code=429, example=rate_limited' }
    await expect(lotline.account.me({ headers })).rejects.toMatchObject({ retryAfterMs: 12_000 })
  })
})

describe('iteration', () => {
  const bbox = '-122.36,47.63,-122.34,47.645'

  it('returns the rows of a search, whether it is synchronous or a job', async () => {
    const filters = { bbox: { west: -122.36, south: 47.63, east: -122.34, north: 47.645 } }
    for (const maxItems of [2, 800]) {
      const zpids = []
      for await (const { zpid } of lotline.search.run({ filters, maxItems })) zpids.push(zpid)
      expect(zpids).toEqual(['48749425', '48749512'])
    }
  })

  it('returns the units of a building', async () => {
    const units = []
    for await (const { unitNumber } of lotline.buildings.units(
      'https://www.zillow.com/b/the-ashford-seattle-wa-5XkR7n/',
    )) {
      units.push(unitNumber)
    }
    expect(units.filter(Boolean).length).toBeGreaterThan(0)
  })

  it('over CSV has the same metadata as JSON', async () => {
    const csv = await lotline.listings.list({ bbox, format: 'csv' })
    expect(csv.meta).toEqual({ count: 2, total: 2 })
    expect((await csv.text()).split('\r\n')[0]).toMatch(/^zpid,/)
  })

  it('over NDJSON returns row by row', async () => {
    const zpids = []
    for await (const row of await lotline.listings.list({ bbox, format: 'ndjson' })) zpids.push(row.zpid)
    expect(zpids).toEqual(['48749425', '48749512'])
  })
})

function pathPattern(id: OperationId): RegExp {
  const { method, path } = operations[id]
  return new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
}
