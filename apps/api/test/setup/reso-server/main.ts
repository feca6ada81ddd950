// A server of a RESO feed for tests: a real process that speaks OData 4 over HTTP.
//
//   node main.ts [--port 0]      prints its URL
//
// Under /control a test sets its records, how it behaves (`ServerOptions`), and its faults, and asks what it was asked. The feed
// is below /odata, tokens are issued at /token.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import {
  behindLast,
  disordered,
  emptyPageBefore,
  refusalOf,
  type ServerHabits,
  seedHabits,
  seenFilter,
  skippedRows,
} from './habits.ts'
import { styled } from './lookup-styles.ts'
import { BadQuery, compareRows, findRows, type ODataQuery, type Row, readQuery } from './odata.ts'

/** What can be wrong with a response. */
export type FeedFault =
  /** Never answers. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  /** Half of the compressed body, and then the end of the connection. */
  | { readonly kind: 'truncate' }
  /** A whole response with JSON that ends too early. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'html' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Names a next page on another server. */
  | { readonly kind: 'other-origin'; readonly origin: string }
  /** Names the same page as the next one. */
  | { readonly kind: 'repeat-link' }
  /** Empty pages without end, each with another next page. */
  | { readonly kind: 'empty-pages' }

export interface ServerOptions extends ServerHabits {
  /** `link`: in the Link header. Default: nextLink. */
  readonly paging?: 'nextLink' | 'link'
  /** Next pages by $skip, or by the last row. Default: token. */
  readonly position?: 'skip' | 'token'
  /** `enum`: ActiveUnderContract. Default: lookup, Active Under Contract. */
  readonly lookups?: 'lookup' | 'enum'
  /** Its $top is the number of all records that are asked for: behind the last of them it names no next page. */
  readonly topLimits?: boolean
  /** No page has more. Default: 1,000. */
  readonly maxPage?: number
  /** Refuses what does not accept gzip, before it looks at the token. */
  readonly requiresGzip?: boolean
  /** The bearer token that is valid. */
  readonly token?: string
  /** `client_id:client_secret`; tokens are issued for it, and each is valid for so many calls. */
  readonly client?: { readonly credentials: string; readonly callsPerToken: number }
  /** More calls in a second of the server's clock suspend the credential until the next hour. */
  readonly callsPerSecond?: number
  /** What its clock is ahead of the true time, in milliseconds. */
  readonly clockAheadMs?: number
  /** Its responses have no Date. */
  readonly statesNoTime?: boolean
  /** Make the next page of listings when one has been sent, and keep it: measurements of a client do not wait for it. */
  readonly ahead?: boolean
  /** Other resources than Property, below /odata. */
  readonly resources?: Readonly<Record<string, readonly Row[]>>
}

export interface AskedPage {
  readonly url: string
  readonly authorization: string | null
  readonly encoding: string | null
  readonly status: number
  /** Of a page of listings. */
  readonly keys: readonly string[]
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const records = new Map<string, Row>()
let options: ServerOptions = {}
let fault: { readonly fault: FeedFault; after: number; times: number } | undefined
let asked: AskedPage[] = []
let issued: { readonly token: string; left: number } | undefined
let recent: number[] = []
let violations = 0
let suspendedUntil = 0

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const body = await readText(request)
  if (url.pathname.startsWith('/control/')) {
    const result = control(request.method ?? '', url.pathname.slice('/control/'.length), body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    return
  }
  const made = ready.get(url.href)
  const answer = made?.answer ?? answerOf(request, url, body)
  asked.push({
    url: url.href,
    authorization: request.headers.authorization ?? null,
    encoding: String(request.headers['accept-encoding'] ?? ''),
    status: answer.status,
    keys: answer.keys ?? [],
  })
  const wrong = url.pathname.startsWith('/odata/') ? takeFault() : undefined
  if (options.statesNoTime) response.sendDate = false
  if (made && !wrong) response.writeHead(200, headersOf(answer)).end(made.packed)
  else send(response, answer, wrong, url)
  const { next } = answer
  if (options.ahead && next !== undefined) response.once('finish', () => makeAhead(next))
})

/** Pages that were made when the pages before them had been sent. */
const ready = new Map<string, { readonly answer: ResoResponse; readonly packed: Buffer }>()

function makeAhead(next: string): void {
  const url = new URL(next)
  if (ready.has(url.href)) return
  const query = readQuery(url.searchParams)
  const answer = page(found('Property', records.values(), query), query, url)
  ready.set(url.href, { answer, packed: pack(JSON.stringify(answer.body)) })
}

function pack(text: string): Buffer {
  return gzipSync(text, { level: 1 })
}

interface ResoResponse {
  readonly status: number
  readonly body: object | string
  readonly headers?: Readonly<Record<string, string>>
  readonly keys?: readonly string[]
  /** The address of the next page. */
  readonly next?: string | undefined
}

function headersOf(answer: ResoResponse): Record<string, string> {
  return {
    'content-type': typeof answer.body === 'string' ? 'application/xml' : 'application/json',
    'content-encoding': 'gzip',
    ...(!options.statesNoTime && { date: new Date(Date.now() + (options.clockAheadMs ?? 0)).toUTCString() }),
    ...answer.headers,
  }
}

function answerOf(request: IncomingMessage, url: URL, body: string): ResoResponse {
  if (options.requiresGzip && !/\bgzip\b/.test(String(request.headers['accept-encoding'])))
    return { status: 400, body: { error: { message: 'COMPRESSION REQUIRED' } } }
  const now = Date.now() + (options.clockAheadMs ?? 0)
  if (now < suspendedUntil) {
    violations += 1
    return { status: 429, body: { error: { message: 'suspended' } } }
  }
  if (options.callsPerSecond !== undefined) {
    recent = [...recent.filter((at) => now - at < 1_000), now]
    if (recent.length > options.callsPerSecond) {
      violations += 1
      suspendedUntil = (Math.floor(now / 3_600_000) + 1) * 3_600_000
      return { status: 429, body: { error: { message: 'too many calls' } } }
    }
  }
  if (url.pathname === '/token') return issueToken(body)
  if (!isAuthorized(request.headers.authorization)) return { status: 401, body: { error: { message: 'no' } } }
  if (url.pathname === '/odata/$metadata') return { status: 200, body: metadata() }
  const key = /^\/odata\/Property\('(.*)'\)$/.exec(decodeURIComponent(url.pathname))?.[1]
  if (key !== undefined) return oneRecord(key, url)
  const resource = /^\/odata\/(\w+)(?:\/replication)?$/.exec(url.pathname)?.[1]
  const rows = resource === 'Property' ? records.values() : options.resources?.[resource ?? '']
  if (!rows) return { status: 404, body: { error: { message: 'no such resource' } } }
  try {
    const asked = readQuery(url.searchParams)
    const refusal = refusalOf(asked.filter, options)
    if (refusal !== undefined) throw new BadQuery(refusal)
    const query = { ...asked, filter: seenFilter(asked.filter, options) }
    return page(found(resource, rows, query), query, url)
  } catch (error) {
    if (!(error instanceof BadQuery)) throw error
    return { status: 400, body: { error: { message: error.message } } }
  }
}

function oneRecord(key: string, url: URL): ResoResponse {
  const record =
    options.byKey?.includes('address') === false || options.ignoresKeys ? undefined : records.get(key)
  if (!record) return { status: 404, body: { error: { message: 'no such record' } } }
  return { status: 200, body: shape(record, readQuery(url.searchParams)), keys: [key] }
}

/** The rows of the last query, sorted: the pages of a pass are one query. */
let last: { readonly query: string; readonly rows: readonly Row[] } | undefined

function found(resource: string | undefined, rows: Iterable<Row>, query: ODataQuery): readonly Row[] {
  const name = `${resource}\n${query.filter}\n${query.orderby}`
  if (last?.query !== name) last = { query: name, rows: findRows(rows, query) }
  return last.rows
}

function page(sorted: readonly Row[], query: ODataQuery, url: URL): ResoResponse {
  const { orderby, after } = query
  const all = disordered(sorted, query, options)
  const skip = skippedRows(query.skip, options)
  const behind = Object.fromEntries(orderby.map((field, at) => [field, after?.[at]]))
  const rest = after ? all.filter((row) => compareRows(row, behind, orderby) > 0) : all.slice(skip)
  const size = Math.min(query.top ?? 1_000, options.maxPage ?? 1_000)
  const rows = rest.slice(0, size)
  const last = rows.at(-1)
  const left = options.topLimits ? (query.top ?? 0) - rows.length : undefined
  const isMore = rest.length > rows.length && left !== 0
  const next =
    isMore && last ? nextUrl(url, query, last, query.skip + rows.length, left) : behindLast(url, options)
  const empty = emptyPageBefore(url, options)
  if (empty) return { status: 200, body: empty }
  const inHeader = options.paging === 'link'
  return {
    status: 200,
    body: {
      '@odata.context': `${url.origin}/odata/$metadata#Property`,
      ...(query.count &&
        options.countsWrongBy !== null && { '@odata.count': all.length + (options.countsWrongBy ?? 0) }),
      ...(next !== undefined && !inHeader && { '@odata.nextLink': next }),
      value: rows.map((row) => shape(row, query)),
    },
    headers: next !== undefined && inHeader ? { link: `<${next}>; rel="next"` } : {},
    keys: rows.map(({ ListingKey }) => String(ListingKey)),
    next,
  }
}

function nextUrl(url: URL, { orderby }: ODataQuery, last: Row, skip: number, left?: number): string {
  const next = new URL(url)
  next.searchParams.delete('full')
  if (left !== undefined) next.searchParams.set('$top', String(left))
  if (options.position === 'skip') next.searchParams.set('$skip', String(skip))
  else {
    const token = Buffer.from(JSON.stringify(orderby.map((field) => last[field]))).toString('base64url')
    next.searchParams.set('$skiptoken', token)
  }
  return next.href
}

const EXPANDABLE = new Set(['Media', 'OpenHouse', 'ListAgent', 'ListOffice'])

function shape(row: Row, { select, expand }: ODataQuery): Row {
  const shown = Object.entries(row).filter(
    ([field]) => (select?.includes(field) ?? true) && (!EXPANDABLE.has(field) || expand.includes(field)),
  )
  return Object.fromEntries(shown.map(([field, value]) => [field, styled(field, value, options.lookups)]))
}

function metadata(): string {
  const fields = new Set([...records.values()].flatMap(Object.keys))
  const properties = [...fields].map((name) => `<Property Name="${name}" Type="Edm.String"/>`).join('')
  return `<?xml version="1.0"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="org.reso.metadata" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Property">
<Key><PropertyRef Name="ListingKey"/></Key>${properties}</EntityType></Schema></edmx:DataServices></edmx:Edmx>`
}

function issueToken(body: string): ResoResponse {
  const form = new URLSearchParams(body)
  const given = `${form.get('client_id')}:${form.get('client_secret')}`
  if (form.get('grant_type') !== 'client_credentials' || given !== options.client?.credentials)
    return { status: 400, body: { error: 'invalid_client' } }
  issued = { token: `issued-${Math.random().toString(36).slice(2)}`, left: options.client.callsPerToken }
  return { status: 200, body: { access_token: issued.token, token_type: 'Bearer', expires_in: 28_800 } }
}

function isAuthorized(authorization: string | undefined): boolean {
  if (options.client !== undefined) {
    if (!issued || authorization !== `Bearer ${issued.token}` || issued.left === 0) return false
    issued.left -= 1
    return true
  }
  return options.token === undefined || authorization === `Bearer ${options.token}`
}

function takeFault(): FeedFault | undefined {
  if (!fault) return undefined
  if (fault.after > 0) {
    fault.after -= 1
    return undefined
  }
  fault.times -= 1
  const current = fault.fault
  if (fault.times <= 0) fault = undefined
  return current
}

let emptyPages = 0

function send(response: ServerResponse, answer: ResoResponse, wrong: FeedFault | undefined, url: URL): void {
  let text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  let { status } = answer
  const headers = headersOf(answer)
  const withNext = (next: string, value?: unknown[]) =>
    JSON.stringify({ ...(answer.body as object), ...(value && { value }), '@odata.nextLink': next })
  switch (wrong?.kind) {
    case 'hang':
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'truncate': {
      const packed = gzipSync(text)
      response.writeHead(200, { ...headers, 'content-length': packed.length })
      response.write(packed.subarray(0, packed.length / 2), () => response.destroy())
      return
    }
    case 'malformed':
      text = text.slice(0, text.length / 2)
      break
    case 'html':
      text = '<html><h1>Sign in</h1></html>'
      headers['content-type'] = 'text/html'
      break
    case 'status':
      status = wrong.status
      Object.assign(headers, wrong.headers)
      text = '{}'
      break
    case 'other-origin': {
      const next = `${wrong.origin}${url.pathname}${url.search}`
      if (options.paging === 'link') headers.link = `<${next}>; rel="next"`
      else text = withNext(next)
      break
    }
    case 'repeat-link':
      text = withNext(url.href)
      break
    case 'empty-pages':
      emptyPages += 1
      text = withNext(`${url.href}&empty=${emptyPages}`, [])
  }
  response.writeHead(status, headers).end(pack(text))
}

function control(method: string, path: string, body: string): unknown {
  const given = body === '' ? undefined : JSON.parse(body)
  last = undefined
  ready.clear()
  switch (`${method} ${path}`) {
    case 'PUT records':
      for (const row of given as Row[]) records.set(String(row.ListingKey), row)
      return records.size
    case 'DELETE records':
      for (const key of given as string[]) records.delete(key)
      return records.size
    case 'PUT options':
      options = given
      return null
    case 'PUT seed':
      seedHabits(given as number)
      return null
    case 'GET records':
      return [...records.keys()]
    case 'PUT fault':
      fault = { after: 0, times: 1, ...given }
      return null
    case 'DELETE fault':
      fault = undefined
      return null
    case 'GET asked': {
      const all = asked
      asked = []
      return all
    }
    case 'GET violations':
      return violations
    case 'PUT reset':
      records.clear()
      options = {}
      fault = undefined
      asked = []
      recent = []
      issued = undefined
      violations = 0
      suspendedUntil = 0
      return null
    default:
      throw new Error(`no control ${method} ${path}`)
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

server.listen({ port: Number(values.port), host: '127.0.0.1' }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
