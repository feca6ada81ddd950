// Every call goes through this file: openapi-fetch creates the request, `send` sends it, and the response becomes a
// result. Resources only name the operation and its input. No other file handles HTTP.

import createClient, { type Client } from 'openapi-fetch'
import type { BodyOf, Method, ParamsOf, Path, PathOf, paths, QueryOf } from '../contract.ts'
import { type CallOptions, readMaxCredits, readMaxRetries, readTimeoutMs, type Settings } from '../options.ts'
import { type Result, readReceipt } from '../result.ts'
import { createUnexpectedResponseError } from './refusal.ts'
import type { Repetition } from './repeat.ts'
import { createSend, type Send, type SendOptions } from './send.ts'

/** A call: the operation and its input. */
export interface Question<P extends Path, M extends Method> {
  readonly path?: ParamsOf<P, M>
  readonly query?: QueryOf<P, M>
  readonly body?: unknown
  readonly repetition?: Repetition
  readonly idempotencyKey?: string | undefined
}

/** A response whose body is unread if the caller requested a stream. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

type LooseClient = Pick<Client<paths>, 'GET'> & {
  request(method: Method, path: Path, init: object): Promise<{ data?: unknown; response: Response }>
}

export class Core {
  readonly #settings: Settings
  readonly #client: LooseClient
  readonly #send: Send

  constructor(settings: Settings) {
    this.#settings = settings
    this.#send = createSend(settings)
    this.#client = createClient<paths>({ baseUrl: settings.baseUrl }) as unknown as LooseClient
  }

  async get<P extends PathOf<'get'>>(
    path: P,
    question: Question<P, 'get'>,
    options: CallOptions,
  ): Promise<Result<BodyOf<P, 'get'>>> {
    return toResult<BodyOf<P, 'get'>>(await this.ask('get', path, question, options))
  }

  /** Sends a call and returns its response with any success status. */
  async ask<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    { path: params, query, body, repetition = 'safe', idempotencyKey }: Question<P, M>,
    options: CallOptions,
    streamed = false,
  ): Promise<RawAnswer> {
    const { signal, timeoutMs = this.#settings.timeoutMs, maxRetries = this.#settings.maxRetries } = options
    const maxCredits = readMaxCredits(options.maxCredits ?? this.#settings.maxCredits)
    const sendOptions = {
      signal,
      timeoutMs: readTimeoutMs(timeoutMs),
      maxRetries: readMaxRetries(maxRetries),
      repetition,
      streamed,
    }
    let answered: Response | undefined
    try {
      const { data, response } = await this.#client.request(method, path, {
        params: { path: params, query },
        ...(body !== undefined && { body }),
        headers: {
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
          ...(maxCredits !== undefined && { 'X-Max-Credits': String(maxCredits) }),
          ...options.headers,
          Authorization: `Bearer ${this.#settings.apiKey}`,
        },
        parseAs: streamed ? 'stream' : 'json',
        fetch: async (request: Request) => {
          answered = await this.#sendCached(request, sendOptions)
          return answered
        },
      })
      return { status: response.status, headers: response.headers, body: data }
    } catch (error) {
      // A body that is not JSON comes from another program than the service.
      if (answered && error instanceof SyntaxError) {
        throw createUnexpectedResponseError(answered.status, answered.headers, error)
      }
      throw error
    }
  }

  /** Sends the tag of the cached response. If the service returns 304, the cached response is the result. */
  async #sendCached(request: Request, options: SendOptions): Promise<Response> {
    const { cache, apiKey } = this.#settings
    if (!cache || request.method !== 'GET' || options.streamed) return this.#send(request, options)
    const key = await responseCacheKey(apiKey, request)
    const kept = await cache.get(key)
    if (kept) request.headers.set('If-None-Match', kept.tag)
    const response = await this.#send(request, options)
    if (response.status === 304 && kept) {
      return new Response(kept.body, { status: 200, headers: response.headers })
    }
    const tag = response.headers.get('etag')
    if (response.status === 200 && tag !== null) {
      await cache.set(key, { tag, body: await response.clone().text() })
    }
    return response
  }
}

/** The cache key of a request: a hash of its URL, its headers, and the API key, so that the key itself is not stored. */
async function responseCacheKey(apiKey: string, { url, headers }: Request): Promise<string> {
  const text = new TextEncoder().encode(`${apiKey} ${headers.get('accept') ?? ''} ${url}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @throws LotlineError `unexpected_answer` when the body is not a response of Lotline */
export function toResult<Body>({ status, headers, body }: RawAnswer): Result<Body> {
  if (status === 204) return { ...readReceipt(headers) } as Result<Body>
  if (typeof body !== 'object' || body === null) throw createUnexpectedResponseError(status, headers)
  if ('@reso.context' in body && 'value' in body) {
    const { '@reso.context': context, value: data, request_id: _, ...rest } = body as Record<string, unknown>
    const homes: object = { ...rest, data, context, ...readReceipt(headers) }
    return homes as Result<Body>
  }
  if (!('data' in body)) throw createUnexpectedResponseError(status, headers)
  const { request_id: _, ...rest } = body as Record<string, unknown>
  return { ...rest, ...readReceipt(headers) } as Result<Body>
}
