// The transport of the API: a request becomes the facts and the input of a call, and what the engine answers becomes
// bytes. All of it happens in one hook. Fastify finds the route, and no body is read and nothing is judged by it.

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import { type ErrorCode, type OperationId, operations } from '@lotline/contract'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import Negotiator from 'negotiator'
import type { Logger } from 'pino'
import type { App } from '../app.ts'
import { BODY_LIMIT_BYTES, type BodyBytes, Call, createRequestId } from '../engine/call.ts'
import type { Engine } from '../engine/engine.ts'
import { type BodyParts, type CallResponse, CLIENT_GONE } from '../engine/response.ts'
import type { Observer, RequestTrace } from '../platform/observer.ts'
import { type CallLog, createCallLog } from './call-log.ts'
import { type HttpLimits, httpLimits } from './http-limits.ts'
import { sourceAddressReader } from './source-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the call is admitted (calls.ts). */
    call: Call | undefined
    /** Whether it is under /v1 or a call of a tool, and so is one to be admitted. */
    isCall: boolean | undefined
    /** Set when it is answered with an error code. */
    refusedAs: ErrorCode | undefined
  }
  interface FastifyContextConfig {
    /** The contract's name of the route; absent outside /v1. */
    operationId?: OperationId
  }
}

/** A response that moves no byte for this long is cut off: its reader has stopped, and its key's slot is needed. */
const STALLED_MS = 30_000

/** What all our servers have in common. */
export function serverOptions({ log }: App, limits: HttpLimits = httpLimits) {
  return {
    ...limits,
    genReqId: createRequestId,
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    // HEAD of a page is answered as GET. Pages have no effects, and links that are used once are used up by a POST.
    exposeHeadRoutes: true,
    // What still comes in on an open connection while the server closes is served: until then everything works.
    return503OnClosing: false,
  }
}

/**
 * The logger, as a child of itself. Nothing is logged through a request, so it needs no logger of its own; a factory of
 * children would be checked for each request.
 */
function withoutChildren(log: Logger): FastifyBaseLogger {
  const own: FastifyBaseLogger = Object.create(log, { child: { value: () => own } })
  return own
}

/** Every request under /v1 is a call, whatever its path and method. */
export function answerCalls(
  server: FastifyInstance,
  engine: Engine,
  { log, config: { trustedProxies } }: Pick<App, 'log' | 'config'>,
): void {
  const addressOf = sourceAddressReader(trustedProxies)
  const callLog = createCallLog(log)
  server.addHook('onRequest', async (request, reply) => {
    // The router decodes paths, so that /%761/me is an operation too.
    if (!isV1(request.url) && !request.routeOptions.config?.operationId) return
    request.isCall = true
    return answerCall(engine, callLog, addressOf(request.raw), request, reply)
  })
}

async function answerCall(
  engine: Engine,
  callLog: CallLog,
  address: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, raw } = request
  const from = performance.now()
  const call = await engine.admit(headers.authorization, {
    address,
    requestId: request.id,
    method: request.method,
    path: request.url.split('?', 1)[0]!,
    operationId: request.routeOptions.config?.operationId,
    accept: headers.accept,
  })
  if (!(call instanceof Call)) {
    if (call.isGuess) callLog.guess()
    else callLog.whenOver(request, reply, from)
    return send(reply, call)
  }
  request.call = call
  callLog.whenOver(request, reply, from)
  endWhenOut(call, reply.raw)
  const body = new RequestBody(raw)
  const response = await engine.perform(call, {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    headers,
    body,
  })
  if (response === CLIENT_GONE) return reply.hijack()
  // The client is still sending a body that will not be read.
  if (body.tooLong) reply.header('connection', 'close')
  if (response.headers.etag !== undefined) reply.header('vary', withTagVary(reply.getHeader('vary')))
  const sending = compress(reply, response, headers['accept-encoding'])
  send(reply, response, sending instanceof Promise ? await sending : sending)
  cutWhenStalled(reply.raw)
  return reply
}

/** The body as the client accepts it. */
function compress(
  reply: FastifyReply,
  { body }: CallResponse,
  acceptEncoding: string | undefined,
): CallResponse['body'] | Promise<Buffer> {
  if (body === undefined) return undefined
  const isWhole = !isPieces(body)
  if (isWhole && lengthOf(body) < MIN_COMPRESSED_BYTES) return body
  reply.header('vary', withVary(reply.getHeader('vary')))
  const encoding = chooseEncoding(acceptEncoding)
  if (!encoding) return body
  reply.header('content-encoding', encoding)
  if (!isWhole) return compressPieces(body, encoding)
  return compressWhole(isParts(body) ? joined(body) : body, encoding)
}

function isParts(body: CallResponse['body']): body is BodyParts {
  return Array.isArray(body)
}

function isPieces(body: NonNullable<CallResponse['body']>): body is AsyncIterable<string | Buffer> {
  return !(typeof body === 'string' || Buffer.isBuffer(body) || isParts(body))
}

/** Length in bytes. For a string, a lower bound: the number of its UTF-16 units. */
function lengthOf(body: string | Buffer | BodyParts): number {
  return isParts(body) ? body.reduce((sum, part) => sum + part.length, 0) : body.length
}

function joined(parts: BodyParts): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

/** Headers and parts leave in one write to the socket, without a copy of the parts that are bytes. */
function sendParts(reply: FastifyReply, { status, headers }: CallResponse, parts: BodyParts): FastifyReply {
  const { raw } = reply
  let length = 0
  for (const part of parts) length += Buffer.byteLength(part)
  reply.hijack()
  if (raw.destroyed) return reply
  const before = reply.getHeaders() as OutgoingHttpHeaders
  raw.writeHead(status, Object.assign(before, headers, { 'content-length': length }))
  raw.cork()
  for (const part of parts) raw.write(part)
  raw.end()
  raw.uncork()
  return reply
}

/** @param body what is sent of the response, if that is not the unchanged body */
export function send(
  reply: FastifyReply,
  response: CallResponse,
  body: CallResponse['body'] = response.body,
): FastifyReply {
  const { status, headers, code } = response
  reply.request.refusedAs = code
  if (isParts(body)) return sendParts(reply, response, body)
  reply.code(status).headers(headers)
  // What is made in pieces is not made for a response without a body.
  if (reply.request.method === 'HEAD' && body !== undefined && isPieces(body)) {
    Readable.from(body).destroy()
    return reply.send()
  }
  // Fastify adds a charset to the type of JSON that is a string.
  if (typeof body === 'string') return reply.send(Buffer.from(body))
  if (body === undefined || Buffer.isBuffer(body)) return reply.send(body)
  return reply.send(body instanceof Readable ? body : Readable.from(body))
}

/** The body of a request, which is only read if the request is not refused before. */
export class RequestBody implements BodyBytes {
  readonly type: string | undefined
  readonly encoding: string | undefined
  readonly length: number | undefined
  /** Bytes that were read. */
  size = 0
  readonly #raw: IncomingMessage
  #overran = false

  constructor(raw: IncomingMessage) {
    this.type = raw.headers['content-type']
    this.encoding = raw.headers['content-encoding']
    this.length = announcedLength(raw)
    this.#raw = raw
  }

  /** Whether more was announced or sent than is ever read. */
  get tooLong(): boolean {
    return this.#overran || (this.length ?? 0) > BODY_LIMIT_BYTES
  }

  async read(limit: number): Promise<Buffer | undefined> {
    const chunks: Buffer[] = []
    // What is left over stays unread on a connection that still has to carry the response.
    for await (const chunk of this.#raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      this.size += chunk.length
      if (this.size > limit) {
        this.#overran = true
        return undefined
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

function announcedLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/** Ends the call once, when its response is out or its connection is gone. */
function endWhenOut(call: Call, response: ServerResponse): void {
  const over = () => {
    if (!response.writableFinished) call.disconnect()
    call.end()
  }
  // A client that disconnected while its key was looked up is not announced again.
  if (response.closed) over()
  // It follows `finish`, and comes without it when the connection breaks.
  else response.on('close', over)
}

/** To be called when the response begins to be sent. */
export function cutWhenStalled(response: ServerResponse): void {
  // What the system has taken whole cannot stall here any more.
  const isTaken = response.writableEnded && response.writableLength === 0
  if (!isTaken && !response.destroyed) response.setTimeout(STALLED_MS, () => response.destroy())
}

/** Whether a path is under /v1 and so needs a key. */
function isV1(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url)
}

/**
 * Reports each request to the observer when it is over, whatever it was and however it ended; and where traces are kept,
 * runs the request as part of its own. Only templates of paths are reported, never a path. To be called before any other
 * hook is added.
 */
export function watchRequests(server: FastifyInstance, observer: Observer): void {
  server.decorateRequest('isCall', undefined)
  server.decorateRequest('refusedAs', undefined)
  const { traces } = observer
  const traced = new WeakMap<FastifyRequest, RequestTrace>()

  server.addHook('onRequest', (request, reply, done) => {
    const from = performance.now()
    reply.raw.on('close', () => {
      const { operationId } = request.routeOptions.config
      const over = {
        method: request.method,
        route: operationId ? operations[operationId].path : request.routeOptions.url,
        status: reply.raw.writableFinished ? reply.raw.statusCode : undefined,
        code: request.refusedAs,
        admitted: request.isCall ? request.call !== undefined : undefined,
        ms: performance.now() - from,
      }
      observer.requestOver(over)
      traced.get(request)?.end({ ...over, requestId: request.id, operation: operationId })
    })
    if (!traces) return done()
    traced.set(request, traces.begin({ traceparent: one(request.headers.traceparent) }, done))
  })
}

/** A header that is sent twice means nothing. */
function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

// Compression of responses, as the client asks for it in Accept-Encoding. Bodies that fit into a packet or so are sent as
// they are: compressing them would cost time and save none. Text in pieces is compressed as it is made.

/** Bytes from which a body is compressed. One of less fits into a TCP packet, headers aside. */
export const MIN_COMPRESSED_BYTES = 1400
/** Bytes of text in pieces that are compressed at a time: a row alone is too little to be worth the hand-over. */
const BLOCK_BYTES = 64 * 1024

/** The default quality of brotli takes tens of times as long, for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 } }

const compressBrotli = promisify(brotliCompress)

/** In the order in which they are chosen where the client likes several equally. */
const ENCODINGS = {
  zstd: { whole: promisify(zstdCompress), stream: () => createZstdCompress() },
  br: { whole: (bytes: Buffer) => compressBrotli(bytes, BROTLI), stream: () => createBrotliCompress(BROTLI) },
  gzip: { whole: promisify(gzip), stream: () => createGzip() },
} as const
type Encoding = keyof typeof ENCODINGS
type Offered = Encoding | 'identity'
const OFFERED: Offered[] = [...(Object.keys(ENCODINGS) as Encoding[]), 'identity']

/** Its types do not include the preference of the server. */
interface Accepted {
  encodings(available: Offered[], options: { preferred: Offered[] }): Offered[]
}

/** undefined: the body is sent as it is. That is also the answer to a client that accepts nothing. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined
  const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }) as unknown as Accepted
  const [best] = accepted.encodings(OFFERED, { preferred: OFFERED })
  return best === 'identity' ? undefined : best
}

/** Works outside the main thread. */
function compressWhole(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return ENCODINGS[encoding].whole(typeof body === 'string' ? Buffer.from(body) : body)
}

/** No more is read ahead than a block and what the compressor holds. Ends the reading of `pieces` when it is destroyed. */
export function compressPieces(pieces: AsyncIterable<string | Buffer>, encoding: Encoding): Readable {
  // A failure destroys the stream that is returned, and its reader learns of it there.
  return pipeline(Readable.from(inBlocks(pieces)), ENCODINGS[encoding].stream(), () => {})
}

async function* inBlocks(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let gathered: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    gathered.push(bytes)
    size += bytes.length
    if (size < BLOCK_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}

/** The value of Vary for an answer whose coding depends on the request too. */
export function withVary(before: unknown): string {
  if (typeof before === 'string' && before.endsWith('Accept-Encoding')) return before
  return before === undefined ? 'Accept-Encoding' : `${String(before)}, Accept-Encoding`
}

/** The value of Vary for a response with a tag. */
function withTagVary(before: unknown): string {
  const names = 'Authorization, Accept, Accept-Encoding'
  return before === undefined ? names : `${String(before)}, ${names}`
}
