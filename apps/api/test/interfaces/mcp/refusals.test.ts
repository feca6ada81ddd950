// Refusals of POST /mcp before a tool runs, and their cost: the order of the checks, and refused calls in the rate window and the usage of
// their key. message-limit.test.ts has the limit on messages that are not calls.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  ADDRESS_LIMIT,
  createFailedKeys,
  createMessageLimit,
} from '../../../src/money/accounts/failed-keys.ts'
import { auditLedger } from '../../../src/money/credits/audit.ts'
import { readMetrics } from '../../process/telemetry/metrics/read-metrics.ts'
import { exchange, head } from '../../setup/raw-http.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import { CLIENTS, headersOf, judged, modern, postMessage } from './mcp-clients.ts'

const clock = { now: 0 }
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, {
  parts: { failedKeys: createFailedKeys(() => clock.now), messageLimit: createMessageLimit(() => clock.now) },
})
// Each test has all its failures and messages.
beforeEach(() => {
  clock.now += 3_600_000
})

const FILTERS = { bbox: { west: -123, south: 47, east: -122, north: 48 } }
const JOB = '7f9b6f0e-3c7b-4d0f-9a57-0c8f1b0e7a11'
const MIB = 1024 * 1024
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const keyHeader = (key: string) => ({ authorization: `Bearer ${key}` })
const headOf = (headers: Readonly<Record<string, string>>) =>
  head('POST', '/mcp', {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  })

const usageOf = async (accountId: string) => {
  const { rows } = await testDatabase.database.query(
    'select operation, endpoint, status_code, units, credits_charged from usage_rows where account_id = $1 order by id',
    [accountId],
  )
  return rows
}

const expectCleanAudit = () => auditLedger(testDatabase.database, (drift) => expect(drift).toBeUndefined())

describe('the headers of a message', () => {
  it.each([
    ['a body of 1 MiB', { 'content-length': String(MIB) }],
    ['a body of unknown length', { 'transfer-encoding': 'chunked' }],
  ])('are enough to refuse it: the server does not wait for %s, which is never sent', async (_, body) => {
    const { key } = await server.openAccount()
    const { key: revoked, accountId } = await server.openAccount()
    const revoke = 'update api_keys set revoked_at = now() where account_id = $1'
    await testDatabase.database.query(revoke, [accountId])
    const statusOf = async (headers: Readonly<Record<string, string>>) => {
      const sent = headOf({ ...body, ...headers, connection: 'close' })
      const [answer, ...more] = await exchange(server.port, [sent])
      expect(more).toEqual([])
      return [
        answer!.status,
        answer!.headers.get('www-authenticate'),
        JSON.parse(answer!.text).error.data?.code,
      ]
    }
    const challenge = 'Bearer realm="lotline"'
    expect(await statusOf({})).toEqual([401, challenge, 'missing_api_key'])
    // A cookie is no key.
    expect(await statusOf({ cookie: `key=${key}` })).toEqual([401, challenge, 'missing_api_key'])
    expect(await statusOf({ authorization: 'Basic x' })).toEqual([401, challenge, 'invalid_api_key'])
    expect(await statusOf(keyHeader(`lot_${'0'.repeat(38)}`))).toEqual([401, challenge, 'invalid_api_key'])
    expect(await statusOf(keyHeader(revoked))).toEqual([401, challenge, 'invalid_api_key'])
    expect(await statusOf({ ...keyHeader(key), Host: 'evil.example' })).toEqual([403, null, undefined])
    expect(await statusOf({ ...keyHeader(key), origin: 'https://evil.example' })).toEqual([
      403,
      null,
      undefined,
    ])
  })

  it('are refused first: the connection then carries the next message, whatever the first body was', async () => {
    const { key } = await server.openAccount()
    const next = JSON.stringify(PING)
    const answers = await exchange(server.port, [
      headOf({ 'content-length': String(MIB) }),
      Buffer.alloc(MIB, '['),
      headOf({ ...keyHeader(key), 'content-length': String(next.length), connection: 'close' }),
      next,
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 200])
  })

  it('get 429 if their address guesses keys, and a valid key of this address still works', async () => {
    const { key } = await server.openAccount()
    const guess = {
      ...keyHeader(`lot_${'1'.repeat(38)}`),
      'content-length': String(MIB),
      connection: 'close',
    }
    const statuses = await Promise.all(
      Array.from(
        { length: ADDRESS_LIMIT.burst },
        async () => (await exchange(server.port, [headOf(guess)]))[0]!.status,
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
    const before = await readMetrics(server.url)
    const [answer] = await exchange(server.port, [headOf(guess)])
    expect(answer!.status).toBe(429)
    expect(Number(answer!.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(JSON.parse(answer!.text).error.data.code).toBe('rate_limited')
    expect((await postMessage(server.url, PING, keyHeader(key))).status).toBe(200)
    const after = await readMetrics(server.url)
    const change = (name: string, labels = {}) => after.sum(name, labels) - before.sum(name, labels)
    expect(change('lotline_failed_keys_limited_total')).toBe(1)
    expect(change('lotline_refusals_total', { code: 'rate_limited' })).toBe(1)
  })
})

describe('a tool call that is refused for its arguments', () => {
  /** The arguments of a tool, and the same call over REST. */
  const PAIRS: readonly (readonly [string, object, string, string, unknown?])[] = [
    [
      'search_listings',
      { filters: FILTERS, limit: 0 },
      'POST',
      '/v1/search',
      { filters: FILTERS, maxItems: 0 },
    ],
    [
      'search_listings',
      { filters: FILTERS, limit: 'x' },
      'POST',
      '/v1/search',
      { filters: FILTERS, maxItems: 'x' },
    ],
    ['start_job', { type: 'search', filters: 5 }, 'POST', '/v1/search', { filters: 5, async: true }],
    ['start_job', { type: 'lookups', urls: 'x' }, 'POST', '/v1/properties/batch', { urls: 'x' }],
    [
      'start_job',
      { type: 'search_with_details', limit: 'x' },
      'POST',
      '/v1/search/with-details',
      { maxItems: 'x' },
    ],
    ['read_results', { job_id: JOB, limit: 0 }, 'GET', `/v1/jobs/${JOB}/results?limit=0`],
    ['read_watch_events', { watch_id: JOB, limit: 0 }, 'GET', `/v1/watches/${JOB}/events?limit=0`],
    ['get_property', { url: 5 }, 'GET', '/v1/properties/by-url?url=5'],
    ['get_property', { address: 5 }, 'GET', '/v1/properties/by-address?address=5'],
    ['get_property', { zpid: 'x1', fields: 5 }, 'GET', '/v1/properties/x1?fields='],
    ['get_building_units', {}, 'GET', '/v1/buildings/by-url'],
    ['create_watch', { filters: FILTERS }, 'POST', '/v1/watches', { filters: FILTERS }],
    [
      'estimate_cost',
      { tool: 'get_job', arguments: {} },
      'POST',
      '/v1/estimate',
      { operation: 'x', input: {} },
    ],
  ]

  it.each(Object.entries(CLIENTS))(
    'counts in the rate window and has the same usage row as over REST, and is free: a client with %s',
    async (_, connect) => {
      const tools = await server.openAccount({ credits: 10, ratePerMinute: PAIRS.length })
      const rest = await server.openAccount({ credits: 10, ratePerMinute: PAIRS.length })
      const client = await connect(server, tools.key)
      const call = judged(client.callTool)
      const before = await readMetrics(server.url)
      for (const [name, args] of PAIRS) {
        const { isError, structuredContent } = await call(name, args as Record<string, unknown>)
        expect([isError, structuredContent]).toMatchObject([
          true,
          { code: 'invalid_parameter', credits_charged: 0, credits_remaining: 10 },
        ])
      }
      const after = await readMetrics(server.url)
      for (const [, , method, path, body] of PAIRS) {
        const { status } = await server.send(method, path, {
          key: rest.key,
          ...(body !== undefined && { body }),
        })
        expect([path, status]).toEqual([path, 400])
      }
      expect(await usageOf(tools.accountId)).toEqual(await usageOf(rest.accountId))
      const change = (name: string, labels: Record<string, string>) =>
        after.sum(name, labels) - before.sum(name, labels)
      expect(change('lotline_refusals_total', { code: 'invalid_parameter' })).toBe(PAIRS.length)
      expect(change('lotline_admissions_total', { outcome: 'admitted' })).toBe(PAIRS.length)

      const { isError, structuredContent } = await call('get_property', {})
      expect([isError, structuredContent]).toMatchObject([true, { code: 'rate_limited', credits_charged: 0 }])
      expect(structuredContent.retry_after).toBeGreaterThanOrEqual(2)
      const refused = await server.get('/v1/me', { key: rest.key })
      expect([refused.status, refused.code]).toEqual([429, 'rate_limited'])
      expect(await usageOf(tools.accountId)).toHaveLength(PAIRS.length)
      await client.close()
      await expectCleanAudit()
    },
  )

  it('is refused for its key first, if the key may not use the operation', async () => {
    const { key, accountId } = await server.openAccount()
    const { json } = await server.post(
      '/v1/keys',
      { name: 'reader', allowed_operations: ['getAccount'] },
      { key },
    )
    const client = await CLIENTS['SDK 1, revision 2025-11-25'](server, json.data.key)
    const { structuredContent } = await judged(client.callTool)('search_listings', {
      filters: FILTERS,
      limit: 0,
    })
    expect(structuredContent.code).toBe('key_not_allowed')
    expect((await usageOf(accountId)).at(-1)).toMatchObject({ operation: 'searchListings', status_code: 403 })
    await client.close()
  })
})

describe('a message with the method tools/call', () => {
  const old = (params: unknown, more: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
    ...more,
  })
  const me = modern('tools/call', { name: 'get_account', arguments: {} })
  const FRAMES: readonly (readonly [
    string,
    unknown,
    Record<string, string>,
    number,
    string | null,
    string,
  ])[] = [
    ['names an unknown tool', old({ name: 'nothing' }), {}, 200, null, '/mcp'],
    ['names no tool', old({}), {}, 200, null, '/mcp'],
    ['has no parameters', { jsonrpc: '2.0', id: 1, method: 'tools/call' }, {}, 200, null, '/mcp'],
    ['has parameters that are a list', old([1]), {}, 400, null, '/mcp'],
    [
      'has arguments that are no object',
      old({ name: 'get_account', arguments: 5 }),
      {},
      200,
      'getAccount',
      '/v1/me',
    ],
    [
      'is not JSON-RPC',
      { method: 'tools/call', params: { name: 'get_account' } },
      {},
      400,
      'getAccount',
      '/v1/me',
    ],
    ['asks for no answer', old({ name: 'get_account' }, { id: undefined }), {}, 202, 'getAccount', '/v1/me'],
    ['contradicts its headers', me, headersOf('tools/list'), 400, 'getAccount', '/v1/me'],
    [
      'names an unknown part',
      old({ name: 'get_property_part', arguments: { zpid: '1', part: '__proto__' } }),
      {},
      200,
      null,
      '/mcp',
    ],
    [
      'has an id that is no text',
      old({ name: 'get_property', arguments: { zpid: { toString: 1 } } }),
      ...([{}, 200, 'getProperty', '/v1/properties/{zpid}'] as const),
    ],
    [
      'has a part that is no text',
      old({ name: 'get_property_part', arguments: { part: { toString: 1 } } }),
      ...([{}, 200, null, '/mcp'] as const),
    ],
  ]

  it('is one call, whatever its content: it counts in the rate window, and has one free usage row with 400', async () => {
    const { key, accountId } = await server.openAccount({ credits: 10, ratePerMinute: FRAMES.length })
    for (const [what, frame, headers, status, operation, endpoint] of FRAMES) {
      const response = await postMessage(server.url, frame, { ...keyHeader(key), ...headers })
      await response.arrayBuffer()
      expect([what, response.status]).toEqual([what, status])
      expect([what, (await usageOf(accountId)).at(-1)]).toEqual([
        what,
        { operation, endpoint, status_code: 400, units: 0, credits_charged: 0 },
      ])
    }
    expect(await usageOf(accountId)).toHaveLength(FRAMES.length)
    const over = await postMessage(server.url, old({ name: 'get_account' }), keyHeader(key))
    expect(await over.text()).toContain('rate_limited')
    expect(await usageOf(accountId)).toHaveLength(FRAMES.length)
    await expectCleanAudit()
  })

  it('of a suspended account or one without credits returns the error as a result, without a usage row', async () => {
    for (const [code, credits, status] of [
      ['account_suspended', 10, 'suspended'],
      ['out_of_credits', 0, 'active'],
    ] as const) {
      const { key, accountId } = await server.openAccount({ credits })
      await testDatabase.database.query('update accounts set status = $2 where id = $1', [accountId, status])
      const client = await CLIENTS['SDK 2, revision 2026-07-28'](server, key)
      expect(await judged(client.callTool)('get_account')).toMatchObject({
        isError: true,
        structuredContent: { code, credits_charged: 0 },
      })
      await client.close()
      expect(await usageOf(accountId)).toEqual([])
    }
  })

  it('with a long body waits for other long bodies within the bounds of REST, and then gets its response', async () => {
    const { key } = await server.openAccount()
    const corners = Array.from({ length: 1_500 }, (_, at) => {
      const angle = (2 * Math.PI * at) / 1_500
      return [-122 + 0.1 * Math.cos(angle), 47.5 + 0.1 * Math.sin(angle)]
    })
    const filters = { area: { type: 'Polygon', coordinates: [[...corners, corners[0]]] } }
    const message = old({ name: 'search_listings', arguments: { filters } })
    const client = await CLIENTS['SDK 2, revision 2026-07-28'](server, key)
    const found = await judged(client.callTool)('search_listings', { filters })
    const rest = await server.post('/v1/search', { filters }, { key })
    expect([found.isError, found.structuredContent.count]).toEqual([undefined, rest.json.meta.count])
    await client.close()

    const full = await startTestServer(testDatabase, { parts: { maxWaitingBytes: 40_000 } })
    onTestFinished(() => full.close())
    expect((await full.post('/v1/search', { filters }, { key })).status).toBe(503)
    const refused = await postMessage(full.url, message, keyHeader(key))
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 2])
    expect((await refused.json()).error.data.code).toBe('service_unavailable')
    expect((await postMessage(full.url, PING, keyHeader(key))).status).toBe(200)
  })
})
