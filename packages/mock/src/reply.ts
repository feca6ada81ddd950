// An answer as it goes over the wire: the status, the headers that the contract documents for it, and the body with the
// id of this very request in it. Values that an example cannot know (what was charged, how many rows) are computed.

import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type ErrorCode,
  errorDocUrl,
  errorStatuses,
  type OperationId,
  openapi,
  operations,
  price,
} from '@lotline/contract'
import { ignoredHeader } from '@lotline/contract/checks'
import { resolve } from '@lotline/contract/nodes'
import type { Example } from './examples.ts'
import type { Refusal } from './refusal.ts'
import type { RowFacts } from './rows.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** undefined if the response has no body. */
  readonly body: string | undefined
  /** The error code of an error response. */
  readonly code?: string | undefined
}

const HEADERS_OF_EVERY_REPLY = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
const HEADERS_OF_KNOWN_CALLERS = {
  'X-Credits-Charged': '0',
  'X-Credits-Remaining': shown('X-Credits-Remaining'),
  'RateLimit-Policy': shown('RateLimit-Policy'),
  RateLimit: shown('RateLimit'),
}

/** A refusal in the error envelope. */
export function refusalReply(refusal: Refusal, requestId: string): Reply {
  const { code, message, details, headers, anonymous } = refusal
  return {
    status: errorStatuses[code][0] ?? 500,
    headers: {
      ...HEADERS_OF_EVERY_REPLY,
      'X-Request-Id': requestId,
      ...(!anonymous && HEADERS_OF_KNOWN_CALLERS),
      ...headers,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      error: {
        code,
        message,
        doc_url: errorDocUrl(code),
        ...(details && { details }),
        request_id: requestId,
      },
    }),
    code,
  }
}

/**
 * An example of the contract.
 *
 * @param page its body, or the page of it that was asked for
 * @param next path and query of the page after it; used only if the facts say that there is one
 */
export function exampleReply(
  operationId: OperationId,
  example: Example,
  page: unknown,
  facts: RowFacts,
  next: string,
  requestId: string,
): Reply {
  const { status, mediaType = '', headers: documented } = example
  const isEstimate = mediaType === 'application/vnd.lotline.estimate+json'
  const code = (page as { error?: { code: string } } | undefined)?.error?.code
  const values: Readonly<Record<string, string | undefined>> = {
    ...documented,
    'X-Request-Id': requestId,
    'X-Credits-Charged': String(status === 200 && !isEstimate ? mockCharge(operationId, page, facts) : 0),
    Location: createdResourcePath(operationId, status, page),
    // The keys of the mock have no credit limit.
    'X-Key-Credits-Remaining': undefined,
    'Preference-Applied': isEstimate ? 'dry-run' : undefined,
    ...(code === 'out_of_credits' && { 'X-Credits-Remaining': '0' }),
    ...(code === 'rate_limited' && { RateLimit: `"default";r=0;t=${documented['Retry-After']}` }),
    // The mock stores nothing, so no response is a replay.
    'Idempotent-Replayed': undefined,
    'X-Row-Count': facts.count?.toString(),
    'X-Total-Count': facts.total?.toString(),
    'X-Truncated-By': facts.truncatedBy,
    'X-Next-Cursor': facts.nextCursor,
    'X-Data-Source': readSource(page) ?? (typeof page === 'string' ? documented['X-Data-Source'] : undefined),
    'X-Ignored-Input': facts.ignored && ignoredHeader(facts.ignored),
    Link: facts.hasMore ? `<${next}>; rel="next"` : undefined,
  }
  const headers: Record<string, string> = { ...HEADERS_OF_EVERY_REPLY }
  for (const name of Object.keys(documented)) {
    const value = values[name]
    if (value !== undefined) headers[name] = value
  }
  if (page === undefined) return { status, headers, body: undefined }
  headers['Content-Type'] = mediaType === 'text/csv' ? `${mediaType}; charset=utf-8` : mediaType
  const body = typeof page === 'string' ? page : JSON.stringify(withRequestId(page as object, requestId))
  return { status, headers, body, code }
}

/** The path of what a call has created. */
function createdResourcePath(operationId: OperationId, status: number, body: unknown): string | undefined {
  const { id, job_id } = (body as { data?: { id?: string; job_id?: string } } | undefined)?.data ?? {}
  if (status === 202) return `/v1/jobs/${job_id}`
  return status === 201 ? `${operations[operationId].path}/${id}` : undefined
}

/** In credits. What `meta` does not count, such as a building's own record, is free. */
function mockCharge(operationId: OperationId, body: unknown, { count }: RowFacts): number {
  const data = (body as { data?: unknown } | undefined)?.data
  return price(operationId, null, count ?? (Array.isArray(data) ? data.length : 1))
}

function readSource(body: unknown): string | undefined {
  return (body as { meta?: { source?: { name: string } } } | undefined)?.meta?.source?.name
}

function withRequestId(body: { error?: { code: ErrorCode } }, requestId: string): object {
  return body.error
    ? { ...body, error: { ...body.error, doc_url: errorDocUrl(body.error.code), request_id: requestId } }
    : { ...body, request_id: requestId }
}

/** The value that the contract shows for a header. */
function shown(header: string): string {
  return String(resolve(openapi.components.headers?.[header]).example)
}

/**
 * The reply with its tag, where the operation has tags: a free 304 if the caller has the same already. The same key, request,
 * and example have the same tag.
 */
export function withTag(
  reply: Reply,
  given: { readonly operationId: OperationId; readonly requestId: string; readonly target: string },
  { authorization, accept, 'if-none-match': sent = '' }: IncomingHttpHeaders,
): Reply {
  if (
    reply.status !== 200 ||
    'Preference-Applied' in reply.headers ||
    !(304 in operations[given.operationId].statuses)
  )
    return reply
  // Two examples that differ only in the id of the request are the same.
  const body = reply.body?.replaceAll(given.requestId, '')
  const facts = JSON.stringify([authorization, given.target, accept, body])
  const tag = createHash('sha256').update(facts).digest('base64url').slice(0, 32)
  const headers = {
    ...reply.headers,
    ETag: `W/"${tag}"`,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Accept, Accept-Encoding',
  }
  if (![...sent.matchAll(/(?:W\/)?"([^"]*)"/g)].some(([, opaque]) => opaque === tag))
    return { ...reply, headers }
  const { 'Content-Type': _, ...rest } = headers as Record<string, string>
  return { status: 304, headers: { ...rest, 'X-Credits-Charged': '0' }, body: undefined }
}
