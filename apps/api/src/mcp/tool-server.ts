// The tools as an MCP server. A tool's call is admitted and performed by the engine like any other: the same checks, rate
// window, slot, ledger and usage rows. What the API refuses is a result with `isError`; only faults of the protocol are
// errors of the protocol.

import { operations } from '@lotline/contract'
import {
  type Arguments,
  type Content,
  cutToSize,
  rowsThatFit,
  TOOLS,
  type Tool,
  type ToolAnswer,
  toResult,
} from '@lotline/contract/tools'
import {
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { App } from '../app.ts'
import { Call } from '../engine/call.ts'
import type { Engine } from '../engine/engine.ts'
import type { CallResponse } from '../engine/response.ts'

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

const INVALID_PARAMS = -32602
/** The list of tools changes only with a new version of the service. */
const LIST_TTL_MS = 3_600_000

const LISTED = TOOLS.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
  ...{ name, title, description, inputSchema, outputSchema },
  annotations: { title, ...annotations },
}))

export function createToolServer({ log }: Pick<App, 'log'>, engine: Engine): ToolServer {
  const validators = new Map(TOOLS.map((tool) => [tool.name, validatorOf(tool)]))

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo!.extra!.exchange as Exchange
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
      server.setRequestHandler('tools/list', () => ({ tools: LISTED }) as unknown as ListToolsResult)
      server.setRequestHandler('tools/call', async ({ params }) => {
        const tool = TOOLS.find(({ name }) => name === params.name)
        if (!tool) throw new ProtocolError(INVALID_PARAMS, 'There is no tool of this name.')
        const result = await callTool(tool, { ...params.arguments }, exchange)
        return result as unknown as CallToolResult
      })
      return server
    },
    { onerror: (error) => log.debug({ err: error }, 'MCP request failed') },
  )

  async function callTool(tool: Tool, args: Record<string, unknown>, exchange: Exchange) {
    const validate = validators.get(tool.name)!
    // It sets the defaults.
    if (!validate(args)) return failed(faultOf(validate), exchange)
    const inner = tool.inner?.(args)
    const validateInner = inner && validators.get(inner.name)!
    if (validateInner && !validateInner(inner.args)) return failed(faultOf(validateInner), exchange)
    const asked = tool.toCall(args)
    if (typeof asked === 'string') return failed(asked, exchange)
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
  const answer = JSON.parse((await readAll(body)) || '{}')
  const charged = headers['x-credits-charged']
  const remaining = headers['x-credits-remaining']
  const credits = {
    ...(charged !== undefined && { credits_charged: Number(charged) }),
    ...(remaining !== undefined && { credits_remaining: Number(remaining) }),
  }
  if (status >= 300) {
    const { code, message, details, request_id } = answer.error ?? {
      code: 'client_disconnected',
      message: '',
    }
    const after = headers['retry-after']
    const content = {
      ...{ code, message, credits_charged: 0, ...credits, request_id },
      ...(details !== undefined && { details }),
      ...(after !== undefined && { retry_after: Number(after) }),
    }
    return { ...toResult(content), isError: true }
  }
  const content = tool.toContent(answer, args)
  const rows =
    cutTo > 0 && content.truncated_by === 'max_credits' ? { ...content, truncated_by: 'size' } : content
  return toResult({ ...cutToSize(tool, rows), ...credits } as Content)
}

/** The arguments are wrong before a call is made of them: it is free, and has no usage row. */
function failed(message: string, { requestId }: Exchange) {
  const content = { code: 'invalid_parameter', message, credits_charged: 0, request_id: requestId }
  return { ...toResult(content), isError: true }
}

/** What the API judges itself is left to it: its messages say more, and its refusals have usage rows. */
function validatorOf({ inputSchema, judgedByApi }: Tool): ValidateFunction {
  const properties = inputSchema.properties as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const shallow = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      judgedByApi.includes(name) ? onlyType(schema) : schema,
    ]),
  )
  const ajv = new Ajv2020({ strict: false, useDefaults: true, allErrors: false })
  return ajv.compile({ ...inputSchema, properties: shallow })
}

function onlyType({ type, default: fallback }: Readonly<Record<string, unknown>>): object {
  return { type, ...(fallback !== undefined && { default: fallback }) }
}

function faultOf({ errors }: ValidateFunction): string {
  const [fault] = errors ?? []
  const name = fault?.params.additionalProperty ?? fault?.params.missingProperty
  const place = fault?.instancePath ? fault.instancePath.slice(1).replaceAll('/', '.') : 'arguments'
  return `${place} ${fault?.message ?? 'is not valid'}${typeof name === 'string' ? `: ${name.slice(0, 100)}` : ''}.`
}

async function readAll(body: CallResponse['body']): Promise<string> {
  if (body === undefined) return ''
  if (typeof body === 'string' || Buffer.isBuffer(body)) return String(body)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8')
}
