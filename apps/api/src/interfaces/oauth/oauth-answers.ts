// Responses of the OAuth endpoints that do not come from oidc-provider: pages with their headers, and refusals.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorPage, PATHS } from '../../money/oauth.ts'
import { refuseGuesser } from '../../requests/engine.ts'

const HTML = 'text/html; charset=utf-8'
/** Maximum bytes of a query and of a client's metadata. Anyone can send these, and they are stored. */
const MAX_PARAMETERS = 4 * 1024
/** Maximum bytes of any other body that oidc-provider reads. Client assertions are longer than parameters. */
const MAX_BODY_BYTES = 8 * 1024

/**
 * Refuses a request that is too long. A body without an announced length is cut off while it is read. undefined: the request may be passed
 * on.
 */
export function refuseLarge(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { url, headers, raw, routeOptions } = request
  const bound = routeOptions.url === PATHS.registration ? MAX_PARAMETERS : MAX_BODY_BYTES
  const queryAt = url.indexOf('?')
  const query = queryAt === -1 ? 0 : url.length - queryAt - 1
  if (query > MAX_PARAMETERS || Number(headers['content-length'] ?? 0) > bound) {
    reply.header('connection', 'close')
    return refuseRequest(request, reply, 413, 'invalid_request', 'The request is too large.')
  }
  boundBody(raw, bound)
  return undefined
}

/** Cuts off a body without an announced length. oidc-provider reads it through this iterator. */
function boundBody(raw: IncomingMessage, bound: number): void {
  const iterate = raw.iterator.bind(raw)
  Object.assign(raw, {
    async *iterator(options: { readonly destroyOnReturn?: boolean }) {
      let size = 0
      for await (const chunk of iterate(options) as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > bound) throw new Error(`The body has more than ${bound} bytes.`)
        yield chunk
      }
    },
  })
}

/** Paths that browsers open. */
const PAGES: readonly (string | undefined)[] = [PATHS.authorization, '/oauth/consent/:uid']

/** A refusal in the form of oidc-provider's, or a page for browsers. */
function refuseRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: string,
  description: string,
): FastifyReply {
  reply.code(status)
  if (PAGES.includes(request.routeOptions.url)) return sendHtml(reply, errorPage(error, description))
  return reply
    .header('cache-control', 'no-store')
    .type('application/json')
    .send({ error, error_description: description })
}

export function refuseTooMany(request: FastifyRequest, reply: FastifyReply, waitMs: number): FastifyReply {
  const { retryAfterS } = refuseGuesser(waitMs)
  reply.header('retry-after', String(retryAfterS))
  const description = `Too many requests came from your address. Try again in ${retryAfterS} seconds.`
  return refuseRequest(request, reply, 429, 'temporarily_unavailable', description)
}

/** The client of an open authorization request no longer exists. */
export function sendWithoutClient(reply: FastifyReply): FastifyReply {
  const description = 'The registration of the application has ended, or its description cannot be read now.'
  return sendHtml(reply.code(400), errorPage('invalid_client', description))
}

export function sendExpired(reply: FastifyReply): FastifyReply {
  return sendHtml(
    reply.code(400),
    errorPage('expired', 'The request has expired, or was finished in another tab.'),
  )
}

export function sendHtml(reply: FastifyReply, html: string, formAction = "form-action 'none'"): FastifyReply {
  return reply.headers(pageHeaders(formAction)).type(HTML).send(html)
}

function pageHeaders(formAction: string): Record<string, string> {
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; base-uri 'none'; ${formAction}; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    // Not no-referrer, with which browsers would send the form without its origin.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
}

/**
 * oidc-provider derives its URLs from the request's headers. They are set to those of PUBLIC_URL, whatever the client or a proxy has sent.
 */
export function prepare({ headers }: IncomingMessage, response: ServerResponse, publicUrl: string): void {
  const { host, protocol } = new URL(publicUrl)
  headers.host = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  delete headers['x-forwarded-host']
  for (const [name, value] of Object.entries(pageHeaders("form-action 'self'")))
    response.setHeader(name, value)
}
