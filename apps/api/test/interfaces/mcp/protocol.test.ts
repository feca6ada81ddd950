// The protocol side of POST /mcp over real HTTP: what needs a key, what is refused, and hostile messages.

import { request } from 'node:http'
import { TOOLS } from '@lotline/contract/tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectBooksToBalance } from '../../crash/books.ts'
import { exchange, head } from '../../setup/raw-http.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import { CLIENTS, headersOf, judged, modern, postMessage } from './mcp-clients.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const me = modern('tools/call', { name: 'get_account', arguments: {} })
/** The same call in the revision 2025-11-25. */
const OLD_ME = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account', arguments: {} } }
const FILTERS = { bbox: { west: -123, south: 47, east: -122, north: 48 } }

describe('POST /mcp', () => {
  const accept = 'application/json, text/event-stream'
  let valid: Record<string, string>
  beforeAll(async () => {
    valid = { authorization: `Bearer ${(await server.openAccount()).key}` }
  })
  /** With a valid key, unless the headers say otherwise. */
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    postMessage(server.url, body, { ...valid, ...headers })

  it('announces its capabilities', async () => {
    const response = await post(modern('server/discover'), headersOf('server/discover'))
    expect(response.status).toBe(200)
    expect((await response.json()).result).toMatchObject({ capabilities: { tools: {} } })
  })

  it('answers any message without a valid key with 401', async () => {
    for (const message of [
      me,
      modern('server/discover'),
      { jsonrpc: '2.0', id: 1, method: 'initialize' },
      '{',
    ])
      for (const authorization of ['', `Bearer lot_${'0'.repeat(38)}`]) {
        const response = await post(message, { authorization })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
        const code = authorization ? 'invalid_api_key' : 'missing_api_key'
        // Its id was not read.
        expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code } } })
      }
  })

  it.each([
    ['another method', modern('tools/list'), headersOf('tools/call'), -32020],
    ['no method', modern('tools/list'), { 'mcp-protocol-version': '2026-07-28' }, -32020],
    ['another tool', me, headersOf('tools/call', 'get_job'), -32020],
    ['no tool', me, headersOf('tools/call'), -32020],
    [
      'another revision',
      me,
      { ...headersOf('tools/call', 'get_account'), 'mcp-protocol-version': '2025-11-25' },
      -32020,
    ],
    ['no revision', me, { 'mcp-method': 'tools/call', 'mcp-name': 'get_account' }, -32020],
    [
      'the newer revision, of a message of the older one',
      OLD_ME,
      headersOf('tools/call', 'get_account'),
      -32602,
    ],
    [
      'an unknown revision, of a message of the older one',
      OLD_ME,
      { 'mcp-protocol-version': '1999-01-01' },
      -32000,
    ],
  ])('returns 400 for a message whose headers name %s', async (_, message, headers, code) => {
    const response = await post(message, headers)
    expect([response.status, (await response.json()).error.code]).toEqual([400, code])
  })

  it('refuses other methods, media types, batches, large bodies, and pages of other origins', async () => {
    const get = await fetch(new URL('/mcp', server.url))
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post([modern('ping')])).status).toBe(400)
    // Refused by its head: a client that is still sending it might not read the answer.
    const large = { ...valid, 'content-type': 'application/json', 'content-length': String(1024 * 1024 + 1) }
    const answers = await exchange(server.port, [head('POST', '/mcp', { ...large, connection: 'close' })])
    expect(answers.map(({ status }) => status)).toEqual([413])
    expect((await post(modern('server/discover'), { origin: 'https://evil.example' })).status).toBe(403)
    expect(
      (
        await post(modern('server/discover'), {
          ...headersOf('server/discover'),
          origin: 'http://localhost:3000',
        })
      ).status,
    ).toBe(200)
  })

  it('accepts only the names of this machine and of PUBLIC_URL if only this machine can reach it', async () => {
    const proxied = await startTestServer(testDatabase, { env: { PUBLIC_URL: 'https://api.example.com' } })
    const open = await startTestServer(testDatabase, { env: { HOST: '0.0.0.0' } })
    try {
      const statusOf = ({ port }: { readonly port: number }, host: string) =>
        new Promise<number | undefined>((done, failed) => {
          const headers = {
            ...valid,
            ...headersOf('server/discover'),
            accept,
            host,
            'content-type': 'application/json',
          }
          const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers })
          sent.on('response', (response) => done(response.resume().statusCode)).on('error', failed)
          sent.end(JSON.stringify(modern('server/discover')))
        })
      expect(await statusOf(server, `localhost:${server.port}`)).toBe(200)
      expect(await statusOf(server, 'api.example.com')).toBe(403)
      expect(await statusOf(proxied, 'api.example.com')).toBe(200)
      expect(await statusOf(proxied, '127.0.0.1')).toBe(200)
      for (const host of [
        'evil.example',
        `evil.example:${proxied.port}`,
        'api.example.com.evil.example',
        '[',
      ])
        expect([host, await statusOf(proxied, host)]).not.toEqual([host, 200])
      // Behind a proxy on another machine, which may say any name.
      expect(await statusOf(open, 'lotline:8080')).toBe(200)
    } finally {
      await proxied.close()
      await open.close()
    }
  })

  it('answers wrong arguments with a free result that describes the error', async () => {
    const { key } = await server.openAccount({ credits: 10 })
    const client = await CLIENTS['SDK 2, revision 2026-07-28'](server, key)
    const call = judged(client.callTool)
    for (const [name, args] of [
      ['get_property', {}],
      ['get_property', { zpid: '1', url: 'https://www.zillow.com/homedetails/1_zpid/' }],
      ['search_listings', { filters: FILTERS, limit: 51 }],
      ['search_listings', { filters: FILTERS, unknown: 1 }],
      ['get_property_part', { zpid: '1', part: '__proto__' }],
      ['estimate_cost', { tool: 'get_account', arguments: {} }],
      ['estimate_cost', { tool: 'get_property', arguments: {} }],
      ['estimate_cost', { tool: 'search_listings', arguments: { filters: FILTERS, limit: 'x' } }],
      ['estimate_cost', { tool: 'get_property', arguments: { zpid: '1', fields: 5 } }],
      ['get_property', { zpid: { toString: 1 } }],
      ['read_results', { job_id: ['x'] }],
    ] as const) {
      const { isError, structuredContent } = await call(name, args)
      expect([isError, structuredContent.code, structuredContent.credits_charged]).toEqual([
        true,
        'invalid_parameter',
        0,
      ])
    }
    await client.close()
  })

  it('answers no hostile message with a 5xx', async () => {
    const full = process.env.LOTLINE_FULL === '1'
    const { key } = await server.openAccount({ credits: 1_000, ratePerMinute: 10_000 })
    const authorization = `Bearer ${key}`
    const odd = [
      null,
      0,
      -1,
      1e308,
      '',
      '\u0000',
      '\ud83c',
      { filters: { bbox: { west: -122.4, south: 47.6, east: -122.3, north: 47.7, 'a\0b': '\0' } } },
      'x'.repeat(5_000),
      [],
      {},
      [[]],
      { __proto__: null, a: 1 },
      true,
      '../..',
      ...(full ? [false, 0.5, 2 ** 53, ' ', '%00', '\u202e', [null], { a: { b: [] } }, [{}]] : []),
    ]
    const frames: [unknown, Record<string, string>][] = []
    for (const { name, inputSchema } of TOOLS) {
      for (const value of odd) {
        frames.push([modern('tools/call', { name, arguments: value }), headersOf('tools/call', name)])
        for (const argument of Object.keys(inputSchema.properties as object).slice(0, full ? 20 : 2)) {
          const args = modern('tools/call', { name, arguments: { [argument]: value } })
          frames.push([args, headersOf('tools/call', name)])
          frames.push([
            {
              jsonrpc: '2.0',
              id: value,
              method: 'tools/call',
              params: { name, arguments: { [argument]: value } },
            },
            {},
          ])
        }
      }
    }
    for (const value of odd) {
      frames.push([value, {}], [{ jsonrpc: value, id: 1, method: 'tools/list' }, {}])
      frames.push([{ jsonrpc: '2.0', id: 1, method: value, params: value }, {}])
      frames.push([{ jsonrpc: '2.0', id: 1, method: 'initialize', params: value }, {}])
      frames.push([
        { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: value } },
        headersOf('tools/list'),
      ])
    }
    frames.push([
      modern('tools/call', { name: 'create_watch', arguments: { name: '\ud800', zpids: ['1'] } }),
      {},
    ])
    frames.push(['{', {}], ['', {}], ['[', {}], ['\ufeff{}', {}], [`{"a":${'['.repeat(5_000)}`, {}])
    let sentWithKey = 0
    const left = frames.values()
    const sendRest = async () => {
      for (const [frame, headers] of left) {
        // With the key, and in the full run also without it.
        for (const own of full ? [{ authorization }, { authorization: '' }] : [{ authorization }]) {
          const response = await post(frame, { ...own, ...headers })
          await response.arrayBuffer()
          expect(response.status, JSON.stringify(frame).slice(0, 300)).toBeLessThan(500)
          if (own.authorization !== '') sentWithKey++
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, sendRest))
    expect(sentWithKey).toBeGreaterThan(full ? 2_000 : 700)
    await expectBooksToBalance(testDatabase.database)
  }, 300_000)

  it('counts each call of a tool in the rate window of its key', async () => {
    const { key } = await server.openAccount({ credits: 10, ratePerMinute: 2 })
    const client = await CLIENTS['SDK 1, revision 2025-11-25'](server, key)
    await client.callTool('get_account')
    expect((await client.callTool('get_account')).isError).toBeUndefined()
    const { isError, structuredContent } = await client.callTool('get_account')
    expect(isError).toBe(true)
    expect(structuredContent).toMatchObject({ code: 'rate_limited', credits_charged: 0 })
    expect(structuredContent.retry_after).toBeGreaterThanOrEqual(2)
    await client.close()
  })
})

describe('a message that the protocol library would read recursively', () => {
  /** As text: JSON.stringify would overflow the stack. */
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const DEEP = nested(20_000)
  const WIDE = `[${'[],'.repeat(6_000)}[]]`
  const capabilities = { extensions: { a: { b: '@' } }, experimental: { a: { b: '@' } } }
  const withCapabilities = (method: string, params: object = {}) => {
    const message = modern(method, params)
    const _meta = {
      ...message.params._meta,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }
    return { ...message, params: { ...message.params, _meta } }
  }
  const clientInfo = { name: 'test', version: '1' }
  const initialize = { protocolVersion: '2025-11-25', clientInfo, capabilities }
  const deepSearch = { name: 'search_listings', arguments: { filters: { area: '@' } } }
  const deepJob = { name: 'start_job', arguments: { type: 'search', filters: { area: '@' } } }
  const old = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  const sendIn = async (key: string, message: object, value: string, headers: Record<string, string>) => {
    const text = JSON.stringify(message).replaceAll('"@"', value)
    const response = await postMessage(server.url, text, { authorization: `Bearer ${key}`, ...headers })
    const answer = await response.text()
    // Clients of the revision 2025-11-25 get an event.
    const { id, error } = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? answer)
    return [response.status, id, error?.code]
  }

  it('is refused if it is too deep or too large, and each tool call among them has a free usage row', async () => {
    const { key, accountId } = await server.openAccount({ credits: 10 })
    const ofAccount = { operation: 'getAccount', endpoint: '/v1/me' }
    const ofSearch = { operation: 'searchListings', endpoint: '/v1/search' }
    const frames = [
      [old('initialize', initialize), DEEP, {}, 400, undefined],
      [old('initialize', initialize), WIDE, {}, 413, undefined],
      [withCapabilities('server/discover'), DEEP, headersOf('server/discover'), 400, undefined],
      [withCapabilities('server/discover'), WIDE, headersOf('server/discover'), 413, undefined],
      [
        withCapabilities('tools/call', { name: 'get_account' }),
        ...([DEEP, headersOf('tools/call', 'get_account'), 400, ofAccount] as const),
      ],
      [
        withCapabilities('tools/call', { name: 'get_account' }),
        ...([WIDE, headersOf('tools/call', 'get_account'), 413, ofAccount] as const),
      ],
      [old('tools/call', deepSearch), DEEP, {}, 400, ofSearch],
      [old('tools/call', deepJob), DEEP, {}, 400, ofSearch],
    ] as const
    for (const [message, value, headers, status] of frames)
      expect(await sendIn(key, message, value, headers)).toEqual([status, 1, -32600])
    const usage = frames.flatMap(([, , , , call]) =>
      call === undefined ? [] : [{ ...call, status_code: 400, units: 0, credits_charged: 0 }],
    )
    const { rows } = await testDatabase.database.query(
      'select operation, endpoint, status_code, units, credits_charged from usage_rows where account_id = $1 order by id',
      [accountId],
    )
    expect(rows).toEqual(usage)
    await expectBooksToBalance(testDatabase.database)
  })

  it("is read up to a depth of 64 and a size of 16,384 bytes, and a tool's arguments may have more bytes", async () => {
    const { key } = await server.openAccount()
    const ping = old('ping', { _meta: { a: '@' } })
    const ofSize = (bytes: number) => `"${'x'.repeat(bytes - JSON.stringify(ping).length + 1)}"`
    expect(await sendIn(key, ping, nested(61), {})).toEqual([200, 1, undefined])
    expect(await sendIn(key, ping, nested(62), {})).toEqual([400, 1, -32600])
    expect(await sendIn(key, ping, ofSize(16_384), {})).toEqual([200, 1, undefined])
    expect(await sendIn(key, ping, ofSize(16_385), {})).toEqual([413, 1, -32600])
    const call = old('tools/call', { name: 'search_listings', arguments: { filters: FILTERS, fields: '@' } })
    const fields = JSON.stringify(
      Array.from({ length: 100 }, () => 'x'.repeat(100)).concat('y'.repeat(10_000)),
    )
    expect(await sendIn(key, call, fields, {})).toEqual([200, 1, undefined])
  })
})
