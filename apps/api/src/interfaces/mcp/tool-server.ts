// The tools as an MCP server. The engine admits and performs a tool call like any other call: the same checks, rate window, slot, ledger,
// and usage rows. An API refusal is a result with `isError`; only protocol faults are protocol errors.
// Each message with the method `tools/call` is one call, whatever its content: it is admitted before the protocol checks it. So a call of
// an unknown tool, with wrong arguments, or with contradictory headers counts in the rate window and has a usage row.

import { operations } from '@lotline/contract'
import {
  type Arguments,
  createToolJudge,
  rowsThatFit,
  TOOLS,
  type Tool,
  type ToolAnswer,
  toToolError,
  toToolResult,
} from '@lotline/contract/tools'
import { createProtocolServer } from '@lotline/contract/tools/server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { refuse } from '../../infrastructure/refusals.ts'
import { Call, type CallFacts, type CallResponse, type Engine, textOfBody } from '../../requests/engine.ts'
import { isToolCall, type ToolCallMessage } from './message-shape.ts'

export interface ToolServerDeps {
  readonly log: Logger
}

/** One HTTP request with a valid key. */
export interface ToolRequest {
  readonly authorization: string | undefined
  readonly address: string
  readonly requestId: string
  /** Bytes of its body. */
  readonly size: number
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** The engine's admission of a tool call: a response if it was not admitted. */
  onJudged(admitted: Call | CallResponse): void
  /** Converts the result of a tool call into a response, by the rules of the API. */
  onAnswered(response: CallResponse): void
}

export interface ToolServer {
  /** @param message the parsed body of the request, within the bounds of `faultOfShape` */
  answer(request: Request, message: unknown, exchange: ToolRequest): Promise<ProtocolAnswer>
  /** Records a message that the front end refuses. A tool call counts as a call: it is admitted and has a free usage row. */
  refuse(message: unknown, exchange: ToolRequest): Promise<void>
}

export interface ProtocolAnswer {
  readonly status: number
  readonly type: string | null
  readonly body: string
}

/** An admitted tool call, which the protocol passes on to its handler. */
interface JudgedCall {
  readonly exchange: ToolRequest
  readonly admitted: Call | CallResponse
  isPerformed: boolean
}

/** The path that records a tool call without a known operation. */
const PATH = '/mcp'
/** The client gets the protocol's error instead. */
const NO_CALL = refuse('invalid_parameter', 'The message is not a valid call of a tool.')

export function createToolServer({ log }: Pick<ToolServerDeps, 'log'>, engine: Engine): ToolServer {
  const judge = createToolJudge()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const judged = authInfo?.extra?.judged as JudgedCall | undefined
      return createProtocolServer((tool, args) => {
        if (!judged) throw new Error('a tool ran for a message that is not a tool call')
        return callTool(tool, args, judged)
      })
    },
    { onerror: (error) => log.debug({ err: error }, 'MCP request failed') },
  )

  async function callTool(tool: Tool, args: Record<string, unknown>, judged: JudgedCall) {
    const { admitted: call, exchange } = judged
    if (!(call instanceof Call)) return present(tool, args, call, 0)
    const asked = judge(tool, args)
    // The engine changes texts in place, and `args` are read again for the result.
    const copied = typeof asked === 'string' ? undefined : structuredClone(asked.body)
    // No code between here and `perform` may throw: the call would have no usage row.
    judged.isPerformed = true
    if (typeof asked === 'string') {
      const response = await engine.perform(call, refuse('invalid_parameter', asked))
      exchange.onAnswered(response)
      return present(tool, args, response, 0)
    }
    const { params, query, headers } = asked
    let cutTo = 0
    // Rows that do not fit into a result are removed before the charge.
    call.rowsThatFit = (rows, bodyOf) => {
      const kept = rowsThatFit(rows, (granted) => ({
        ...tool.toContent(bodyOf(granted) as ToolAnswer, args),
        truncated_by: 'max_credits',
      }))
      if (kept < rows) cutTo = kept
      return kept
    }
    const response = await engine.perform(call, {
      params: { ...params },
      query: { ...query },
      headers: { ...headers },
      body: { value: copied, size: exchange.size },
    })
    exchange.onAnswered(response)
    return present(tool, args, response, cutTo)
  }

  async function pass(request: Request, message: unknown, judged?: JudgedCall): Promise<ProtocolAnswer> {
    const response = await handler.fetch(request, {
      parsedBody: message,
      authInfo: { token: '', clientId: '', scopes: [], extra: { judged } },
    })
    const { status, headers } = response
    return { status, type: headers.get('content-type'), body: await response.text() }
  }

  return {
    async answer(request, message, exchange) {
      if (!isToolCall(message)) return pass(request, message)
      const admitted = await engine.admit(exchange.authorization, factsOf(message, exchange))
      exchange.onJudged(admitted)
      const judged: JudgedCall = { exchange, admitted, isPerformed: false }
      if (!(admitted instanceof Call)) {
        exchange.onAnswered(admitted)
        return pass(request, message, judged)
      }
      const call = admitted
      const disconnect = () => call.disconnect()
      exchange.signal.addEventListener('abort', disconnect, { once: true })
      // The client may have disconnected during the key lookup.
      if (exchange.signal.aborted) disconnect()
      try {
        return await pass(request, message, judged)
      } finally {
        if (!judged.isPerformed) exchange.onAnswered(await engine.perform(call, NO_CALL))
        exchange.signal.removeEventListener('abort', disconnect)
        call.end()
      }
    },
    async refuse(message, exchange) {
      if (!isToolCall(message)) return
      const admitted = await engine.admit(exchange.authorization, factsOf(message, exchange))
      exchange.onJudged(admitted)
      if (!(admitted instanceof Call)) {
        exchange.onAnswered(admitted)
        return
      }
      try {
        exchange.onAnswered(await engine.perform(admitted, NO_CALL))
      } finally {
        admitted.end()
      }
    },
  }
}

/** The operation under which the call is counted and recorded. The content of the message is not validated yet. */
function factsOf({ params }: ToolCallMessage, { address, requestId }: ToolRequest): CallFacts {
  const { name, arguments: args } = (params ?? {}) as Readonly<Record<string, unknown>>
  const tool = TOOLS.find((one) => one.name === name)
  const target = tool?.target((args ?? {}) as Arguments)
  const facts = { address, requestId, accept: undefined }
  if (!target?.operation) return { ...facts, method: 'POST', path: PATH, operationId: undefined }
  const { method, path: template } = operations[target.operation]
  const path = template.replace(/\{([^}]+)\}/g, (place, inPath) => {
    const value = target.params?.[inPath]
    return typeof value === 'string' ? encodeURIComponent(value.toWellFormed()) : place
  })
  return { ...facts, method, path, operationId: target.operation }
}

/** @param cutTo how many rows fit into the size of the result; 0: all */
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
