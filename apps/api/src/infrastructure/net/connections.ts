// Connections to webhook receivers. Each is dialed safely (dial.ts), used for one request at a time, and kept open briefly for
// more requests to the same origin. Each is an undici client around a checked socket, and never connects by itself.

import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { dial, type Network } from './dial.ts'
import { NoResponse } from './no-response.ts'

export interface Post {
  /** The path with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Ends the request; the part of the response that was read so far is used. */
  readonly signal: AbortSignal
  /** Called once: when the request is written, or certainly will not be. */
  readonly onWritten: () => void
}

export interface Connection {
  /** Whether it has carried a request before. If so, the receiver may have closed it meanwhile. */
  readonly isUsed: boolean
  /** @throws {NoResponse}, or the signal's reason. */
  post(post: Post): Promise<ReceiverResponse>
  /** Releases the connection: it is kept briefly, or closed if it cannot be reused. */
  release(): void
}

export interface ReceiverConnections {
  /** `fresh`: requires a new connection. */
  open(url: URL, signal: AbortSignal, options?: { readonly fresh?: boolean }): Promise<Connection>
  close(): void
}

/** How long an idle connection is kept. After that, names are resolved and addresses are checked again. */
const IDLE_MS = 4_000
const MAX_IDLE = 512
/** Requests per connection. A busy connection is replaced after them, so that its host name is resolved again. */
const MAX_REQUESTS = 1_000

export function createReceiverConnections(network: Network): ReceiverConnections {
  const idle = new Map<string, Set<ReusableConnection>>()
  let idleCount = 0
  let closed = false

  function take(origin: string): ReusableConnection | undefined {
    const set = idle.get(origin)
    for (const kept of set ?? []) {
      drop(kept)
      if (kept.isOpen) return kept
      kept.destroy()
    }
    return undefined
  }

  function drop(kept: ReusableConnection): void {
    const set = idle.get(kept.origin)
    if (!set?.delete(kept)) return
    idleCount -= 1
    clearTimeout(kept.timer)
    if (set.size === 0) idle.delete(kept.origin)
  }

  function keep(kept: ReusableConnection): void {
    if (closed || !kept.isOpen || kept.requests >= MAX_REQUESTS || idleCount >= MAX_IDLE) {
      kept.destroy()
      return
    }
    const set = idle.get(kept.origin) ?? new Set()
    idle.set(kept.origin, set.add(kept))
    idleCount += 1
    kept.timer = setTimeout(() => {
      drop(kept)
      kept.destroy()
    }, IDLE_MS)
    kept.timer.unref()
  }

  return {
    async open(url, signal, { fresh = false } = {}) {
      const kept =
        (fresh ? undefined : take(url.origin)) ??
        new ReusableConnection(url.origin, await dial(url, network, signal))
      const isUsed = kept.requests > 0
      return { isUsed, post: (post) => kept.post(post), release: () => keep(kept) }
    },
    close() {
      closed = true
      for (const set of [...idle.values()]) {
        for (const kept of [...set]) {
          drop(kept)
          kept.destroy()
        }
      }
    },
  }
}

class ReusableConnection {
  readonly origin: string
  requests = 0
  timer: NodeJS.Timeout | undefined
  readonly #socket: Socket
  readonly #client: Client
  #isOpen = true

  constructor(origin: string, socket: Socket) {
    this.origin = origin
    this.#socket = socket
    let unused: Socket | undefined = socket
    // Nothing else listens until the first request.
    const lost = () => {
      this.#isOpen = false
    }
    socket.on('error', lost).on('close', lost)
    this.#client = new Client(origin, {
      connect: (_options, done) => {
        const given = unused
        unused = undefined
        // Deferred, because undici ignores a synchronous call within `connect`.
        queueMicrotask(() =>
          given ? done(null, given) : done(new NoResponse('The connection was closed.'), null),
        )
      },
      allowH2: false,
      // The attempt has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEAD_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    })
    this.#client.on('disconnect', lost)
  }

  get isOpen(): boolean {
    return this.#isOpen && !this.#client.destroyed
  }

  destroy(): void {
    this.#isOpen = false
    this.#client.destroy().catch(() => {})
    this.#socket.destroy()
  }

  post({ path, headers, body, signal, onWritten }: Post): Promise<ReceiverResponse> {
    this.requests += 1
    return new Promise((done, failed) => {
      const parts: Buffer[] = []
      let bytes = 0
      let status = 0
      let retryAfter: string | undefined
      let written = false
      const settleWritten = () => {
        if (!written) onWritten()
        written = true
      }
      const end = (error?: unknown) => {
        signal.removeEventListener('abort', abort)
        settleWritten()
        if (status >= 200) done({ status, body: Buffer.concat(parts).subarray(0, ANSWER_BYTES), retryAfter })
        else failed(error)
      }
      const abort = () => {
        this.destroy()
        end(signal.reason)
      }
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart() {},
        onRequestSent: settleWritten,
        onResponseStart(_controller, code, headers) {
          // 1xx announces the final response.
          status = code
          retryAfter = [headers['retry-after']].flat()[0]
        },
        onResponseData: (_controller, chunk) => {
          parts.push(chunk)
          bytes += chunk.length
          if (bytes < ANSWER_BYTES) return
          this.destroy()
          end()
        },
        onResponseEnd: () => end(),
        onResponseError: (_controller, error) => {
          this.#isOpen = false
          end(NoResponse.of(error))
        },
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      try {
        this.#client.dispatch({ method: 'POST', path, headers, body }, handler)
      } catch (error) {
        end(error)
      }
    })
  }
}

/** The response of a receiver. */
export interface ReceiverResponse {
  /** HTTP status, 200 or greater. */
  readonly status: number
  /** The beginning of the body, at most `ANSWER_BYTES`. */
  readonly body: Buffer
  /** The header Retry-After, unparsed. */
  readonly retryAfter?: string | undefined
}

/** Bytes of a response body that are read before the connection is closed. */
const ANSWER_BYTES = 4096
/** Maximum size of response headers. */
const HEAD_BYTES = 16 * 1024
