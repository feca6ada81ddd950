// POST /mcp: the tools of the API for agents, over the Model Context Protocol. It is stateless: each request is answered by
// itself, without sessions or cookies. The protocol is the SDK's; a tool's work is a call of the engine (mcp/tool-server.ts).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { oauthOriginOf } from '../config/oauth-config.ts'
import { authenticate } from '../engine/authenticate.ts'
import { readBody } from '../engine/call.ts'
import type { Engine } from '../engine/engine.ts'
import { statusOf } from '../engine/problem.ts'
import { refusalResponse } from '../engine/response.ts'
import type { Exchange, ToolServer } from '../mcp/tool-server.ts'
import { isRefusal, type Refusal, refuseFor } from '../platform/refusal.ts'
import { RequestBody } from './calls.ts'
import { challengeOf } from './oauth.ts'

export interface McpParts {
  readonly app: App
  readonly engine: Engine
  /** The address that a request comes from, for the limit on failed keys. */
  readonly addressOf: (request: FastifyRequest['raw']) => string
}

/** Codes of JSON-RPC and of MCP. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
/** For reasons of the server's own: a key that is refused. */
const SERVER_ERROR = -32000

export async function serveMcp(server: FastifyInstance, { app, engine, addressOf }: McpParts): Promise<void> {
  // Loaded with the first request: a service without agents does not pay for it.
  let loading: Promise<ToolServer> | undefined
  const tools = () => {
    loading ??= import('../mcp/tool-server.ts').then(({ createToolServer }) => createToolServer(app, engine))
    return loading
  }
  server.removeAllContentTypeParsers()
  // The body is read below, within its bound and after the request was judged.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))

  server.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/mcp',
    handler(request, reply) {
      reply.header('allow', 'POST')
      const values = { method: request.method, allowed: ['POST'] }
      return refuse(request, reply, refuseFor('method_not_allowed', 'method', values))
    },
  })

  server.post('/mcp', async (request, reply) => {
    if (!isTrustedHost(request, app.config)) return answerFault(reply, 403, INVALID_REQUEST, WRONG_HOST)
    if (!isTrustedOrigin(request, app.config.corsOrigins)) {
      return answerFault(reply, 403, INVALID_REQUEST, 'The Origin of the request is not allowed.')
    }
    const sent = new RequestBody(request.raw)
    const read = await readBody(sent)
    if (sent.tooLong) reply.header('connection', 'close')
    if (isRefusal(read)) {
      const isSyntax = read.code === 'invalid_json' || read.code === 'missing_input'
      const fault = isSyntax ? PARSE_ERROR : INVALID_REQUEST
      return answerFault(reply, isSyntax ? 400 : statusOf(read.code), fault, read.message)
    }
    const message = read.value
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      return answerFault(reply, 400, INVALID_REQUEST, 'Send one JSON-RPC message. There are no batches.')
    }
    const { method, id } = message as { readonly method?: unknown; readonly id?: unknown }
    if (method === 'subscriptions/listen') {
      // The list of tools changes only with a new version of the service.
      return answerFault(reply, 404, METHOD_NOT_FOUND, 'There are no subscriptions.', id)
    }
    const { authorization } = request.headers
    const address = addressOf(request.raw)
    if (method === 'tools/call') {
      const identity = await authenticate(app, authorization, address)
      if (isRefusal(identity)) return refuse(request, reply, identity, id, oauthOriginOf(app.config))
      if ('refusal' in identity) {
        app.observer.guessRefused()
        reply.header('retry-after', String(identity.retryAfterS))
        return refuse(request, reply, identity.refusal, id, oauthOriginOf(app.config))
      }
    }
    const exchange: Exchange = { authorization, address, requestId: request.id, isDisconnected: false }
    reply.raw.on('close', () => {
      if (reply.raw.writableFinished) return
      exchange.isDisconnected = true
      exchange.onDisconnect?.()
    })
    const response = await (await tools()).answer(toFetch(request), message, exchange)
    const body = await response.text()
    reply.code(response.status)
    const type = response.headers.get('content-type')
    if (type) reply.header('content-type', type)
    return reply.header('cache-control', 'no-store').send(body === '' ? undefined : body)
  })
}

/**
 * Refuses by the rules of the API, with its status and headers. A JSON-RPC request gets a JSON-RPC error that has its id, with the
 * error of the API as `data`; what is no JSON-RPC request gets the error envelope of the API.
 */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  id?: unknown,
  publicUrl?: string,
): FastifyReply {
  const { status, headers, body, code } = refusalResponse(refusal, request.id)
  request.refusedAs = code
  reply.headers(headers)
  const challenge = challengeOf(publicUrl, request.headers.authorization !== undefined)
  if (status === 401 && challenge !== undefined) reply.header('www-authenticate', challenge)
  if (!isId(id)) return reply.code(status).send(body)
  const { error } = JSON.parse(String(body))
  return answerFault(reply, status, SERVER_ERROR, refusal.message, id, error)
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
 * A service that only its own machine can reach, directly or through a proxy on it, knows the names that it is called by. Any other is a
 * name that someone had resolved to this machine (DNS rebinding).
 */
function isTrustedHost({ headers }: FastifyRequest, { host: boundTo, publicUrl }: App['config']): boolean {
  const { host } = headers
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  if (!isLocal(boundTo === '::1' ? '[::1]' : boundTo) || isLocal(hostname)) return true
  return publicUrl !== undefined && new URL(publicUrl).hostname === hostname
}

/**
 * A page in a browser sends its origin: it must be on this machine or named in CORS_ORIGINS. This protects a service on the
 * user's machine from pages whose name was resolved to it (DNS rebinding). Programs send no Origin.
 */
function isTrustedOrigin({ headers }: FastifyRequest, allowed: App['config']['corsOrigins']): boolean {
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

/** The request as the SDK reads it: its headers are compared with the message. */
function toFetch({ headers, url }: FastifyRequest): Request {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    // Of no meaning behind the connection; the SDK never sees the key.
    if (/^(?:connection|content-length|transfer-encoding|host|authorization|cookie|expect)$/.test(name))
      continue
    for (const one of [value ?? []].flat()) sent.append(name, one)
  }
  return new Request(new URL(url, 'http://localhost'), { method: 'POST', headers: sent })
}
