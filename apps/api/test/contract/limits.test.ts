// Responses of every operation to an excessive request: a URL, headers, or a body that is too large, of another media type, or too slow.

import { operationIds, operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { httpLimits } from '../../src/interfaces/http/http-limits.ts'
import type { OpenedAccount } from '../../src/money/accounts/open-account.ts'
import { exampleCallPath, minimalCall, sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { exchangeOne, head } from '../setup/raw-http.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { balanceOf, usageOf } from '../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })
const hurried = withTestServer(testDatabase, {
  parts: { provider },
  limits: {
    requestTimeout: 300,
    http: { ...httpLimits.http, headersTimeout: 300, connectionsCheckingInterval: 25 },
  },
})

let account: OpenedAccount
beforeAll(async () => {
  account = await server.openAccount({ credits: 10_000 })
})

const withBody = operationIds.filter((id) => operations[id].hasBody)

describe.each(operationIds)('%s', (id) => {
  const { method } = operations[id]
  const path = exampleCallPath(minimalCall(id))

  it('returns 414 for a URL that is too long, 431 for headers that are too large, and counts neither', async () => {
    const url = `${path}${path.includes('?') ? '&' : '?'}x=${'x'.repeat(20_000)}`
    const headers = { Authorization: `Bearer ${account.key}`, Connection: 'close' }
    const long = await exchangeOne(server.port, [head(method, url, headers)], { method, url })
    expect([long.status, long.code]).toEqual([414, 'uri_too_long'])
    const wide = await exchangeOne(
      server.port,
      [head(method, path, { ...headers, 'X-Wide': 'x'.repeat(20_000) })],
      { method, url: path },
    )
    expect([wide.status, wide.code]).toEqual([431, 'headers_too_large'])
    for (const answer of [long, wide]) expect(await usageOf(testDatabase.database, answer)).toEqual([])
  })
})

describe.each(withBody)('%s', (id) => {
  const call = minimalCall(id)

  it('returns 413 for a body of more than 1 MiB', async () => {
    const body = { ...(call.body as object), padding: 'x'.repeat(1024 * 1024) }
    const answer = await sendCall(server, { ...call, body }, { key: account.key })
    expect([answer.status, answer.code, answer.charged]).toEqual([413, 'payload_too_large', 0])
    expect(await usageOf(testDatabase.database, answer)).toEqual([
      { operation: id, status_code: 413, units: 0, credits_charged: 0 },
    ])
  })

  it('returns 415 for a body that is not declared as JSON', async () => {
    for (const type of ['text/plain', 'application/xml']) {
      const answer = await sendCall(server, call, { key: account.key, headers: { 'content-type': type } })
      expect([answer.status, answer.code, answer.charged]).toEqual([415, 'unsupported_media_type', 0])
      expect(await usageOf(testDatabase.database, answer)).toEqual([
        { operation: id, status_code: 415, units: 0, credits_charged: 0 },
      ])
    }
  })

  it('returns 400 invalid_json for an unparsable body', async () => {
    const answer = await sendCall(server, { ...call, body: '{"filters":' }, { key: account.key })
    expect([answer.status, answer.code, answer.charged]).toEqual([400, 'invalid_json', 0])
  })

  it('returns 408 for a body that does not arrive', async () => {
    const { method } = operations[id]
    const request = head(method, exampleCallPath(call), {
      Authorization: `Bearer ${account.key}`,
      'Content-Type': 'application/json',
      'Content-Length': '1000',
    })
    const answer = await exchangeOne(hurried.port, [request, '{'], { method, url: exampleCallPath(call) })
    expect([answer.status, answer.code]).toEqual([408, 'request_timeout'])
  })
})

it('the requests above were not charged and did not query a provider', async () => {
  expect(await balanceOf(testDatabase.database, account.accountId)).toBe(10_000)
  expect(provider.asked).toBe(0)
})
