// Responses of every operation when a dependency fails: the data source, the database, or the key's queue. Such a response is free,
// contains no internal details, and says when to retry.

import { type OperationId, operationIds, operations } from '@lotline/contract'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ProviderFailure, ProviderTimeout } from '../../src/data/sources/provider.ts'
import { DatabaseUnavailable } from '../../src/infrastructure/database/database.ts'
import { createApiKey } from '../../src/money/accounts/keys.ts'
import type { OpenedAccount } from '../../src/money/accounts/open-account.ts'
import { headersOf, modern, postMessage } from '../interfaces/mcp/mcp-clients.ts'
import { createBreakableDatabase } from '../setup/breakable-database.ts'
import { minimalCall, sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../setup/test-server.ts'
import { balanceOf, usageOf } from '../setup/usage.ts'

/** The operation charges immediately, or places a hold for its job. */
const CHARGE = /settle_calls|place_hold/
const SECRET = 'pg: password for db-7.internal'

const testDatabase = withTestDatabase()
const database = createBreakableDatabase(() => testDatabase.database)
const provider = createMemoryProvider()
const server = withTestServer(
  { database },
  { parts: { provider }, env: { PROVIDER_TIMEOUT_MS: '50', SYNC_TIMEOUT_MS: '150' } },
)

/** Operations that query the data source. Job results are read from the database. */
const asking = operationIds.filter((id) => 502 in operations[id].statuses && operations[id].tag !== 'Jobs')

let account: OpenedAccount
beforeAll(async () => {
  account = await server.openAccount({ credits: 10_000 })
})
afterEach(() => {
  provider.trouble = undefined
  database.fault = undefined
})

async function expectFree(answer: TestResponse): Promise<void> {
  expect(answer.text).not.toContain(SECRET)
  expect(await balanceOf(testDatabase.database, account.accountId)).toBe(10_000)
}

async function expectFreeAndKept(id: OperationId, answer: TestResponse): Promise<void> {
  await expectFree(answer)
  expect([answer.charged, answer.remaining]).toEqual([0, 10_000])
  expect(await usageOf(testDatabase.database, answer)).toEqual([
    { operation: id, status_code: answer.status, units: 0, credits_charged: 0 },
  ])
}

// Only two of these four failures count against the source, too rarely in a row to open its circuit breaker.
describe.each(asking)('%s with a data source that', (id) => {
  it("fails returns 502 without the source's error text", async () => {
    provider.trouble = () => Promise.reject(new ProviderFailure(SECRET))
    const answer = await sendCall(server, minimalCall(id), { key: account.key })
    expect([answer.status, answer.code]).toEqual([502, 'upstream_error'])
    await expectFreeAndKept(id, answer)
  })

  it('reports a timeout returns 504', async () => {
    provider.trouble = () => Promise.reject(new ProviderTimeout(SECRET))
    const answer = await sendCall(server, minimalCall(id), { key: account.key })
    expect([answer.status, answer.code]).toEqual([504, 'upstream_timeout'])
    expect(answer.json.error.details).toEqual({ phase: 'upstream' })
    await expectFreeAndKept(id, answer)
  })

  it('never responds is aborted with 504', async () => {
    provider.trouble = () => new Promise(() => {})
    const answer = await sendCall(server, minimalCall(id), { key: account.key })
    expect([answer.status, answer.code]).toEqual([504, 'upstream_timeout'])
    expect(answer.json.error.details).toEqual({ phase: 'upstream' })
    await expectFreeAndKept(id, answer)
  })

  it('fails because of a bug in the service returns 500', async () => {
    provider.trouble = () => Promise.reject(new TypeError(SECRET))
    const answer = await sendCall(server, minimalCall(id), { key: account.key })
    expect([answer.status, answer.code]).toEqual([500, 'internal_error'])
    await expectFreeAndKept(id, answer)
  })
})

describe.each(operationIds)('%s', (id) => {
  it('returns 500 if its charge fails, and nothing is charged', async () => {
    database.fault = (statement) => (CHARGE.test(statement) ? new Error(SECRET) : undefined)
    const answer = await sendCall(server, minimalCall(id), { key: account.key })
    expect([answer.status, answer.code, answer.charged]).toEqual([500, 'internal_error', 0])
    database.fault = undefined
    await expectFree(answer)
    expect(await usageOf(testDatabase.database, answer)).toEqual([])
  })

  it.each([
    ['the charge', CHARGE],
    ['anything', /^/],
  ])('returns 503 if the database is unavailable for %s', async (_what, part) => {
    database.fault = (statement) => (part.test(statement) ? new DatabaseUnavailable(SECRET) : undefined)
    const answer = await sendCall(server, minimalCall(id), { key: account.key })
    expect([answer.status, answer.code, answer.charged]).toEqual([503, 'service_unavailable', 0])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    database.fault = undefined
    await expectFree(answer)
    expect(await usageOf(testDatabase.database, answer)).toEqual([])
  })

  it('returns 503 if the database is unavailable for the key lookup', async () => {
    database.fault = () => new DatabaseUnavailable(SECRET)
    const answer = await sendCall(server, minimalCall(id), { key: createApiKey() })
    expect([answer.status, answer.code]).toEqual([503, 'service_unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    database.fault = undefined
    await expectFree(answer)
  })
})

describe.each(operationIds)('%s behind an earlier call of the same key', (id) => {
  it('is aborted with 504 when it times out', async () => {
    const slot = await server.app.queues.take(account.keyId, new AbortController())
    try {
      const askedBefore = provider.asked
      const answer = await sendCall(server, minimalCall(id), { key: account.key })
      expect([answer.status, answer.code]).toEqual([504, 'upstream_timeout'])
      expect(answer.json.error.details).toEqual({ phase: 'queue' })
      expect(provider.asked).toBe(askedBefore)
      await expectFreeAndKept(id, answer)
    } finally {
      slot.release()
    }
  })
})

it('the same key works after all these failures', async () => {
  const answer = await sendCall(server, minimalCall('getProperty'), { key: account.key })
  expect([answer.status, answer.charged]).toEqual([200, 1])
})

it('a call or tool call that loses the database during its charge reports the charge as unknown, not as free', async () => {
  const agent = await server.openAccount({ credits: 10 })
  // Neither the charge nor its cancellation can be written.
  database.fault = (statement) =>
    /settle_calls|insert into usage_rows/.test(statement)
      ? new DatabaseUnavailable(SECRET, { outcomeUnknown: true })
      : undefined
  const callTool = async () => {
    const call = modern('tools/call', { name: 'get_property', arguments: { zpid: '48749425' } })
    const response = await postMessage(server.url, call, {
      ...headersOf('tools/call', 'get_property'),
      authorization: `Bearer ${agent.key}`,
    })
    return (await response.json()).result
  }
  const [answer, { isError, structuredContent: error }] = await Promise.all([
    sendCall(server, minimalCall('getProperty'), { key: account.key }),
    callTool(),
  ])
  expect([answer.status, answer.code]).toEqual([503, 'service_unavailable'])
  expect(answer.json.error.details).toEqual({ charge: 'unknown' })
  expect(answer.json.error.message).not.toContain('free')
  expect([answer.headers.get('x-credits-charged'), answer.headers.get('x-credits-remaining')]).toEqual([
    null,
    null,
  ])
  expect(answer.text).not.toContain(SECRET)
  expect([isError, error]).toMatchObject([
    true,
    { code: 'service_unavailable', details: { charge: 'unknown' }, request_id: expect.any(String) },
  ])
  expect(error).not.toHaveProperty('credits_charged')
  expect(error).not.toHaveProperty('credits_remaining')
})
