// Clients of the MCP server, one for each generation of the SDK, and what every result of a tool must be.

import { fileURLToPath } from 'node:url'
import { MAX_RESULT_BYTES, TOOLS } from '@lotline/contract/tools'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'

interface Result {
  readonly isError?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results that their schemas have judged
  readonly structuredContent: any
  readonly content: readonly { readonly type: string; readonly text: string }[]
}
export type CallTool = (name: string, args?: Record<string, unknown>) => Promise<Result>

const requestInit = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

/** One client of each generation: the SDK 2 at the revision 2026-07-28, and the SDK 1 at 2025-11-25. */
export const CLIENTS = {
  'SDK 2, revision 2026-07-28': async (server: { readonly url: string }, key: string) => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), requestInit(key)))
    const callTool: CallTool = async (name, args) =>
      (await client.callTool({ name, arguments: args ?? {} })) as unknown as Result
    return { listTools: () => client.listTools(), callTool, close: () => client.close() }
  },
  'SDK 1, revision 2025-11-25': async (server: { readonly url: string }, key: string) => {
    const client = new Client1({ name: 'test', version: '1' })
    await client.connect(new Transport1(new URL('/mcp', server.url), requestInit(key)) as never)
    const callTool: CallTool = async (name, args) =>
      (await client.callTool({ name, arguments: args ?? {} })) as unknown as Result
    return { listTools: () => client.listTools(), callTool, close: () => client.close() }
  },
}

const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

/** A message of the revision 2026-07-28. */
export const modern = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, ...MODERN },
})

/** The headers that it needs. */
export const headersOf = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name && { 'mcp-name': name }),
})

/** Sends a message without a client. */
export const postMessage = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** The command of @lotline/mcp, whose calls go through the SDK of the API. */
export async function connectStdio(server: { readonly url: string }, key: string) {
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
export function judged(callTool: CallTool): CallTool {
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
