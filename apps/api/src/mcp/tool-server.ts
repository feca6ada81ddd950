// The tools as an MCP server. A tool's call is admitted and performed by the engine like any other: the same checks, rate
// window, slot, ledger and usage rows. What the API refuses is a result with `isError`; only faults of the protocol are
// errors of the protocol.

import { operations } from '@lotline/contract'
import {
  type Arguments,
  createToolJudge,
  rowsThatFit,
  type Tool,
  type ToolAnswer,
  toToolError,
  toToolResult,
} from '@lotline/contract/tools'
import { createProtocolServer } from '@lotline/contract/tools/server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { App } from '../app.ts'
import { Call } from '../engine/call.ts'
import type { Engine } from '../engine/engine.ts'
import { type CallResponse, textOfBody } from '../engine/response.ts'

/** One HTTP request. */
export interface Exchange {
  readonly authorization: string | undefined
  readonly address: string
  readonly requestId: string
  isDisconnected: boolean
  /** To be called when the client disconnects. Set while a tool works. */
  onDisconnect?: (() => void) | undefined
}

export interface ToolServer {
  /** @param message the parsed body of the request */
  answer(request: Request, message: unknown, exchange: Exchange): Promise<Response>
}

export function createToolServer({ log }: Pick<App, 'log'>, engine: Engine): ToolServer {
  const judge = createToolJudge()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo!.extra!.exchange as Exchange
      return createProtocolServer((tool, args) => callTool(tool, args, exchange))
    },
    { onerror: (error) => log.debug({ err: error }, 'MCP request failed') },
  )

  async function callTool(tool: Tool, args: Record<string, unknown>, exchange: Exchange) {
    const asked = judge(tool, args)
    if (typeof asked === 'string') {
      // No call is made of wrong arguments: it is free, and has no usage row.
      return toToolError({ code: 'invalid_parameter', message: asked, request_id: exchange.requestId })
    }
    const { operation, params, query, headers, body } = asked
    const { method, path: template } = operations[operation]
    const path = template.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(params[name]!))
    const { address, requestId, authorization } = exchange
    const facts = { address, requestId, method, path, operationId: operation, accept: undefined }
    const call = await engine.admit(authorization, facts)
    if (!(call instanceof Call)) return present(tool, args, call, 0)
    exchange.onDisconnect = () => call.disconnect()
    // It may have left while its key was looked up.
    if (exchange.isDisconnected) call.disconnect()
    try {
      let cutTo = 0
      // Rows that do not fit into a result are left out before anything is charged.
      call.rowsThatFit = (rows, bodyOf) => {
        const kept = rowsThatFit(rows, (granted) => ({
          ...tool.toContent(bodyOf(granted) as ToolAnswer, args),
          truncated_by: 'max_credits',
        }))
        if (kept < rows) cutTo = kept
        return kept
      }
      const response = await engine.perform(call, {
        ...{ params: { ...params }, query: { ...query }, headers: { ...headers } },
        body: { value: body && structuredClone(body) },
      })
      return await present(tool, args, response, cutTo)
    } finally {
      exchange.onDisconnect = undefined
      call.end()
    }
  }

  return {
    answer: (request, message, exchange) =>
      handler.fetch(request, {
        parsedBody: message,
        authInfo: { token: '', clientId: '', scopes: [], extra: { exchange } },
      }),
  }
}

/** @param cutTo the rows that were left because of the size of the result; 0: all */
async function present(tool: Tool, args: Arguments, response: CallResponse, cutTo: number) {
  const { status, headers, body } = response
  const answer = JSON.parse((await textOfBody(body)) || '{}')
  const charged = headers['x-credits-charged']
  const remaining = headers['x-credits-remaining']
  const credits = {
    ...(charged !== undefined && { credits_charged: Number(charged) }),
    ...(remaining !== undefined && { credits_remaining: Number(remaining) }),
  }
  if (status < 300) return toToolResult(tool, args, answer, credits, cutTo)
  const error = answer.error ?? { code: 'client_disconnected', message: '' }
  const after = headers['retry-after']
  return toToolError({ ...error, ...(after !== undefined && { retry_after: Number(after) }) }, credits)
}
