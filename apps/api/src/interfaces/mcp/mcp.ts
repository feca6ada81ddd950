// POST /mcp: the API's tools for agents, over the Model Context Protocol. It is stateless: each request is answered by itself, without
// sessions or cookies. The SDK implements the protocol; the engine runs a tool's call (mcp/tool-server.ts).
// The order of the checks: Host · Origin · key · message limit · body · depth and size of the message · message. A tool call counts in the
// rate window of its key, and not as a message. All other messages count against the message limit, and so do invalid messages and calls
// that the engine does not admit.
// Why: decisions/interfaces/mcp-asks-for-a-key-first.md
// Why: decisions/interfaces/mcp-message-limit.md

import type { ErrorCode } from '@lotline/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Config, oauthOrigin } from '../../infrastructure/config.ts'
import type { Observer } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { type MessageLimit, messagesPerMinute, type Principal } from '../../money/accounts.ts'
import type { WaitingInputs } from '../../money/limits.ts'
import {
  type AuthenticationParts,
  authenticate,
  Call,
  CallExpired,
  ClientDisconnected,
  type Engine,
  judgeBody,
  refusalResponse,
  toErrorRefusal,
} from '../../requests/engine.ts'
import { RequestBody } from '../http/request-body.ts'
import { send } from '../http/send.ts'
import { challengeOf } from '../oauth/oauth.ts'
import { faultOfShape, type ShapeFault } from './message-shape.ts'
import type { ToolRequest, ToolServer } from './tool-server.ts'

export type McpDeps = AuthenticationParts & {
  readonly config: Config
  readonly log: Logger
  readonly messageLimit: MessageLimit
  readonly observer: Observer
  readonly waiting: WaitingInputs
}

export interface McpParts {
  readonly deps: McpDeps
  readonly engine: Engine
  /** Returns the source address of a request, for the limit on failed keys. */
  readonly addressOf: (request: FastifyRequest['raw']) => string
}

/** Error codes of JSON-RPC and of MCP. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
/** In the range for server-defined errors: the key was refused. */
const SERVER_ERROR = -32000
/** The codes of refused bodies. */
const FAULTS: { readonly [Code in ErrorCode]?: number } = {
  invalid_json: PARSE_ERROR,
  missing_input: PARSE_ERROR,
  payload_too_large: INVALID_REQUEST,
  unsupported_media_type: INVALID_REQUEST,
}

export async function serveMcp(
  server: FastifyInstance,
  { deps, engine, addressOf }: McpParts,
): Promise<void> {
  // Loaded with the first request, so that a service without agents saves the memory.
  let loading: Promise<ToolServer> | undefined
  const tools = () => {
    loading ??= import('./tool-server.ts').then(({ createToolServer }) => createToolServer(deps, engine))
    return loading
  }
  server.removeAllContentTypeParsers()
  // The body is read below, within its bound and after the headers were checked.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))

  server.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/mcp',
    handler(request, reply) {
      reply.header('allow', 'POST')
      const values = { method: request.method, allowed: ['POST'] }
      return send(reply, refusalResponse(refuseFor('method_not_allowed', 'method', values), request.id))
    },
  })

  server.post('/mcp', async (request, reply) => {
    // The headers alone decide whether the body is read: a client without a valid key causes no parsing.
    if (!isTrustedHost(request, deps.config)) return answerFault(reply, 403, INVALID_REQUEST, WRONG_HOST)
    if (!isTrustedOrigin(request, deps.config.corsOrigins)) {
      return answerFault(reply, 403, INVALID_REQUEST, 'The Origin of the request is not allowed.')
    }
    const { authorization } = request.headers
    const address = addressOf(request.raw)
    const principal = await findKey(deps, authorization, address)
    if (isRefusal(principal)) return refuseMessage(request, reply, principal, deps.config)

    const signal = signalOf(reply)
    const sent = new RequestBody(request.raw)
    const read = await readMessage(sent, signal, principal.accountId, deps, request)
    if (read === undefined) return reply.hijack()
    // The client is still sending a body that will not be read.
    if (sent.tooLong) reply.header('connection', 'close')
    if (isRefusal(read)) return refuseMessage(request, reply, read, deps.config)
    const { value: message, fault } = read
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      return answerFault(reply, 400, INVALID_REQUEST, 'Send one JSON-RPC message. There are no batches.')
    }
    const { method, id } = message as { readonly method?: unknown; readonly id?: unknown }
    if (method === 'subscriptions/listen') {
      // The list of tools changes only with a new version of the service.
      return answerFault(reply, 404, METHOD_NOT_FOUND, 'There are no subscriptions.', id)
    }
    const exchange: ToolRequest = {
      authorization,
      address,
      requestId: request.id,
      size: sent.size,
      signal,
      onJudged(admitted) {
        request.isCall = true
        if (!(admitted instanceof Call)) return
        request.call = admitted
        deps.messageLimit.giveBack(principal)
      },
      onAnswered({ code }) {
        request.refusedAs = code
      },
    }
    const toolServer = await tools()
    if (fault) {
      await toolServer.refuse(message, exchange)
      return answerFault(reply, fault.status, INVALID_REQUEST, fault.message, id)
    }
    const { status, type, body } = await toolServer.answer(toFetch(request), message, exchange)
    reply.code(status)
    if (type) reply.header('content-type', type)
    return reply.header('cache-control', 'no-store').send(body === '' ? undefined : body)
  })
}

/** Authenticates a message, and counts it against its key. */
async function findKey(
  deps: McpDeps,
  authorization: string | undefined,
  address: string,
): Promise<Principal | Refusal> {
  const identity = await authenticate(deps, authorization, address)
  if (isRefusal(identity)) return identity
  if ('refusal' in identity) {
    deps.observer.guessRefused()
    return { ...identity.refusal, retryAfterS: identity.retryAfterS }
  }
  const { principal } = identity
  const waitMs = deps.messageLimit.take(principal)
  if (waitMs === undefined) return principal
  const limit = messagesPerMinute(principal)
  const refusal = refuseFor('rate_limited', 'messages', { limit }, { limit_per_minute: limit })
  return { ...refusal, retryAfterS: Math.max(2, Math.ceil(waitMs / 1000)) }
}

/** Aborted with `ClientDisconnected` when the client disconnects before the response is sent. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.on('close', () => {
    if (!raw.writableFinished) controller.abort(new ClientDisconnected())
  })
  return controller.signal
}

interface ReadMessage {
  readonly value: unknown
  readonly fault: ShapeFault | undefined
}

/**
 * Reads the message. undefined: the client disconnected, or was too slow and has its response. A long message waits in the queue for all
 * long bodies, for as long as a call may take.
 */
async function readMessage(
  sent: RequestBody,
  disconnected: AbortSignal,
  accountId: string,
  { waiting, config, log }: McpDeps,
  { raw, id }: FastifyRequest,
): Promise<ReadMessage | Refusal | undefined> {
  const refused = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const owner = {
    accountId,
    /** Read only when a long message waits. */
    get signal() {
      timer ??= setTimeout(() => refused.abort(new CallExpired()), config.syncTimeoutMs)
      return AbortSignal.any([disconnected, refused.signal])
    },
    refuse: (reason: Error) => refused.abort(reason),
  }
  try {
    return await judgeBody(sent, owner, waiting, (value) => ({
      value,
      fault: faultOfShape(value, sent.size),
    }))
  } catch (error) {
    if (disconnected.aborted || (raw.destroyed && !raw.complete)) return undefined
    if (error instanceof CallExpired) return refuseFor('upstream_timeout', 'queue', {}, { phase: 'queue' })
    return toErrorRefusal(error, log, id)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Refuses a message by the rules of the API, with its status and headers. The message id is unknown: the body was not read, or is not a
 * message. `data` contains the API error.
 */
function refuseMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  config: Config,
): FastifyReply {
  const { status, headers, body, code } = refusalResponse(refusal, request.id)
  request.refusedAs = code
  reply.headers(headers)
  const challenge = challengeOf(oauthOrigin(config), request.headers.authorization !== undefined)
  if (status === 401 && challenge !== undefined) reply.header('www-authenticate', challenge)
  const { error } = JSON.parse(String(body))
  return answerFault(reply, status, FAULTS[refusal.code] ?? SERVER_ERROR, refusal.message, null, error)
}

function answerFault(
  reply: FastifyReply,
  status: number,
  code: number,
  message: string,
  id: unknown = null,
  data?: unknown,
): FastifyReply {
  const error = { code, message, ...(data !== undefined && { data }) }
  const fault = { jsonrpc: '2.0', id: isId(id) ? id : null, error }
  return reply.code(status).type('application/json').send(JSON.stringify(fault))
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}

const WRONG_HOST =
  'The Host of the request is neither this machine nor that of PUBLIC_URL. If a proxy passes it on, set PUBLIC_URL.'

/**
 * Protects against DNS rebinding: a service that only its own machine can reach, directly or through a local proxy, knows its names. Any
 * other name was made to resolve to this machine. Elsewhere a proxy may rewrite the Host, even if PUBLIC_URL is set, so it is not compared;
 * pages of other sites are refused by their Origin.
 */
function isTrustedHost({ headers }: FastifyRequest, { host: boundTo, publicUrl }: Config): boolean {
  const { host } = headers
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  if (!isLocal(boundTo === '::1' ? '[::1]' : boundTo) || isLocal(hostname)) return true
  return publicUrl !== undefined && new URL(publicUrl).hostname === hostname
}

/**
 * Protects a service on the user's machine against DNS rebinding: a browser sends the Origin of the page, which must be on this machine or
 * listed in CORS_ORIGINS. Programs send no Origin.
 */
function isTrustedOrigin({ headers }: FastifyRequest, allowed: Config['corsOrigins']): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (allowed !== '*' && allowed.includes(origin)) return true
  return (
    URL.canParse(origin) && isLocal(new URL(origin).hostname) && isLocal(new URL(`http://${host}`).hostname)
  )
}

function isLocal(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** The request in the form that the SDK reads: it compares the headers with the message. */
function toFetch({ headers, url }: FastifyRequest): Request {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    // Connection headers have no meaning here, and the SDK never sees the key.
    if (/^(?:connection|content-length|transfer-encoding|host|authorization|cookie|expect)$/.test(name))
      continue
    for (const one of [value ?? []].flat()) sent.append(name, one)
  }
  return new Request(new URL(url, 'http://localhost'), { method: 'POST', headers: sent })
}
