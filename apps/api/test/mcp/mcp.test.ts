// The MCP server over real HTTP, with the SDK's own clients of both generations: what the tools return, what they charge,
// and what is refused.

import { fileURLToPath } from 'node:url'
import { operations } from '@lotline/contract'
import { MAX_RESULT_BYTES, TOOLS } from '@lotline/contract/tools'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/ingest/import-listings.ts'
import { expectBooksToBalance } from '../crash/books.ts'
import { untilEnded, withWorker } from '../jobs/job-calls.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { rowsOf } from '../sources/dataset/rows.ts'
import { homes } from '../watches/watch-tools.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
withWorker(server)

const FILTERS = { bbox: { west: -123, south: 47, east: -122, north: 48 } }
/** With long addresses, so that 50 whole rows do not fit into a result. */
const HOMES = homes(1, 121, {
  streetAddress: '1 Main St '.repeat(30),
  city: 'Seattle',
  state: 'WA',
  zipcode: '98109',
})
const TOWER = 'https://www.zillow.com/b/tower-AbC123/'
const OTHER_TOWER = 'https://www.zillow.com/b/tower-XyZ789/'
/** With long links, so that all of them do not fit into a result. South of the searches. */
const UNITS = homes(5_001, 5_081, {
  latitude: 40,
  longitude: -80,
  bdpUrl: TOWER,
}).map((unit, at) => ({
  ...unit,
  unitNumber: String(at + 1),
  hdpUrl: `/homedetails/${'1-Tower-St-'.repeat(40)}${at + 1}/${unit.zpid}_zpid/`,
}))
/** Sets of equal calls. `LOTLINE_FULL=1` makes 500 calls of tools. */
const ROUNDS = process.env.LOTLINE_FULL === '1' ? 72 : 3

beforeAll(async () => {
  await importListings(testDatabase.database, rowsOf([...HOMES, ...UNITS] as never[]), { source: 'mls' })
})

interface Result {
  readonly isError?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results that their schemas have judged
  readonly structuredContent: any
  readonly content: readonly { readonly type: string; readonly text: string }[]
}
type CallTool = (name: string, args?: Record<string, unknown>) => Promise<Result>

const requestInit = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

/** One client of each generation: the SDK 2 at the revision 2026-07-28, and the SDK 1 at 2025-11-25. */
const CLIENTS = {
  'SDK 2, revision 2026-07-28': async (key: string) => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), requestInit(key)))
    const callTool: CallTool = async (name, args) =>
      (await client.callTool({ name, arguments: args ?? {} })) as unknown as Result
    return { listTools: () => client.listTools(), callTool, close: () => client.close() }
  },
  'SDK 1, revision 2025-11-25': async (key: string) => {
    const client = new Client1({ name: 'test', version: '1' })
    await client.connect(new Transport1(new URL('/mcp', server.url), requestInit(key)) as never)
    const callTool: CallTool = async (name, args) =>
      (await client.callTool({ name, arguments: args ?? {} })) as unknown as Result
    return { listTools: () => client.listTools(), callTool, close: () => client.close() }
  },
}

/** The command of @lotline/mcp, whose calls go through the SDK of the API. */
async function connectStdio(key: string) {
  const command = fileURLToPath(new URL('src/main.ts', import.meta.resolve('@lotline/mcp/package.json')))
  const client = new Client({ name: 'test', version: '1' })
  const env = { LOTLINE_API_KEY: key, LOTLINE_BASE_URL: server.url }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [command], env }))
  const callTool: CallTool = async (name, args) =>
    (await client.callTool({ name, arguments: args ?? {} })) as unknown as Result
  return { callTool, close: () => client.close() }
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const validators = new Map(TOOLS.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]))

/** Each result follows the schema of its tool and is small enough, and its text says the same. */
function judged(callTool: CallTool): CallTool {
  return async (name, args) => {
    const result = await callTool(name, args)
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(MAX_RESULT_BYTES)
    expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent)
    const validate = validators.get(name)!
    expect(validate(result.structuredContent), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
    // A result has what it promises, and an error its code.
    expect('code' in result.structuredContent).toBe(result.isError === true)
    return result
  }
}

describe.each(Object.entries(CLIENTS))('a client with %s', (_name, connect) => {
  it('lists all tools, and calls each of them', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const client = await connect(key)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true, destructiveHint: false } })
    const call = judged(client.callTool)
    const ok = async (name: string, args: Record<string, unknown> = {}) => {
      const result = await call(name, args)
      expect(result.isError, result.content[0]!.text).toBeUndefined()
      return result.structuredContent
    }

    const estimate = await ok('estimate_cost', {
      tool: 'search_listings',
      arguments: { filters: FILTERS, limit: 3 },
    })
    expect(estimate).toMatchObject({ estimate: { min: 3, max: 3, exact: true }, credits_charged: 0 })
    const found = await ok('search_listings', { filters: FILTERS, limit: 3 })
    expect(found).toMatchObject({ count: 3, total: HOMES.length, credits_charged: 3 })
    const [{ zpid }] = found.rows
    expect((await ok('get_property', { zpid })).property).toMatchObject({ zpid })
    expect(await ok('get_property_part', { zpid, part: 'facts' })).toMatchObject({
      part: 'facts',
      credits_charged: 1,
    })
    const { job } = await ok('start_job', { type: 'search', filters: FILTERS, limit: 60, max_credits: 60 })
    await untilEnded(server, key, job.job_id)
    expect((await ok('get_job', { job_id: job.job_id })).job).toMatchObject({
      status: 'succeeded',
      result_count: 60,
    })
    const results = await ok('read_results', { job_id: job.job_id, limit: 40 })
    expect(results).toMatchObject({ total: 60, next_offset: 40, credits_charged: 0 })
    expect((await ok('read_results', { job_id: job.job_id, offset: 40, limit: 40 })).rows).toHaveLength(20)
    const { watch } = await ok('create_watch', { name: 'mine', filters: FILTERS })
    expect(await ok('read_watch_events', { watch_id: watch.id })).toMatchObject({
      events: [],
      has_more: false,
    })
    expect((await ok('get_account')).account.credits).toBeDefined()
    // The data set of this test has no building.
    const units = await call('get_building_units', { url: 'https://www.zillow.com/b/some-building-abc123/' })
    expect(units).toMatchObject({
      isError: true,
      structuredContent: { code: 'not_found', credits_charged: 0 },
    })
    await client.close()
  })

  it('gets the credits that a call needs when max_credits does not cover it, and pays nothing', async () => {
    const { key } = await server.openAccount({ credits: 100 })
    const client = await connect(key)
    const call = judged(client.callTool)
    const address = '100 Main St, Seattle, WA 98109'
    expect(await call('get_property', { address, max_credits: 2 })).toMatchObject({
      isError: true,
      structuredContent: { code: 'max_credits_exceeded', credits_charged: 0, details: { required: 3 } },
    })
    const cut = await call('search_listings', { filters: FILTERS, limit: 50 })
    expect(cut.structuredContent).toMatchObject({
      count: 25,
      truncated_by: 'max_credits',
      credits_charged: 25,
    })
    await client.close()
  })
})

describe('money', () => {
  it('is the same in the ledger and the usage as for the same calls over REST', async () => {
    const tools = await server.openAccount({ credits: 10_000 })
    const rest = await server.openAccount({ credits: 10_000 })
    const client = await CLIENTS['SDK 2, revision 2026-07-28'](tools.key)
    const call = judged(client.callTool)
    for (let round = 0; round < ROUNDS; round++) {
      const zpid = String(HOMES[round]!.zpid)
      const maxItems = 1 + (round % 30)
      const sent = { key: rest.key, headers: { 'x-max-credits': '25' } }
      await call('search_listings', { filters: FILTERS, limit: maxItems })
      await server.post('/v1/search', { filters: FILTERS, sort: 'newest', maxItems }, sent)
      await call('get_property', { zpid })
      await server.get(`/v1/properties/${zpid}`, sent)
      await call('get_property', { zpid: '999999999' })
      await server.get('/v1/properties/999999999', sent)
      await call('get_property_part', { zpid, part: 'schools' })
      await server.get(`/v1/properties/${zpid}/schools`, sent)
      await call('get_property', { zpid: 'x1' })
      await server.get('/v1/properties/x1', sent)
      await call('get_account')
      await server.get('/v1/me', { key: rest.key })
      await call('search_listings', { filters: { location: 'Seattle' } })
      await server.post('/v1/search', { filters: { location: 'Seattle' } }, sent)
    }
    await client.close()
    const usageOf = async (accountId: string) => {
      const { rows } = await testDatabase.database.query(
        'select operation, endpoint, status_code, units, credits_charged from usage_rows where account_id = $1 order by id',
        [accountId],
      )
      return rows
    }
    const usage = await usageOf(tools.accountId)
    expect(usage).toHaveLength(7 * ROUNDS)
    expect(usage).toEqual(await usageOf(rest.accountId))
    await expectBooksToBalance(testDatabase.database)
  })

  it.each([
    ['over HTTP', CLIENTS['SDK 1, revision 2025-11-25']],
    ['over stdio', connectStdio],
  ])(
    '%s, is only taken for rows that are in the result, and the cursor leads to the others',
    async (_, connect) => {
      const { key, accountId } = await server.openAccount({ credits: 1_000 })
      const client = await connect(key)
      const call = judged(client.callTool)
      const seen = new Set<string>()
      let charged = 0
      let cursor: string | undefined
      let wasCut = false
      do {
        const args = {
          filters: FILTERS,
          limit: 50,
          max_credits: 50,
          fields: ['*'],
          ...(cursor && { cursor }),
        }
        const { structuredContent: page } = await call('search_listings', args)
        expect(page.credits_charged).toBe(page.rows.length)
        for (const { zpid } of page.rows) seen.add(zpid)
        charged += page.credits_charged
        wasCut ||= page.truncated_by === 'size'
        cursor = page.next_cursor
      } while (cursor !== undefined)
      expect(wasCut).toBe(true)
      expect([seen.size, charged]).toEqual([HOMES.length, HOMES.length])
      const ofTower: string[] = []
      const whys = new Set<string>()
      do {
        const args = { url: TOWER, max_credits: 100, fields: ['*'], ...(cursor && { cursor }) }
        const { structuredContent: page } = await call('get_building_units', args)
        expect(page.credits_charged).toBe(page.units.length)
        ofTower.push(...page.units.map(({ zpid }: { zpid: string }) => zpid))
        charged += page.credits_charged
        whys.add(page.truncated_by)
        cursor = page.next_cursor
      } while (cursor !== undefined)
      expect(ofTower).toEqual(UNITS.map(({ zpid }) => zpid))
      expect(whys).toContain('size')
      const { rows } = await testDatabase.database.query<{ charged: number }>(
        'select sum(credits_charged)::integer as charged from usage_rows where account_id = $1',
        [accountId],
      )
      expect([rows[0]!.charged, charged]).toEqual([HOMES.length + UNITS.length, HOMES.length + UNITS.length])
      await client.close()
    },
  )
})

describe('the units of a building that were cut', () => {
  it('continue behind the last one, each charged once, and the cursor fits no other building or kind of units', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const pathOf = (query: object) => `/v1/buildings/by-url?${new URLSearchParams({ url: TOWER, ...query })}`
    const first = await server.get(pathOf({ max_credits: 30 }), { key })
    expect(first.json.meta).toMatchObject({ count: 30, truncated_by: 'max_credits' })
    const cursor = first.json.meta.next_cursor
    const rest = await server.get(pathOf({ cursor }), { key })
    expect([rest.json.meta.count, rest.charged]).toEqual([50, 50])
    expect(rest.json.meta).not.toHaveProperty('next_cursor')
    const seen = [first, rest].flatMap(({ json }) =>
      json.data.units.map(({ zpid }: { zpid: string }) => zpid),
    )
    expect(seen).toEqual(UNITS.map(({ zpid }) => zpid))
    for (const other of [{ url: OTHER_TOWER }, { include_units: 'for_rent' }, { cursor: `${cursor}x` }]) {
      const refused = await server.get(pathOf({ cursor, ...other }), { key })
      expect([refused.status, refused.code, refused.charged]).toEqual([400, 'invalid_cursor', 0])
    }
    const asJob = await server.get(pathOf({ cursor, sync: 'false', max_credits: 1 }), { key })
    expect(asJob.json.meta?.ignored).toEqual(['cursor'])
  })
})

describe('POST /mcp', () => {
  const MODERN = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
  const accept = 'application/json, text/event-stream'
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(new URL('/mcp', server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const modern = (method: string, params: object = {}) => ({
    ...{ jsonrpc: '2.0', id: 1, method, params: { ...params, ...MODERN } },
  })
  const headersOf = (method: string, name?: string) => ({
    ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name && { 'mcp-name': name }) },
  })
  const me = modern('tools/call', { name: 'get_account', arguments: {} })

  it('tells what it supports without a key', async () => {
    const response = await post(modern('server/discover'), headersOf('server/discover'))
    expect(response.status).toBe(200)
    expect((await response.json()).result).toMatchObject({ capabilities: { tools: {} } })
  })

  it('answers a tool without a valid key with 401', async () => {
    for (const headers of [{ authorization: '' }, { authorization: `Bearer lot_${'0'.repeat(38)}` }]) {
      const response = await post(me, { ...headersOf('tools/call', 'get_account'), ...headers })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
      // The error has the id of its request, so that a client can tell which of its calls failed.
      const code = headers.authorization ? 'invalid_api_key' : 'missing_api_key'
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error: { data: { code } } })
    }
  })

  it('refuses a message whose headers say something else', async () => {
    const response = await post(modern('tools/list'), headersOf('tools/call'))
    expect(response.status).toBe(400)
    expect((await response.json()).error.code).toBe(-32020)
  })

  it('refuses other methods, media types, batches, large bodies, and pages of other origins', async () => {
    const get = await fetch(new URL('/mcp', server.url))
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post([modern('ping')])).status).toBe(400)
    expect((await post(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413)
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

  it('answers wrong arguments with a result that says what is wrong, for free', async () => {
    const { key } = await server.openAccount({ credits: 10 })
    const client = await CLIENTS['SDK 2, revision 2026-07-28'](key)
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
    const { key } = await server.openAccount({ credits: 1_000 })
    const authorization = `Bearer ${key}`
    const odd = [
      null,
      0,
      -1,
      1e308,
      '',
      '\u0000',
      'x'.repeat(5_000),
      [],
      {},
      [[]],
      { __proto__: null, a: 1 },
      true,
      '../..',
    ]
    const frames: [unknown, Record<string, string>][] = []
    const full = process.env.LOTLINE_FULL === '1'
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
    let sent = 0
    for (const [frame, headers] of frames) {
      // With the key, and in the full run also without it.
      for (const own of full ? [{ authorization }, {}] : [{ authorization }]) {
        const response = await post(frame, { ...own, ...headers })
        await response.arrayBuffer()
        expect(response.status, JSON.stringify(frame).slice(0, 300)).toBeLessThan(500)
        sent++
      }
    }
    expect(sent).toBeGreaterThan(full ? 2_000 : 700)
    await expectBooksToBalance(testDatabase.database)
  })

  it('counts each call of a tool in the rate window of its key', async () => {
    const { key } = await server.openAccount({ credits: 10, ratePerMinute: 2 })
    const client = await CLIENTS['SDK 1, revision 2025-11-25'](key)
    await client.callTool('get_account')
    expect((await client.callTool('get_account')).isError).toBeUndefined()
    const { isError, structuredContent } = await client.callTool('get_account')
    expect(isError).toBe(true)
    expect(structuredContent).toMatchObject({ code: 'rate_limited', credits_charged: 0 })
    expect(structuredContent.retry_after).toBeGreaterThanOrEqual(2)
    await client.close()
  })
})

describe('an operation of a tool', () => {
  it('exists in the contract', () => {
    const { toCall } = TOOLS.find(({ name }) => name === 'get_account')!
    const call = toCall({})
    expect(typeof call === 'object' && operations[call.operation].path).toBe('/v1/me')
  })
})
