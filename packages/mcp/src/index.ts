/** The tools of Lotline as an MCP server whose calls go through the SDK. */

import { Lotline, LotlineError } from '@lotline/client'
import {
  createToolJudge,
  type Tool,
  type ToolCredits,
  type ToolResult,
  toToolError,
  toToolResult,
} from '@lotline/contract/tools'
import { createProtocolServer } from '@lotline/contract/tools/server'
import type { Server } from '@modelcontextprotocol/server'
import { type ApiAnswer, callApi } from './api-calls.ts'
import { callInPages } from './call-in-pages.ts'

export interface ToolServerOptions {
  /** The API key, `lot_…`. The default is the environment variable `LOTLINE_API_KEY`. */
  readonly apiKey?: string | undefined
  /** The address of the service. The default is the environment variable `LOTLINE_BASE_URL`, or `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined
}

/**
 * A function that makes one server for each connection, as `serveStdio` of the SDK wants it.
 *
 * @throws LotlineError `missing_api_key` if there is no key
 */
export function createToolServer(options: ToolServerOptions = {}): () => Server {
  // The agent decides what is repeated: a refusal says how long to wait.
  const lotline = new Lotline({ ...options, maxRetries: 0 })
  const judge = createToolJudge()

  async function callTool(
    tool: Tool,
    args: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<ToolResult> {
    const asked = judge(tool, args)
    if (typeof asked === 'string') return toToolError({ code: 'invalid_parameter', message: asked })
    try {
      if (tool.pages) return await callInPages(tool, args, (call) => callApi(lotline, call, signal))
      const answer = await callApi(lotline, asked, signal)
      return toToolResult(tool, args, answer, toToolCredits(answer))
    } catch (error) {
      if (!(error instanceof LotlineError)) throw error
      return toErrorResult(error)
    }
  }
  return () => createProtocolServer(callTool)
}

function toToolCredits({ credits }: ApiAnswer): ToolCredits {
  return { credits_charged: credits.charged, credits_remaining: credits.remaining }
}

function toErrorResult({ code, message, details, requestId, retryAfterMs, status, credits }: LotlineError) {
  const known: ToolCredits = credits ? { credits_remaining: credits.remaining } : {}
  const facts = { code, message, details, request_id: requestId }
  const after = retryAfterMs === undefined ? {} : { retry_after: Math.ceil(retryAfterMs / 1000) }
  // Without a response, the service may have charged the call.
  const charged = status === undefined ? { credits_charged: undefined } : {}
  return toToolError({ ...facts, ...after }, { ...known, ...charged } as ToolCredits)
}
