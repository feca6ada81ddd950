// Refuses requests before the key is checked: invalid HTTP, and headers that are too large or too slow. If there is no complete request,
// the connection gets the error envelope and is closed.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errorDocUrl, formatMessage } from '@lotline/contract'
import type { ConnectionError, FastifyHttpOptions } from 'fastify'
import { createRequestId } from '../../requests/engine.ts'

/** Request line and headers together, in bytes. */
export const HEADER_LIMIT_BYTES = 16 * 1024
export const URL_LIMIT_BYTES = 12 * 1024
/**
 * The limit of the parser. The parser does not report whether the URL or the headers were too large, and it sees the headers in the chunks
 * of the network. So it accepts more than the service does, and `refuseHead` decides.
 */
const PARSER_LIMIT_BYTES = 32 * 1024

const URI_TOO_LONG = formatMessage('uri_too_long', 'url', { bound: URL_LIMIT_BYTES })
const HEADERS_TOO_LARGE = formatMessage('headers_too_large', 'headers', { bound: HEADER_LIMIT_BYTES })

export type HttpLimits = typeof httpLimits

export const httpLimits = {
  // The time to send the whole request. Must exceed the time for the headers alone.
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  http: {
    maxHeaderSize: PARSER_LIMIT_BYTES,
    // Node's own refusal has no body; refuseHead sends one.
    requireHostHeader: false,
    headersTimeout: 15_000,
    // How often the two limits above are checked.
    connectionsCheckingInterval: 1000,
  },
  routerOptions: { maxParamLength: PARSER_LIMIT_BYTES },
} satisfies FastifyHttpOptions<Server>

export function answerClientError(error: ConnectionError, socket: Socket): void {
  if (socket.destroyed || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, reason, code, message } = answerOf(error)
  const requestId = createRequestId()
  const body = JSON.stringify({ error: { code, message, doc_url: errorDocUrl(code), request_id: requestId } })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function answerOf(error: ConnectionError): {
  status: number
  reason: string
  code: ErrorCode
  message: string
} {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    // The chunk that passed the limit: a URL that is too long fills all of it.
    const isWithinUrl = !Buffer.from(error.rawPacket as unknown as Uint8Array).includes('\r\n')
    return isWithinUrl
      ? { status: 414, reason: 'URI Too Long', code: 'uri_too_long', message: URI_TOO_LONG }
      : {
          status: 431,
          reason: 'Request Header Fields Too Large',
          code: 'headers_too_large',
          message: HEADERS_TOO_LARGE,
        }
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      status: 408,
      reason: 'Request Timeout',
      code: 'request_timeout',
      message: formatMessage('request_timeout', 'slow', {}),
    }
  }
  return {
    status: 400,
    reason: 'Bad Request',
    code: 'invalid_parameter',
    message: formatMessage('invalid_parameter', 'not_http', {}),
  }
}
