// POST /v1/estimate over HTTP: the call is charged the estimate, and the estimate is free.

import { isCharged, type OperationId, operationIds, operations, type Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { minimalCall, sendCall } from '../../setup/example-calls.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'

const ESTIMATES = process.env.LOTLINE_FULL ? 1000 : 100
const HOMES = 40
const CENTER = { latitude: 47.6, longitude: -122.3 }
const TOWER = '/b/tower-seattle-wa-TowErX/'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

let key = ''
beforeAll(async () => {
  const homes: Property[] = Array.from({ length: HOMES }, (_, at) => ({
    zpid: String(1000 + at),
    homeStatus: 'FOR_SALE',
    price: 100_000 * (1 + (at % 10)),
    latitude: CENTER.latitude + at / 1000,
    longitude: CENTER.longitude,
  }))
  const units = Array.from({ length: 6 }, (_, at) => ({
    zpid: String(2000 + at),
    homeStatus: 'FOR_RENT',
    unitNumber: String(at),
    bdpUrl: TOWER,
    latitude: 45,
    longitude: -120,
  }))
  const rows = [...homes, ...units].map((record, at) => ({ line: at + 1, record }))
  await importListings(testDatabase.database, rows)
  key = (await server.openAccount({ credits: 100_000 })).key
})

interface EstimateInput {
  readonly operation: OperationId
  readonly path?: Record<string, string>
  readonly query?: Record<string, string | number>
  readonly body?: object
}

const estimate = (call: object, sent: { key?: string; headers?: Record<string, string> } = {}) =>
  server.post('/v1/estimate', call, { key, ...sent })

function ask({ operation, ...input }: EstimateInput, sent: { key?: string } = {}): Promise<TestResponse> {
  return estimate({ operation, input }, sent)
}

const inputOf = ({ operation: _, ...input }: EstimateInput) => input

/** Asks by `Prefer: dry-run`. */
const dryRun = (call: EstimateInput, sent: { key?: string } = {}) =>
  make(call, { ...sent, headers: { prefer: 'dry-run' } })

function make(
  { operation, path = {}, query = {}, body }: EstimateInput,
  sent: { key?: string; headers?: Record<string, string> } = {},
) {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return sendCall(server, { id: operation, params: path, query: texts, body } as never, { key, ...sent })
}

const bbox = { west: -122.4, south: 47.59, east: -122.2, north: 47.62 }
const filters = { status: 'for_sale', bbox }

it(`${ESTIMATES} exact estimates equal the charge of the same call`, async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const limit = () => (random(3) === 0 ? { max_credits: random(12) } : {})
  const statuses = new Set<number>()
  const makers: readonly (() => EstimateInput)[] = [
    () => ({ operation: 'getProperty', path: { zpid: String(1000 + random(HOMES + 5)) } }),
    () => ({ operation: 'getPropertyPhotos', path: { zpid: String(1000 + random(HOMES + 5)) } }),
    () => ({
      operation: 'listListings',
      query: {
        bbox: '-122.4,47.59,-122.2,47.62',
        price_max: 100_000 * random(12),
        max_items: 1 + random(50),
        ...limit(),
      },
    }),
    () => ({
      operation: 'searchListings',
      body: { filters: { ...filters, price: { max: 100_000 * random(12) } }, maxItems: 1 + random(50) },
    }),
    () => ({ operation: 'searchForRent', body: { filters: { bbox }, maxCredits: random(3) } }),
    () => ({
      operation: 'getBuildingUnits',
      query: {
        url: `https://www.zillow.com${random(2) ? TOWER : '/b/nowhere-seattle-wa-9ZzZzZ/'}`,
        ...limit(),
      },
    }),
  ]
  const { database } = testDatabase
  for (let at = 0; at < ESTIMATES; at++) {
    const call = makers[random(makers.length)]!()
    // A new key, because a lower limit is known to check 8 within a second only.
    const limited = random(4) === 0 ? await server.openAccount({ credits: 1_000 }) : undefined
    if (limited) await setKeyLimit(database, limited.keyId, { credits: random(12), per: 'total' })
    const sent = { key: limited?.key ?? key }
    const cap: Record<string, string> = random(3) === 0 ? { 'x-max-credits': String(random(12)) } : {}
    const tag = random(4) === 0 ? (await make(call, sent)).headers.get('etag') : null
    const headers = { ...cap, ...(tag !== null && { 'if-none-match': tag }) }
    const { json } =
      random(2) && tag === null
        ? await estimate({ operation: call.operation, input: inputOf(call) }, { ...sent, headers: cap })
        : await make(call, { ...sent, headers: { ...headers, prefer: 'dry-run' } })
    const made = await make(call, { ...sent, headers })
    const place = JSON.stringify([call, headers, limited !== undefined])
    statuses.add(made.status)
    expect([place, json.data.exact, json.data.basis]).toEqual([place, true, 'data_set'])
    expect([place, json.data.min, json.data.max]).toEqual([place, made.charged, made.charged])
    expect([place, json.data.would_be_refused]).toEqual([place, made.status >= 400])
    expect([place, json.data.error_code]).toEqual([place, made.code ?? null])
    expect([place, json.data.would_be_truncated]).toEqual([place, made.json?.meta?.truncated ?? false])
  }
  expect([...statuses].sort()).toEqual([200, 304, 402, 404])
})

it('estimateCall is free and has its own usage row', async () => {
  const account = await server.openAccount({ credits: 50 })
  const answer = await ask({ operation: 'getProperty', path: { zpid: '1000' } }, account)
  expect([answer.status, answer.charged, answer.remaining]).toEqual([200, 0, 50])
  expect(await usageOf(testDatabase.database, answer)).toEqual([
    { operation: 'estimateCall', status_code: 200, units: 0, credits_charged: 0 },
  ])
})

it('estimateCall counts toward the rate limit', async () => {
  const { key: slow } = await server.openAccount({ ratePerMinute: 2 })
  const statuses: number[] = []
  for (let at = 0; at < 3; at++)
    statuses.push((await ask({ operation: 'getProperty', path: { zpid: '1000' } }, { key: slow })).status)
  expect(statuses).toEqual([200, 200, 429])
})

it('an estimate starts no job, creates no watch, and holds nothing', async () => {
  const { key: own, accountId } = await server.openAccount({ credits: 100 })
  const batch = { urls: ['https://www.zillow.com/homedetails/1000_zpid/'] }
  const calls: readonly [EstimateInput, object][] = [
    [
      { operation: 'createPropertyBatch', body: batch },
      { min: 0, max: 1, exact: false },
    ],
    [
      { operation: 'searchListings', body: { filters, async: true, maxItems: 30 } },
      { min: 1, max: 30 },
    ],
    [
      { operation: 'searchWithDetails', body: { filters, maxItems: 5 } },
      { min: 0, max: 10 },
    ],
    [
      { operation: 'createWatch', body: { name: 'x', zpids: ['1000'] } },
      { min: 0, max: 0 },
    ],
    [
      { operation: 'createWebhook', body: { url: 'https://example.com/hook' } },
      { min: 0, max: 0 },
    ],
  ]
  for (const [call, expected] of calls) {
    const answer = await ask(call, { key: own })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json.data).toMatchObject({ ...expected, basis: 'prices', would_be_refused: false })
  }
  const { rows } = await testDatabase.database.query(
    `select (select count(*) from jobs where account_id = $1)::integer as jobs,
       (select count(*) from holds where account_id = $1)::integer as holds,
       (select count(*) from watches where account_id = $1)::integer as watches,
       (select count(*) from webhooks where account_id = $1)::integer as webhooks`,
    [accountId],
  )
  expect(rows).toEqual([{ jobs: 0, holds: 0, watches: 0, webhooks: 0 }])
})

it('an estimate reports that too few credits would refuse or reduce the call, and names the limit', async () => {
  const { key: poor } = await server.openAccount({ credits: 2 })
  const list: EstimateInput = { operation: 'listListings', query: { bbox: '-122.4,47.59,-122.2,47.62' } }
  expect((await ask(list, { key: poor })).json.data).toMatchObject({
    min: 2,
    max: 2,
    would_be_truncated: true,
  })
  const details: EstimateInput = { operation: 'searchWithDetails', body: { filters } }
  expect((await ask(details, { key: poor })).json.data).toMatchObject({
    would_be_refused: true,
    error_code: 'out_of_credits',
  })
  const limited: EstimateInput = { operation: 'searchWithDetails', body: { filters, maxCredits: 0 } }
  expect((await ask(limited, { key: poor })).json.data).toMatchObject({ error_code: 'max_credits_exceeded' })
})

describe('X-Max-Credits of an estimate', () => {
  const search = {
    operation: 'searchListings',
    input: { body: { filters, maxItems: 9 } },
  }
  const limited = async (limit: number, call: object = search) =>
    (await estimate(call, { headers: { 'x-max-credits': String(limit) } })).json.data

  it('limits the estimated call; the smaller of the header and the input applies', async () => {
    const whole = (await estimate(search)).json.data
    expect([whole.max, whole.would_be_truncated]).toEqual([9, false])
    expect(await limited(4)).toMatchObject({ min: 4, max: 4, would_be_truncated: true })
    expect(await limited(0)).toMatchObject({ would_be_refused: true, error_code: 'max_credits_exceeded' })
    const inBody = { ...search, input: { body: { filters, maxItems: 9, maxCredits: 3 } } }
    expect(await limited(4, inBody)).toMatchObject({ max: 3, would_be_truncated: true })
    expect(await limited(2, inBody)).toMatchObject({ max: 2 })
    expect(await limited(Number.MAX_SAFE_INTEGER)).toEqual(whole)
  })

  it.each(['-1', '1.5', 'many', '9007199254740993'])('of "%s" is refused with 400', async (limit) => {
    for (const call of [search, { operation: 'listUsage' }]) {
      const answer = await estimate(call, { headers: { 'x-max-credits': limit } })
      expect([answer.status, answer.code, answer.charged]).toEqual([400, 'invalid_parameter', 0])
      expect(answer.json.error.details.parameter).toBe('x-max-credits')
    }
  })
})

describe('Prefer: dry-run', () => {
  const asked: readonly EstimateInput[] = [
    { operation: 'getProperty', path: { zpid: '1000' } },
    { operation: 'listListings', query: { bbox: '-122.4,47.59,-122.2,47.62', max_credits: 3 } },
    { operation: 'searchListings', body: { filters, async: true, maxItems: 30 } },
    { operation: 'searchWithDetails', body: { filters, maxItems: 5 } },
    { operation: 'createPropertyBatch', body: { urls: ['https://www.zillow.com/homedetails/1000_zpid/'] } },
    { operation: 'createWatch', body: { name: 'x', zpids: ['1000'] } },
  ]

  it.each(asked)(
    'of $operation returns what estimateCall returns, for free, and does nothing else',
    async (call) => {
      const account = await server.openAccount({ credits: 50 })
      const estimated = await ask(call, account)
      const answer = await dryRun(call, account)
      expect([answer.status, answer.charged, answer.remaining]).toEqual([200, 0, 50])
      expect(answer.json.data).toEqual(estimated.json.data)
      expect(answer.headers.get('preference-applied')).toBe('dry-run')
      expect(answer.headers.get('etag')).toBeNull()
      expect(await usageOf(testDatabase.database, answer)).toEqual([
        { operation: 'estimateCall', status_code: 200, units: 0, credits_charged: 0 },
      ])
      const { rows } = await testDatabase.database.query(
        `select (select count(*) from jobs where account_id = $1)::integer as jobs,
         (select count(*) from holds where account_id = $1)::integer as holds,
         (select count(*) from watches where account_id = $1)::integer as watches`,
        [account.accountId],
      )
      expect(rows).toEqual([{ jobs: 0, holds: 0, watches: 0 }])
    },
  )

  it('may be one of several preferences in any letter case, and is ignored for a free call', async () => {
    const get = (path: string, prefer: string) => server.get(path, { key, headers: { prefer } })
    for (const prefer of ['Dry-Run', 'return=minimal, dry-run', 'dry-run; wait=5'])
      expect((await get('/v1/properties/1000', prefer)).headers.get('preference-applied')).toBe('dry-run')
    for (const prefer of ['', 'dry-runs', 'handling=strict', 'x="dry-run"'])
      expect((await get('/v1/properties/1000', prefer)).charged).toBe(1)
    const free = await get('/v1/me', 'dry-run')
    expect([free.status, free.headers.get('preference-applied')]).toEqual([200, null])
  })

  it('counts toward the rate limit', async () => {
    const account = await server.openAccount({ ratePerMinute: 2 })
    const call = asked[0]!
    const statuses: number[] = []
    for (let at = 0; at < 3; at++) statuses.push((await dryRun(call, account)).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('names the limit that would refuse the call: the credits, the limit of the key, or that of the call', async () => {
    const account = await server.openAccount({ credits: 2 })
    const call: EstimateInput = {
      operation: 'getPropertyByAddress',
      query: { address: '2114 Bigelow Ave N, Seattle, WA 98109' },
    }
    const codeOf = async (headers = {}) =>
      (await make(call, { ...account, headers: { prefer: 'dry-run', ...headers } })).json.data
    expect(await codeOf()).toMatchObject({ would_be_refused: true, error_code: 'out_of_credits' })
    await setKeyLimit(testDatabase.database, account.keyId, { credits: 1, per: 'day' })
    expect(await codeOf()).toMatchObject({ key_remaining: 1, error_code: 'key_limit_reached' })
    expect(await codeOf({ 'x-max-credits': '0' })).toMatchObject({ error_code: 'max_credits_exceeded' })
  })

  it.each([
    ['invalid_zpid', { operation: 'getProperty', path: { zpid: 'x' } }],
    ['invalid_filters', { operation: 'searchListings', body: { filters: {} } }],
    ['missing_input', { operation: 'createPropertyBatch', body: {} }],
  ] as const)('refuses wrong input as the call does: %s', async (code, call) => {
    const answer = await dryRun(call)
    expect([answer.status, answer.code, answer.charged]).toEqual([400, code, 0])
  })
})

describe('estimateCall refuses wrong input as the call does', () => {
  const cases: readonly [string, string, object][] = [
    ['missing_input', 'searchListings', { body: {} }],
    ['invalid_url', 'getPropertyByUrl', { query: { url: 'https://example.com/homedetails/1_zpid/' } }],
    ['invalid_address', 'getPropertyByAddress', { query: { address: 'Seattle' } }],
    ['invalid_zpid', 'getProperty', { path: { zpid: 'x' } }],
    ['invalid_status', 'getPropertyByAddress', { query: { address: '1 Main St, Ames, IA', status: 'gone' } }],
    [
      'invalid_extract_units',
      'getBuildingUnits',
      { query: { url: `https://www.zillow.com${TOWER}`, include_units: 'x' } },
    ],
    ['invalid_filters', 'searchListings', { body: { filters: {} } }],
    [
      'invalid_search_url',
      'searchListings',
      { body: { searchUrls: [{ url: 'https://www.zillow.com/x/' }] } },
    ],
    ['invalid_events', 'createWebhook', { body: { url: 'https://example.com/x', events: ['none'] } }],
    ['invalid_metadata', 'createWatch', { body: { name: 'A', zpids: ['1'], metadata: { '': 'x' } } }],
    ['invalid_parameter', 'listListings', { query: { bbox: '-1,1,2,3', max_items: 51 } }],
    ['invalid_parameter', 'noSuchOperation', {}],
    ['invalid_parameter', 'getProperty', { path: 'x' }],
  ]

  it.each(cases)('%s of %s', async (code, operation, input) => {
    const answer = await estimate({ operation, input })
    expect([answer.status, answer.code, answer.charged], answer.text).toEqual([400, code, 0])
  })

  it('invalid_json of the body', async () => {
    const answer = await server.post('/v1/estimate', '{', {
      key,
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_json'])
  })
})

describe('estimateCall with a remote data source', () => {
  const provider = createMemoryProvider()
  const remote = withTestServer(testDatabase, {
    parts: { provider },
    env: { PROVIDER: 'http', PROVIDER_URL: 'http://127.0.0.1:9' },
  })
  const charged = operationIds.filter((id) => isCharged(operations[id]))

  it.each(charged)('%s is estimated by the prices, without a query', async (id) => {
    const { params, query, body } = minimalCall(id)
    const before = provider.asked
    const input = { path: params, query, ...(body !== undefined && { body }) }
    const answer = await remote.post('/v1/estimate', { operation: id, input }, { key })
    expect(answer.status, answer.text).toBe(200)
    // Creating a watch is free, whatever its events will cost.
    const exact = id === 'createWatch'
    expect(answer.json.data).toMatchObject({ operation: id, exact, basis: 'prices' })
    expect(provider.asked).toBe(before)
  })

  it.each(charged)('%s with Prefer: dry-run is estimated the same way', async (id) => {
    const before = provider.asked
    const answer = await sendCall(remote, minimalCall(id), { key, headers: { prefer: 'dry-run' } })
    expect([answer.status, answer.charged], answer.text).toEqual([200, 0])
    expect(answer.json.data).toMatchObject({ operation: id, basis: 'prices' })
    expect(provider.asked).toBe(before)
  })
})
