// Every operation of the contract through the SDK, against the real service: each documented example, and each kind of refusal. The SDK's
// result is compared with the raw response.

import {
  AuthenticationError,
  ForbiddenError,
  LotlineError,
  NotFoundError,
  OutOfCreditsError,
  RateLimitedError,
  ServerError,
} from '@lotline/client'
import { operationIds, operations } from '@lotline/contract'
import { callThroughSdk } from '@lotline/contract/sdk-call'
import { beforeAll, describe, expect, it } from 'vitest'
import { ProviderFailure } from '../../src/data/sources/provider.ts'
import { revokeKey } from '../../src/money/accounts/keys.ts'
import { everyExampleCall, minimalCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { TAKES_ADDRESSES, withTestServer } from '../setup/test-server.ts'
import { type Sdk, sdkFor, type WireAnswer } from './sdk.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, {
  env: TAKES_ADDRESSES,
  parts: { provider: createMemoryProvider(), now: () => 0 },
})

let sdk: Sdk
beforeAll(async () => {
  sdk = sdkFor(server, (await server.openAccount({ credits: 1_000_000 })).key)
})

interface AnyResult {
  readonly requestId: string
  readonly replayed?: boolean
  readonly credits: { readonly charged: number; readonly remaining: number }
  readonly data?: { readonly job_id?: string }
  readonly job?: { readonly id: string }
  text?(): Promise<string>
}

/** The result has exactly the data of the response. */
async function expectSame(result: AnyResult, { status, headers, text }: WireAnswer): Promise<void> {
  const {
    requestId,
    credits,
    headers: _,
    job,
    replayed,
    ...rest
  } = result as AnyResult & { headers: Headers }
  expect(requestId).toBe(headers.get('x-request-id'))
  expect(credits).toEqual({
    charged: Number(headers.get('x-credits-charged')),
    remaining: Number(headers.get('x-credits-remaining')),
  })
  // Only operations that start a job can replay a response.
  expect(replayed).toBe(status === 202 ? headers.get('idempotent-replayed') === 'true' : undefined)
  if (status === 204) return expect(rest).toEqual({})
  if (result.text) return expect(await result.text()).toBe(text)
  const { request_id, ...body } = JSON.parse(text)
  expect(rest).toEqual(body)
  expect(request_id).toBe(requestId)
  if (status === 202) expect(job?.id).toBe(body.data.job_id)
}

const minimal = operationIds.map((id) => ({ id, name: 'the least there is', call: minimalCall(id) }))
const examples = operationIds.flatMap((id) => everyExampleCall(id).map((example) => ({ id, ...example })))

it.each([...minimal, ...examples])(
  '$id with $name returns the body of the response',
  async ({ id, call }) => {
    const result = await callThroughSdk(sdk.lotline, id, call, {}).catch((error: unknown) => error)
    const answer = sdk.answers.at(-1)!
    if (answer.status < 400) return expectSame(result as AnyResult, answer)
    // The test's homes are fewer than those in the examples.
    expect(result).toBeInstanceOf(NotFoundError)
    const { error } = JSON.parse(answer.text)
    expect(result).toMatchObject({ code: error.code, message: error.message, requestId: error.request_id })
  },
)

describe('every operation refuses an unauthorized key', () => {
  const keys = { unknown: '', revoked: '', suspended: '', withoutCredits: '', limited: '', denied: '' }
  beforeAll(async () => {
    const { database } = testDatabase
    const revoked = await server.openAccount()
    await revokeKey(database, revoked.keyId)
    const suspended = await server.openAccount()
    await database.query(`update accounts set status = 'suspended' where id = $1`, [suspended.accountId])
    const denied = await server.openAccount()
    await database.query('update accounts set denied_operations = $2 where id = $1', [
      denied.accountId,
      operationIds,
    ])
    const limited = await server.openAccount({ plan: 'free', ratePerMinute: 1 })
    await server.get('/v1/me', { key: limited.key })
    keys.unknown = 'lot_0'
    keys.revoked = revoked.key
    keys.suspended = suspended.key
    keys.withoutCredits = (await server.openAccount({ credits: 0 })).key
    keys.limited = limited.key
    keys.denied = denied.key
  })

  describe.each(operationIds)('%s', (id) => {
    it.each([
      ['unknown', AuthenticationError, 'invalid_api_key'],
      ['revoked', AuthenticationError, 'invalid_api_key'],
      ['suspended', ForbiddenError, 'account_suspended'],
      ['withoutCredits', OutOfCreditsError, 'out_of_credits'],
      ['limited', RateLimitedError, 'rate_limited'],
      ['denied', ForbiddenError, 'plan_not_allowed'],
    ] as const)('with a key that is %s', async (kind, Class, code) => {
      const { lotline } = sdkFor(server, keys[kind])
      const error = await callThroughSdk(lotline, id, minimalCall(id), {}).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Class)
      expect(error).toMatchObject({ code, requestId: expect.stringMatching(/^req_/) })
      if (error instanceof RateLimitedError) expect(error.retryAfterMs).toBeGreaterThanOrEqual(2_000)
    })
  })
})

describe('a failing data source throws a ServerError, and the call is free', () => {
  // A separate database without cached records.
  const broken = createMemoryProvider()
  broken.trouble = () => Promise.reject(new ProviderFailure('no'))
  const brokenServer = withTestServer(withTestDatabase(), { parts: { provider: broken } })
  const asking = operationIds.filter((id) => 502 in operations[id].statuses && operations[id].tag !== 'Jobs')

  it.each(asking)('%s', async (id) => {
    const { lotline } = sdkFor(brokenServer, (await brokenServer.openAccount()).key)
    const error = await callThroughSdk(lotline, id, minimalCall(id), {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ credits: { charged: 0, remaining: 10_000 } })
    // After consecutive failures the circuit breaker stops queries to the source for a while.
    expect(['upstream_error', 'service_unavailable']).toContain((error as ServerError).code)
  })
})

describe('invalid input is refused by the service, with an error code', () => {
  const bbox = { west: -122.4, south: 47.6, east: -122.3, north: 47.7 }
  const refusals: readonly [code: string, call: (sdk: Sdk['lotline']) => Promise<unknown>][] = [
    ['invalid_zpid', ({ properties }) => properties.get('abc')],
    ['invalid_zpid', ({ properties }) => properties.photos('1x')],
    ['invalid_url', ({ properties }) => properties.byUrl('https://example.com/homedetails/1_zpid/')],
    ['invalid_url', ({ buildings }) => buildings.units('https://www.zillow.com/homedetails/1_zpid/')],
    ['invalid_url', ({ webhooks }) => webhooks.create({ url: 'http://127.0.0.1/' })],
    ['invalid_address', ({ properties }) => properties.byAddress('here')],
    [
      'invalid_status',
      ({ properties }) => properties.byUrl('https://www.zillow.com/b/a-5XkR7n/', { status: 'GONE' as never }),
    ],
    ['invalid_status', ({ jobs }) => jobs.list({ status: 'lost' as never })],
    [
      'invalid_extract_units',
      ({ properties }) =>
        properties.byUrl('https://www.zillow.com/b/a-5XkR7n/', { extract_units: 'some' as never }),
    ],
    ['missing_input', ({ search }) => search.run({} as never)],
    ['missing_input', ({ properties }) => properties.batch({} as never)],
    ['invalid_filters', ({ search }) => search.run({ filters: { bbox: { ...bbox, north: 0 } } })],
    ['invalid_filters', ({ listings }) => listings.list({ bbox: '1,2,3' })],
    [
      'invalid_search_url',
      ({ listings }) => listings.sold({ searchUrls: [{ url: 'https://www.zillow.com/seattle-wa/' }] }),
    ],
    ['invalid_parameter', ({ search }) => search.run({ filters: { bbox }, maxItems: 821 })],
    ['invalid_parameter', ({ account }) => account.usage({ limit: 0 })],
    [
      'invalid_events',
      ({ webhooks }) => webhooks.create({ url: 'https://example.com/', events: ['job.started' as never] }),
    ],
    ['job_not_found', ({ jobs }) => jobs.get('11111111-2222-4333-8444-555555555555')],
    ['job_not_found', ({ jobs }) => jobs.wait('none')],
    ['not_found', ({ webhooks }) => webhooks.deliveries('11111111-2222-4333-8444-555555555555')],
    ['payload_too_large', ({ properties }) => properties.batch({ addresses: ['x'.repeat(2 ** 20)] })],
    ['uri_too_long', ({ properties }) => properties.get('1', { fields: 'x'.repeat(14_000) })],
  ]

  it.each(refusals)('%s (%#)', async (code, call) => {
    const error = await call(sdk.lotline).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(LotlineError)
    expect((error as LotlineError).code).toBe(code)
    expect((error as LotlineError).credits?.charged ?? 0).toBe(0)
  })

  it('a call that costs more than the balance reports the required credits', async () => {
    const { lotline } = sdkFor(server, (await server.openAccount({ credits: 2 })).key)
    const error = await lotline.properties
      .byAddress('2114 Bigelow Ave N, Seattle, WA 98109')
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OutOfCreditsError)
    expect(error).toMatchObject({ balance: 2, held: 0, required: 3 })
  })
})
