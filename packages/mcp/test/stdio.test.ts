// The command as agents start it: a process that the clients of the MCP SDK talk to over stdio, in front of the mock.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type OperationId, operations } from '@lotline/contract'
import { MAX_RESULT_BYTES, TOOLS } from '@lotline/contract/tools'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const COMMAND = join(import.meta.dirname, '../src/main.ts')

let mock: Mock
const asked: string[] = []

beforeAll(async () => {
  mock = await startMock({ onAnswer: ({ method, url }) => asked.push(`${method} ${url}`) })
})
afterAll(() => mock.close())

interface ToolResult {
  readonly isError?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results that their schemas have judged
  readonly structuredContent: any
  readonly content: readonly { readonly text: string }[]
}

const serverCommand = (env: Record<string, string>) => ({ command: process.execPath, args: [COMMAND], env })
const env = () => ({ LOTLINE_API_KEY: DEMO_KEY, LOTLINE_BASE_URL: mock.origin })

const CLIENTS = {
  'SDK 2, revision 2026-07-28': async (variables: Record<string, string>) => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StdioClientTransport(serverCommand(variables)))
    return client
  },
  'SDK 1, revision 2025-11-25': async (variables: Record<string, string>) => {
    const client = new Client1({ name: 'test', version: '1' })
    await client.connect(new Transport1(serverCommand(variables)) as never)
    return client
  },
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const validators = new Map(TOOLS.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]))

const FILTERS = { bbox: { west: -122.36, south: 47.63, east: -122.34, north: 47.645 } }
const JOB = '7f9b6f0e-3c7b-4d0f-9a57-0c8f1b0e7a11'
/** A call of each tool, and the operation that it reaches. */
const CALLS: readonly (readonly [tool: string, args: object, operation: OperationId])[] = [
  ['search_listings', { filters: FILTERS, limit: 2 }, 'searchListings'],
  ['get_property', { zpid: '48749425' }, 'getProperty'],
  ['get_property', { url: 'https://www.zillow.com/homedetails/48749425_zpid/' }, 'getPropertyByUrl'],
  ['get_property', { address: '2114 Bigelow Ave N, Seattle, WA 98109' }, 'getPropertyByAddress'],
  ...(
    [
      ['photos', 'getPropertyPhotos'],
      ['price_history', 'getPropertyPriceHistory'],
      ['tax_history', 'getPropertyTaxHistory'],
      ['schools', 'getPropertySchools'],
      ['nearby', 'getPropertyNearby'],
      ['agent', 'getPropertyAgent'],
      ['zestimate', 'getPropertyZestimate'],
      ['open_houses', 'getPropertyOpenHouses'],
      ['facts', 'getPropertyFacts'],
    ] as const
  ).map(([part, operation]) => ['get_property_part', { zpid: '48749425', part }, operation] as const),
  [
    'get_building_units',
    { url: 'https://www.zillow.com/b/the-ashford-seattle-wa-5XkR7n/' },
    'getBuildingUnits',
  ],
  ['estimate_cost', { tool: 'search_listings', arguments: { filters: FILTERS } }, 'estimateCall'],
  ['start_job', { type: 'search', filters: FILTERS, limit: 60 }, 'searchListings'],
  ['start_job', { type: 'search_with_details', filters: FILTERS }, 'searchWithDetails'],
  ['start_job', { type: 'lookups', addresses: ['1 Main St, Seattle, WA 98109'] }, 'createPropertyBatch'],
  ['get_job', { job_id: JOB }, 'getJob'],
  ['read_results', { job_id: JOB }, 'getJobResults'],
  ['get_account', {}, 'getAccount'],
  ['create_watch', { name: 'mine', filters: FILTERS }, 'createWatch'],
  ['read_watch_events', { watch_id: JOB }, 'listWatchEvents'],
]

describe.each(Object.entries(CLIENTS))('a client over stdio with %s', (_name, connect) => {
  it('lists and calls all tools, gets results that match their schemas, and gets errors as results', async () => {
    const client = await connect(env())
    try {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
      for (const [name, args, operation] of CALLS) {
        asked.length = 0
        const result = (await client.callTool({ name, arguments: { ...args } })) as unknown as ToolResult
        const text = result.content[0]!.text
        expect(result.isError, text).toBeUndefined()
        const { method, path } = operations[operation]
        expect(asked[0]).toMatch(new RegExp(`^${method} ${path.replace(/\{[^}]+\}/g, '[^/?]+')}(?:\\?|$)`))
        const validate = validators.get(name)!
        expect(validate(result.structuredContent), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
        expect(JSON.parse(text)).toEqual(result.structuredContent)
        expect(result.structuredContent).toMatchObject({ credits_charged: expect.any(Number) })
        expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(MAX_RESULT_BYTES)
      }
      expect(new Set(CALLS.map(([name]) => name)).size).toBe(TOOLS.length)
      // What the API refuses, and wrong arguments, are results with isError.
      const refused = (await client.callTool({
        name: 'get_property',
        arguments: { zpid: 'x1' },
      })) as unknown as ToolResult
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { code: 'invalid_zpid', credits_charged: 0, request_id: expect.any(String) },
      })
      const wrong = (await client.callTool({ name: 'get_property', arguments: {} })) as unknown as ToolResult
      expect(wrong).toMatchObject({
        isError: true,
        structuredContent: { code: 'invalid_parameter', credits_charged: 0 },
      })
    } finally {
      await client.close()
    }
  })
})

describe('the command', () => {
  it('says that a call may have been charged if the charge is unknown or no response arrives', async () => {
    const error = {
      code: 'service_unavailable',
      message: 'It cannot tell.',
      request_id: 'req_1',
      details: { charge: 'unknown' },
    }
    // As the service answers when it loses its database during a charge: without X-Credits-Charged.
    const service = createServer((request, response) => {
      request.resume()
      response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    })
    await once(service.listen(0, '127.0.0.1'), 'listening')
    const { port } = service.address() as AddressInfo
    const address = { LOTLINE_BASE_URL: `http://127.0.0.1:${port}` }
    const client = await CLIENTS['SDK 2, revision 2026-07-28']({ ...env(), ...address })
    const expectUnknown = async (name: string, args: Record<string, unknown>, content: object) => {
      const result = (await client.callTool({ name, arguments: args })) as unknown as ToolResult
      expect(result).toMatchObject({ isError: true, structuredContent: content })
      expect(result.structuredContent).not.toHaveProperty('credits_charged')
    }
    try {
      await expectUnknown('get_property', { zpid: '48749425' }, error)
      await expectUnknown('search_listings', { filters: FILTERS }, error)
      service.closeAllConnections()
      await new Promise((closed) => service.close(closed))
      await expectUnknown('get_account', {}, { code: 'connection_lost' })
    } finally {
      await client.close()
      service.closeAllConnections()
      service.close()
    }
  })

  it('refuses to start without a key and writes nothing to stdout', async () => {
    const child = spawn(process.execPath, [COMMAND], { env: { PATH: process.env.PATH! } })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text
      })
    }
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(texts.stdout).toBe('')
    expect(texts.stderr).toContain('LOTLINE_API_KEY')
  })
})
