// Responses: status, headers, and a body in the format that was asked for. A front end sends them as they are.

import type { ErrorCode } from '@lotline/contract'
import { ignoredHeader } from '@lotline/contract/checks'
import { toCsv, toNdjson } from '../../domain/formats.ts'
import type { Refusal } from '../../infrastructure/refusals.ts'
import { availableCredits, type Balance } from '../../money/credits.ts'
import type { Admission } from '../../money/limits.ts'
import type { KeylessRefusal } from '../../money/oauth.ts'
import type { Call } from './call.ts'
import {
  type Body,
  JsonText,
  type Page,
  type PricedResult,
  type SettledResult,
  type Table,
} from './operation-result.ts'
import { toProblem } from './problem.ts'

/** What a call is answered with. */
export interface CallResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Whole; whole in parts, to be sent one after the other; or in pieces of which the next is made when the one before has been
   * sent. undefined: there is none.
   */
  readonly body: string | Buffer | BodyParts | AsyncIterable<string | Buffer> | undefined
  /** Set where it is an error. */
  readonly code?: ErrorCode
  /** Whether the call was refused because its address guesses keys. Such calls are counted, and not logged one by one. */
  readonly isGuess?: true
}

/** All there. They are not joined: a copy of a record's 15 kB costs more than the call's other work on its text. */
export type BodyParts = readonly (string | Buffer)[]

/** For a client that has disconnected: nothing is sent. */
export const CLIENT_DISCONNECTED_RESPONSE: CallResponse = { status: 499, headers: {}, body: undefined }

/** Without a charset, which JSON has not (RFC 8259, section 11): clients of oapi-codegen compare the whole header field. */
const JSON_TYPE = 'application/json'
const RESO_TYPE = 'application/vnd.reso+json'
/** Which dictionary and resource the values are of. */
const RESO_CONTEXT = 'urn:reso:metadata:2.0:resource:property'
const ESTIMATE_TYPE = 'application/vnd.lotline.estimate+json'
const MEDIA_TYPE_BY_FORMAT: Readonly<Record<Page['format'], string>> = {
  json: JSON_TYPE,
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}
/** Of every 503: a restart of the database is over by then. */
const RETRY_AFTER_S = 2

/** @param headers are changed: they become those of the response */
export function refusalResponse(
  refusal: Refusal | KeylessRefusal,
  requestId: string,
  headers: Record<string, string> = {},
): CallResponse {
  const { status, body } = toProblem(refusal, requestId)
  return {
    status,
    headers: Object.assign(headers, refusalHeaders(refusal, status)),
    body,
    code: refusal.code,
  }
}

/** The header fields that a refusal has by itself. */
function refusalHeaders(refusal: Refusal | KeylessRefusal, status: number): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE }
  if ('account' in refusal) {
    const { balance, held, rateLimitPerMinute: limit } = refusal.account
    setCredits(headers, 0, { balance, held })
    // A new key has made no calls.
    Object.assign(headers, rateLimitHeaders({ admitted: true, limit, remaining: limit, resetMs: 0 }))
  }
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="lotline"'
  if (refusal.retryAfterS !== undefined) headers['retry-after'] = String(refusal.retryAfterS)
  else if (status === 503) headers['retry-after'] = String(RETRY_AFTER_S)
  return headers
}

/** Uses the call's headers up. */
export function bodyResponse(call: Call, status: number, body: Body | undefined): CallResponse {
  const { headers, requestId } = call
  if (!body) {
    setIgnored(call)
    return { status, headers, body }
  }
  headers['content-type'] = JSON_TYPE
  if (status === 201 || status === 202) headers.location = createdResourceLocation(call, status, body)
  return { status, headers, body: serialize(withIgnored(body, call.ignored), requestId) }
}

/** The path of what the call has created: of a job, or of a member of the list that it was sent to. */
function createdResourceLocation({ endpoint }: Call, status: 201 | 202, { data }: Body): string {
  const { id, job_id } = data as { readonly id?: string; readonly job_id?: string }
  return status === 202 ? `/v1/jobs/${job_id}` : `${endpoint}/${id}`
}

/** The body that also names what of the input was not used. Where everything was, it is the body itself. */
function withIgnored(body: Body, ignored: readonly string[] | undefined): Body {
  return ignored ? { ...body, meta: { ...body.meta, ignored } } : body
}

/** What `meta.ignored` says, for answers that are not JSON. */
function setIgnored({ headers, ignored }: Call): void {
  if (ignored) headers['x-ignored-input'] = ignoredHeader(ignored)
}

/** What was delivered, as far as it was granted. Uses the call's headers up. */
export function resultResponse(
  call: Call,
  delivery: PricedResult,
  settled: Pick<SettledResult, 'granted' | 'truncatedBy'>,
): CallResponse {
  const { granted, truncatedBy } = settled
  const { status, page, table } = delivery
  if (delivery.replayed) call.headers['idempotent-replayed'] = 'true'
  if (delivery.isEstimate) return estimateResponse(call, delivery)
  if (page) return pageResponse(call, page)
  if (table) setRowHeaders(call.headers, table, settled)
  if (table && table.format !== 'json') return tableResponse(call, table, granted)
  const whole = delivery.body(granted)
  const body =
    whole && truncatedBy !== null
      ? { ...whole, meta: { ...whole.meta, truncated: true, truncated_by: truncatedBy } }
      : whole
  return delivery.isReso && body ? resoResponse(call, status, body) : bodyResponse(call, status, body)
}

/** RESO Common Format, with `meta` and `request_id` beside it. */
function resoResponse(call: Call, status: number, body: Body): CallResponse {
  const { data, meta } = withIgnored(body, call.ignored)
  call.headers['content-type'] = RESO_TYPE
  const value = { '@reso.context': RESO_CONTEXT, value: data, meta, request_id: call.requestId }
  return { status, headers: call.headers, body: JSON.stringify(value) }
}

/** What the call would cost, instead of the call. */
function estimateResponse(call: Call, { status, body }: PricedResult): CallResponse {
  const response = bodyResponse(call, status, body(0))
  call.headers['content-type'] = ESTIMATE_TYPE
  call.headers['preference-applied'] = 'dry-run'
  return response
}

/** What `meta` says in JSON, for readers of CSV and NDJSON too. */
function setRowHeaders(
  headers: Record<string, string>,
  table: Table,
  { granted, truncatedBy }: Pick<SettledResult, 'granted' | 'truncatedBy'>,
): void {
  headers['x-row-count'] = String(Math.min(granted, table.rows.length))
  if (table.total !== undefined) headers['x-total-count'] = String(table.total)
  if (truncatedBy) headers['x-truncated-by'] = truncatedBy
  const next = table.nextAfter?.(granted)
  if (next !== undefined) headers['x-next-cursor'] = next
  if (table.source !== undefined) headers['x-data-source'] = table.source
  if (table.next !== undefined) headers.link = `<${table.next}>; rel="next"`
}

/** Rows as CSV or NDJSON. */
function tableResponse(call: Call, { format, rows: all }: Table, granted: number): CallResponse {
  const { headers } = call
  setIgnored(call)
  const rows = all.slice(0, granted)
  headers['content-type'] = MEDIA_TYPE_BY_FORMAT[format]
  return { status: 200, headers, body: format === 'csv' ? toCsv(rows) : toNdjson(rows) }
}

/** Stored rows, as fast as they are read. */
function pageResponse(call: Call, page: Page): CallResponse {
  const { headers } = call
  if (page.format !== 'json') setIgnored(call)
  headers['x-row-count'] = String(page.count)
  headers['x-total-count'] = String(page.total)
  if (page.truncatedBy) headers['x-truncated-by'] = page.truncatedBy
  if (page.source !== undefined) headers['x-data-source'] = page.source
  if (page.next !== undefined) headers.link = `<${page.next}>; rel="next"`
  headers['content-type'] = MEDIA_TYPE_BY_FORMAT[page.format]
  return { status: 200, headers, body: page.text }
}

export function setCredits(
  headers: Record<string, string>,
  charged: number,
  { balance, held, keyLeft }: Balance,
): void {
  headers['x-credits-charged'] = String(charged)
  headers['x-credits-remaining'] = String(availableCredits({ balance, held }))
  if (typeof keyLeft === 'number') headers['x-key-credits-remaining'] = String(keyLeft)
}

/** A client may keep the response, but asks with its tag before each use: it may have changed, and its account may be closed. */
export function setTag(headers: Record<string, string>, tag: string): void {
  headers.etag = tag
  headers['cache-control'] = 'private, no-cache'
}

/** If the cost of the call is unknown, the header is left out. */
export function unsetCredits(headers: Record<string, string>): void {
  delete headers['x-credits-charged']
  delete headers['x-credits-remaining']
  delete headers['x-key-credits-remaining']
}

/** IETF draft "RateLimit header fields for HTTP": the policy (q calls in w seconds) and where the key stands (r left). */
export function rateLimitHeaders({ limit, remaining, resetMs }: Admission): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${limit};w=60`,
    ratelimit: `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
  }
}

/** Plain JSON, with data that is text already spliced in: a cached record is never parsed to be sent. */
function serialize(body: Body, requestId: string): string | BodyParts {
  const { data } = body
  if (!(data instanceof JsonText)) return JSON.stringify({ ...body, request_id: requestId })
  return ['{"data":', data.bytes, `,${textBeside(body)}"request_id":"${requestId}"}`]
}

const textsBeside = new WeakMap<Body, string>()

/** The members of a body beside its data, as JSON with a comma behind each. The body of a cached record is sent many times. */
function textBeside(body: Body): string {
  const known = textsBeside.get(body)
  if (known !== undefined) return known
  const { data: _, ...rest } = body
  const members = JSON.stringify(rest).slice(1, -1)
  const text = members === '' ? '' : `${members},`
  textsBeside.set(body, text)
  return text
}

/** All of a body as text, for front ends that read a response instead of sending it. */
export async function textOfBody(body: CallResponse['body']): Promise<string> {
  if (body === undefined) return ''
  if (typeof body === 'string' || Buffer.isBuffer(body)) return String(body)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8')
}
