// The HTTP server around the answers: writing them out, browsers (CORS), and requests that are no valid HTTP. Sizes and
// times that a request may take are those of the service.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errorStatuses, formatMessage, openapi } from '@lotline/contract'
import type { Answer } from './answer.ts'
import { createId } from './ids.ts'
import { type Reply, refusalReply } from './reply.ts'

/** What is known of a request: an `IncomingMessage` of Node is one. */
export interface MockRequest {
  readonly method?: string | undefined
  /** The path with the query. */
  readonly url?: string | undefined
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Called with every response. */
export type Listener = (request: MockRequest, reply: Reply) => void

/** The maximum size of the request line and the headers together, in bytes. */
const MAX_HEADER_BYTES = 16 * 1024
/** The maximum URL length of the service, in bytes. */
const MAX_URL_BYTES = 12 * 1024
/** The time limits for the headers and for the whole request, in milliseconds. */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
/** How often the two are looked at; Node would look every 30 s. Milliseconds. */
const TIMEOUT_CHECK_MS = 1000
/** A request line longer than this is refused as such, rather than that its headers are too large. Bytes. */
const LONG_REQUEST_LINE_BYTES = 12 * 1024

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': Object.keys(openapi.components.headers ?? {}).join(', '),
}

export function createMockServer(answer: Answer, listener: Listener): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  })
  server.on('request', (request, response) => {
    if (request.method === 'OPTIONS') return answerPreflight(request, response)
    void answer(request)
      .catch((error: unknown) => {
        // A client that disconnected in the middle of a body gets no response; anything else is a fault of the mock.
        if (!request.destroyed) console.error(error)
        return refusalReply(
          { code: 'internal_error', message: 'The mock failed. See its output for the reason.' },
          createId('req'),
        )
      })
      .then((reply) => {
        const { status, headers, body } = reply
        const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
        response.writeHead(status, { ...headers, ...length, ...CORS }).end(body)
        listener(request, reply)
      })
  })
  server.on('clientError', answerClientError)
  return server
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(204, {
      ...CORS,
      'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
      'Access-Control-Allow-Headers':
        request.headers['access-control-request-headers'] ??
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, X-Max-Credits',
      'Access-Control-Max-Age': '86400',
      Vary: 'Access-Control-Request-Headers',
    })
    .end()
}

interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, message } = toRefusal(error)
  const { headers, body = '' } = refusalReply({ code, message, anonymous: true }, createId('req'))
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  // A status line without a reason phrase is valid, and clients do not read the phrase.
  socket.end(`HTTP/1.1 ${errorStatuses[code][0]} \r\n${head}\r\n${body}`)
}

function toRefusal({ code, rawPacket }: ParserError): { code: ErrorCode; message: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const requestLineBytes = rawPacket?.indexOf('\r\n') ?? 0
    return requestLineBytes === -1 || requestLineBytes > LONG_REQUEST_LINE_BYTES
      ? { code: 'uri_too_long', message: formatMessage('uri_too_long', 'url', { bound: MAX_URL_BYTES }) }
      : {
          code: 'headers_too_large',
          message: formatMessage('headers_too_large', 'headers', { bound: MAX_HEADER_BYTES }),
        }
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', message: formatMessage('request_timeout', 'slow', {}) }
  }
  return { code: 'invalid_parameter', message: formatMessage('invalid_parameter', 'not_http', {}) }
}
