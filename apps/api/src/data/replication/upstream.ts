// Calls the server of a feed: with its credential, within its limits, compressed, and bounded in size and time. The credential is sent only
// to the configured origin. No message or error of this file contains a token, or text that the server sent.

import { createGunzip } from 'node:zlib'
import { errors, Pool } from 'undici'
import type { Database } from '../../infrastructure/database.ts'
import { pause, retry, type Secret } from '../../infrastructure/platform.ts'
import {
  blockCalls,
  CallsExhausted,
  countBytes,
  countRefusal,
  credentialName,
  forgetRefusals,
  requireNoSilence,
  silenceAfter429,
  takeCall,
} from './call-limiter.ts'
import type { Profile } from './profiles.ts'

/** The feed cannot be read. The message has the reason in one line. Nothing of the page was applied. */
export class FeedFailure extends Error {
  override readonly name = 'FeedFailure'
  /** The status of the response. undefined: there was no readable response. */
  readonly status: number | undefined

  constructor(message: string, options?: ErrorOptions & { readonly status?: number }) {
    super(message, options)
    this.status = options?.status
  }
}

/** A retry may help: the server was overloaded, or the connection was lost. */
class PassingFailure extends FeedFailure {
  override readonly name = 'FeedFailure'
}

export type Credential =
  | { readonly kind: 'token'; readonly token: Secret; readonly variable: string }
  | {
      readonly kind: 'client'
      readonly clientId: string
      readonly clientSecret: Secret
      readonly tokenUrl: string
      readonly variable: string
    }
  | { readonly kind: 'none' }

export interface FeedResponse {
  /** The decompressed body. */
  readonly body: Buffer
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly url: string
}

export interface Upstream {
  readonly origin: string
  readonly credentialName: string
  /**
   * Sends a GET when the limits allow it, and retries a few times after a transient failure.
   *
   * @param url an absolute URL of the configured origin
   * @throws {FeedFailure} when there is no usable response
   * @throws {CallsExhausted} when no call is allowed for longer than a minute
   */
  get(url: string, signal: AbortSignal): Promise<FeedResponse>
  close(): Promise<void>
}

export interface UpstreamOptions {
  readonly database: Database
  /** The base URL of the feed. */
  readonly url: string
  readonly credential: Credential
  readonly profile: Pick<Profile, 'callsPerSecond' | 'windows' | 'after429' | 'tokenScope'>
  /** Milliseconds between the attempts of a call. */
  readonly retryMs?: readonly number[]
  /** Milliseconds until the headers of a response, and between two chunks of its body. Default: a minute. */
  readonly idleTimeoutMs?: number
}

/** The maximum size of a decompressed page. 1,000 listings with photos have about 20 MB. */
const MAX_BODY_BYTES = 128 * 1024 * 1024
const MAX_TOKEN_BYTES = 64 * 1024
const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000
const CALL_TIMEOUT_MS = 5 * 60_000
const RETRY_MS = [1_000, 5_000, 15_000]
/** If the limits require a longer wait, the run ends and continues later. */
const MAX_WAIT_MS = 60_000
/** A token is renewed this long before it expires. */
const TOKEN_MARGIN_MS = 60_000
const MAY_PASS = new Set([408, 500, 502, 503, 504])

export function openUpstream(options: UpstreamOptions): Upstream {
  const { database, credential, profile, retryMs = RETRY_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options
  const { origin } = new URL(options.url)
  const name = credentialName(
    origin,
    credential.kind === 'token'
      ? credential.token.reveal()
      : credential.kind === 'client'
        ? credential.clientId
        : '',
  )
  const pools = new Map<string, Pool>()
  let issued: { readonly token: string; readonly until: number } | undefined
  /** Whether the server may have refused the latest calls with this credential. */
  let isRefused = true

  function poolOf(poolOrigin: string): Pool {
    const known = pools.get(poolOrigin)
    if (known) return known
    const pool = new Pool(poolOrigin, {
      allowH2: false,
      connections: 2,
      connectTimeout: CONNECT_TIMEOUT_MS,
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
    })
    pools.set(poolOrigin, pool)
    return pool
  }

  async function waitForTurn(signal: AbortSignal): Promise<void> {
    const take = async (): Promise<void> => {
      const waitMs = await takeCall(database, name, profile)
      if (waitMs === 0) return
      await pause(waitMs, signal)
      // Another process may have got a 429 meanwhile.
      await requireNoSilence(database, name)
    }
    await retry(take, {
      pauseMs: (_, error) => Math.max(50, (error as CallsExhausted).waitMs),
      mayPass: (error) => error instanceof CallsExhausted && error.waitMs <= MAX_WAIT_MS,
      signal,
    })
  }

  async function send(
    url: URL,
    {
      headers,
      body,
      signal,
      limit,
    }: { headers: Record<string, string>; body?: string; signal: AbortSignal; limit: number },
  ): Promise<{ status: number; headers: Record<string, string | undefined>; body: Buffer }> {
    await waitForTurn(signal)
    const received = { bytes: 0 }
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)])
    try {
      const response = await poolOf(url.origin).request({
        method: body === undefined ? 'GET' : 'POST',
        path: url.pathname + url.search,
        headers: { 'accept-encoding': 'gzip', 'user-agent': 'lotline', ...headers },
        body: body ?? null,
        signal: bounded,
      })
      const plain = flatten(response.headers)
      const read = await readBody(response.body, plain['content-encoding'], limit, received)
      return { status: response.statusCode, headers: plain, body: read }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw failureOf(error, origin, idleTimeoutMs)
    } finally {
      // The server also counts a body that failed.
      if (received.bytes > 0) await countBytes(database, name, received.bytes)
    }
  }

  async function bearer(signal: AbortSignal): Promise<string | undefined> {
    if (credential.kind === 'none') return undefined
    if (credential.kind === 'token') return credential.token.reveal()
    if (issued && performance.now() < issued.until) return issued.token
    const url = new URL(credential.tokenUrl)
    const reply = await send(url, {
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credential.clientId,
        client_secret: credential.clientSecret.reveal(),
        scope: profile.tokenScope,
      }).toString(),
      signal,
      limit: MAX_TOKEN_BYTES,
    })
    await refuse429(reply)
    const answer = reply.status === 200 ? parseJson(reply.body) : undefined
    const { access_token: token, expires_in: seconds } = (answer ?? {}) as Record<string, unknown>
    if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token)) {
      const message = `${url.origin} issued no token (status ${reply.status}); check the client in ${credential.variable}`
      throw MAY_PASS.has(reply.status) ? new PassingFailure(message) : new FeedFailure(message)
    }
    const lifetimeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : 3_600_000
    // A token with a shorter life than the margin is used once.
    issued = { token, until: performance.now() + Math.max(0, lifetimeMs - TOKEN_MARGIN_MS) }
    return token
  }

  async function refuse429({
    status,
    headers,
  }: {
    status: number
    headers: Record<string, string | undefined>
  }) {
    if (status !== 429) return
    isRefused = true
    // Other processes read it by the database's clock, and the one of this process may be wrong.
    const { now, refusals } = await countRefusal(database, name)
    const until = silenceAfter429(headers, profile, now, refusals)
    await blockCalls(database, name, until)
    throw new CallsExhausted(until, now)
  }

  async function attempt(url: URL, signal: AbortSignal): Promise<FeedResponse> {
    for (let renewed = false; ; renewed = true) {
      const token = await bearer(signal)
      const reply = await send(url, {
        headers: {
          accept: 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        signal,
        limit: MAX_BODY_BYTES,
      })
      await refuse429(reply)
      if (isRefused) await forgetRefusals(database, name)
      isRefused = false
      const { status } = reply
      if (status === 200) return { body: reply.body, headers: reply.headers, url: url.href }
      // A token may expire earlier than its issuer said.
      if (status === 401 && credential.kind === 'client' && !renewed) {
        issued = undefined
        continue
      }
      throw failureOfStatus(status)
    }
  }

  function failureOfStatus(status: number): FeedFailure {
    if (status === 401 || status === 403) {
      const what = credential.kind === 'none' ? 'no credential is configured' : `check ${credential.variable}`
      return new FeedFailure(`${origin} refused the credential (status ${status}); ${what}`, { status })
    }
    const message =
      status >= 300 && status < 400
        ? `${origin} redirects (status ${status}), and redirects are not followed; configure the final URL`
        : `${origin} answered with status ${status}`
    return MAY_PASS.has(status)
      ? new PassingFailure(message, { status })
      : new FeedFailure(message, { status })
  }

  return {
    origin,
    credentialName: name,
    async get(target, signal) {
      const url = new URL(target)
      if (url.origin !== origin) {
        throw new FeedFailure(`${origin} referred to another server (${url.origin}), which is not called`)
      }
      return await retry(() => attempt(url, signal), {
        attempts: retryMs.length + 1,
        pauseMs: (tries) => retryMs[tries - 1]!,
        mayPass: (error) => error instanceof PassingFailure,
        signal,
      })
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}

/**
 * The whole body, unpacked. Neither it nor what is received may exceed the limit.
 *
 * @param received counts the bytes, also of a body that fails
 */
async function readBody(
  stream: AsyncIterable<Buffer> & { on(event: 'error', listener: () => void): unknown },
  encoding: string | undefined,
  limit: number,
  received: { bytes: number },
): Promise<Buffer> {
  // Cutting off a body makes the stream fail once more, after its listeners are gone.
  stream.on('error', () => {})
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      received.bytes += chunk.length
      if (received.bytes > limit) throw new FeedFailure(`the response has more than ${limit} bytes`)
      yield chunk
    }
  }
  const isPacked = encoding !== undefined && encoding.trim() !== '' && !/^identity$/i.test(encoding.trim())
  if (isPacked && !/^(?:x-)?gzip$/i.test(encoding.trim())) {
    throw new FeedFailure('the response is compressed in another way than gzip')
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of isPacked ? unpacked(counted()) : counted()) {
    length += chunk.length
    if (length > limit) throw new FeedFailure(`the response has more than ${limit} bytes unpacked`)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}

async function* unpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const feeding = (async () => {
    try {
      for await (const chunk of chunks) {
        if (!gunzip.write(chunk))
          await new Promise((resolve) => gunzip.once('drain', resolve).once('close', resolve))
        if (gunzip.destroyed) return
      }
      gunzip.end()
    } catch (error) {
      gunzip.destroy(error as Error)
    }
  })()
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } finally {
    gunzip.destroy()
    await feeding
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function failureOf(error: unknown, origin: string, idleTimeoutMs: number): Error {
  if (error instanceof FeedFailure) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (code.startsWith('Z_'))
    return new PassingFailure(`${origin} sent compressed data that is damaged or cut off`)
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return new PassingFailure(`${origin} did not answer within ${idleTimeoutMs / 1_000} seconds`)
  }
  if ((error as Error).name === 'TimeoutError') {
    return new PassingFailure(
      `${origin} did not complete a response within ${CALL_TIMEOUT_MS / 60_000} minutes`,
    )
  }
  return new PassingFailure(`the connection to ${origin} failed${code === '' ? '' : ` (${code})`}`)
}
