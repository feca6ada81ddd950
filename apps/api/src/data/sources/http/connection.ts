// Sends queries to a provider over HTTP and reads its JSON results; http-provider.ts says what the objects mean. Connections
// are kept open. The resilience around the provider bounds their number and the time of a query. A response that does not
// match spec/provider.yaml is a failure, either temporary or permanent.

import type { Readable } from 'node:stream'
import { errors, Pool } from 'undici'
import { isObject } from '../../../domain/record.ts'
import type { Secret } from '../../../infrastructure/platform.ts'
import { ProviderFailure, ProviderTimeout, QueryRefused, TransientFailure } from '../provider.ts'

export interface HttpQuery {
  /** The path below the base URL, with a leading slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON with POST. Without a body the query is a GET. */
  readonly body?: object
  /** Whether the provider's response may repeat something that must not be logged: an address, or a listing URL made of one. */
  readonly confidential?: boolean
}

export type HttpResult = Readonly<Record<string, unknown>>

export interface ProviderConnection {
  /** The name for messages and for the source of cached records: always the same for a provider, and without secrets. */
  readonly name: string
  /**
   * undefined: the provider does not know the home or building.
   *
   * @throws {TransientFailure} when the provider could not be reached, was overloaded, or failed
   * @throws {QueryRefused} when the provider does not answer such a query
   * @throws {ProviderFailure} when its response cannot be used
   * @throws {ProviderTimeout} when no connection could be opened in time
   */
  ask(query: HttpQuery, signal: AbortSignal): Promise<HttpResult | undefined>
}

const MAX_BYTES = 32 * 1024 * 1024
/** Bytes of an error's body that go to the log. */
const MAX_QUOTED_BYTES = 4096
const MAX_QUOTED_CHARACTERS = 500
/**
 * A connection attempt to a host that drops packets ends after this time, so that the next query can find out that the host has recovered.
 */
const CONNECT_TIMEOUT_MS = 5000

const MAY_PASS = new Set([429, 500, 502, 503, 504])
/** The query is at fault: it breaks the contract, or has a filter that the provider cannot apply. */
const REFUSED = new Set([400, 422, 501])
const LOST = new Set([
  'UND_ERR_SOCKET',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** `url` is the base URL, with or without a path. It connects with the first query. */
export function openConnection(url: string, token: Secret | undefined): ProviderConnection {
  const { origin, host, pathname } = new URL(url)
  const prefix = pathname.replace(/\/+$/, '')
  const name = `http:${host}${prefix}`
  const pool = new Pool(origin, {
    allowH2: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // The deadline of the resilience ends a query that takes too long.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  function send({ path, query = {}, body }: HttpQuery, signal: AbortSignal) {
    const asked = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const search = asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''
    return pool.request({
      method: body ? 'POST' : 'GET',
      path: prefix + path + search,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'lotline',
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token.reveal()}` }),
      },
      body: body ? JSON.stringify(body) : null,
      signal,
    })
  }

  type ProviderResponse = Awaited<ReturnType<typeof send>>

  async function read(response: ProviderResponse, query: HttpQuery): Promise<HttpResult | undefined> {
    const { statusCode: status, headers, body } = response
    if (status === 200) return parseAnswer(headers, await readBody(body, MAX_BYTES))
    const text = (await readBody(body, MAX_QUOTED_BYTES))?.toString() ?? ''
    if (status === 404 && isNotFound(text)) return undefined
    const cause = query.confidential ? undefined : new Error(quote(text))
    if (REFUSED.has(status)) throw new QueryRefused(`${name} refused the query with ${status}`, { cause })
    if (!MAY_PASS.has(status)) throw new ProviderFailure(`${name} answered ${status}`, { cause })
    const retryAfterMs = parseRetryAfterMs(single(headers['retry-after']), new Date())
    throw new TransientFailure(`${name} answered ${status}`, { cause, retryAfterMs })
  }

  /** A provider may repeat the token that it refuses, so the quote must not contain it. */
  function quote(text: string): string {
    return (token ? text.replaceAll(token.reveal(), '[secret]') : text).slice(0, MAX_QUOTED_CHARACTERS)
  }

  function parseAnswer(headers: ProviderResponse['headers'], body: Buffer | undefined): HttpResult {
    if (!body) throw new ProviderFailure(`${name} answered with over ${MAX_BYTES} bytes`)
    const type = single(headers['content-type'])
    if (!isJson(type) || !isPlain(single(headers['content-encoding']))) {
      throw new ProviderFailure(`${name} answered with content that is not plain JSON in UTF-8`)
    }
    const answer = parseJson(body)
    // The parser's own error would quote the text.
    if (!isObject(answer)) throw new ProviderFailure(`${name} answered with text that is no JSON object`)
    return answer
  }

  /** Errors of the connection contain nothing that the provider sent. */
  function failureOf(error: unknown): Error {
    if (error instanceof ProviderFailure) return error
    const code = String((error as { code?: unknown } | undefined)?.code)
    if (error instanceof errors.ConnectTimeoutError) {
      return new ProviderTimeout(`${name} could not be connected to`, { cause: error })
    }
    if (LOST.has(code)) return new TransientFailure(`the connection to ${name} was lost`, { cause: error })
    return new ProviderFailure(`${name} could not be asked`, { cause: error })
  }

  return {
    name,
    async ask(query, signal) {
      try {
        return await read(await send(query, signal), query)
      } catch (error) {
        throw signal.aborted ? signal.reason : failureOf(error)
      }
    },
  }
}

function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(type ?? '')
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.toLowerCase() === 'identity'
}

/** A 404 may come from a proxy or a wrong base URL. Only the provider's own body means that the home does not exist. */
function isNotFound(text: string): boolean {
  const body = parseJson(Buffer.from(text))
  return isObject(body) && isObject(body.error) && body.error.code === 'not_found'
}

/** undefined: the bytes are not JSON in UTF-8. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

/** Reads a `Retry-After` header, which has seconds or an HTTP date, as milliseconds from now. undefined: it has neither. */
export function parseRetryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

/** The whole body. undefined: it is longer than `most` bytes, and the rest is not read. */
async function readBody(body: Readable, most: number): Promise<Buffer | undefined> {
  // Destroying a body makes the stream fail once more, after its listeners are gone.
  body.on('error', () => {})
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
}
