// The tools as a server of the Model Context Protocol, without a transport: the list of tools, and what is not the work of a
// tool. `POST /mcp` of the service and the stdio server (packages/mcp) are this server over their transports.

import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'
import type { Tool, ToolResult } from './tool.ts'
import { TOOLS } from './tools.ts'

const INVALID_PARAMS = -32602
/** The list of tools changes only with a new version of the service. */
const LIST_TTL_MS = 3_600_000

const LISTED_TOOLS = TOOLS.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations: { title, ...annotations },
}))

/** Calls a tool. The signal is aborted when the client cancels the call. */
export type CallTool = (
  tool: Tool,
  args: Record<string, unknown>,
  signal: AbortSignal | undefined,
) => Promise<ToolResult>

/** One server, for one connection. */
export function createProtocolServer(callTool: CallTool): Server {
  const server = new Server(
    { name: 'lotline', title: 'Lotline property data', version: '1.0.0' },
    {
      capabilities: { tools: {} },
      instructions:
        'Property data for the United States. Calls cost credits: each tool states its price, and max_credits limits each call.',
      cacheHints: {
        'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' },
        'server/discover': { ttlMs: LIST_TTL_MS, cacheScope: 'public' },
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: LISTED_TOOLS }) as unknown as ListToolsResult)
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = TOOLS.find(({ name }) => name === params.name)
    if (!tool)
      throw new ProtocolError(INVALID_PARAMS, 'Unknown tool name. Call tools/list for the available tools.')
    const result = await callTool(tool, { ...params.arguments }, context.mcpReq.signal)
    return result as unknown as CallToolResult
  })
  return server
}
