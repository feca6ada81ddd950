// Putting an answer on the wire: headers that every answer carries, the body in the format that was asked for, and
// knowing when it is out or the caller is gone.

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { toCsv } from '../formats/csv.ts'
import { toNdjson } from '../formats/ndjson.ts'
import type { Refusal } from '../refusal.ts'
import type { Admission } from '../traffic/traffic.ts'
import { type Body, JsonText, type Page, type Table } from './outcome.ts'
import { problemOf } from './problem.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
/** Of every 503: a restart of the database is over by then. */
const RETRY_AFTER_S = 2

export function sendProblem(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, body } = problemOf(refusal, reply.request.id)
  reply.request.refusedAs = refusal.code
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="lotline"')
  if (status === 503) reply.header('retry-after', String(RETRY_AFTER_S))
  return reply.code(status).header('content-type', JSON_TYPE).send(body)
}

export function sendBody(reply: FastifyReply, status: number, body: Body | undefined): FastifyReply {
  reply.code(status)
  if (!body) return reply.send()
  return reply.header('content-type', JSON_TYPE).send(serialize({ ...body, request_id: reply.request.id }))
}

/** What `meta` says in JSON, for readers of CSV and NDJSON too. */
export function setRowHeaders(reply: FastifyReply, table: Table, granted: number): void {
  reply.header('x-row-count', String(Math.min(granted, table.rows.length)))
  if (table.total !== undefined) reply.header('x-total-count', String(table.total))
  if (granted < table.rows.length) reply.header('x-truncated-by', 'credits')
}

/** Rows as CSV or NDJSON. */
export function sendTable(reply: FastifyReply, table: Table, granted: number): FastifyReply {
  const rows = table.rows.slice(0, granted)
  reply.code(200)
  return table.format === 'csv'
    ? reply.header('content-type', 'text/csv; charset=utf-8').send(Readable.from(toCsv(rows)))
    : reply.header('content-type', 'application/x-ndjson').send(Readable.from(toNdjson(rows)))
}

const PAGE_TYPES: Readonly<Record<Page['format'], string>> = {
  json: JSON_TYPE,
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}

/** Stored rows, as fast as they are read. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  reply.header('x-row-count', String(page.count)).header('x-total-count', String(page.total))
  if (page.truncated) reply.header('x-truncated-by', 'credits')
  if (page.next !== undefined) reply.header('link', `<${page.next}>; rel="next"`)
  return reply.code(200).header('content-type', PAGE_TYPES[page.format]).send(Readable.from(page.text))
}

export function setCredits(reply: FastifyReply, charged: number, available: number): void {
  reply.header('x-credits-charged', String(charged))
  reply.header('x-credits-remaining', String(available))
}

/** Where nobody knows what the call has cost, nothing is said. */
export function unsetCredits(reply: FastifyReply): void {
  reply.removeHeader('x-credits-charged')
  reply.removeHeader('x-credits-remaining')
}

/** IETF draft "RateLimit header fields for HTTP": the policy (q calls in w seconds) and where the key stands (r left). */
export function setRateLimit(reply: FastifyReply, { limit, remaining, resetMs }: Admission): void {
  reply.header('ratelimit-policy', `"default";q=${limit};w=60`)
  reply.header('ratelimit', `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`)
}

/** A response that moves no byte for this long is given up: its reader has stopped, and its key's slot is needed. */
const STALLED_MS = 30_000

/** Calls back once, when the response is out or its connection is gone. */
export function whenOut(response: ServerResponse, callBack: () => void): void {
  if (response.closed || response.destroyed) {
    callBack()
    return
  }
  // What the system has taken whole cannot stall here any more.
  const isTaken = response.writableEnded && response.writableLength === 0
  if (!isTaken) response.setTimeout(STALLED_MS, () => response.destroy())
  // It follows `finish`, and comes without it when the connection breaks.
  response.on('close', callBack)
}

/** Plain JSON, with data that is text already spliced in: a cached record is never parsed to be sent. */
function serialize(body: Readonly<Record<string, unknown>>): string | Buffer {
  const { data, ...rest } = body
  if (!(data instanceof JsonText)) return JSON.stringify(body)
  return Buffer.concat([
    Buffer.from('{"data":'),
    data.bytes,
    Buffer.from(`,${JSON.stringify(rest).slice(1)}`),
  ])
}
