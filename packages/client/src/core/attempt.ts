// One attempt at a call: one request, with a timeout and the caller's abort signal, until the last byte of the
// response. For a streamed body, the timeout covers the wait for the headers and then each read.

import { ConnectionError, LotlineError, TimeoutError } from '../errors.ts'
import { createApiError } from './refusal.ts'

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>

export interface AttemptOptions {
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Whether the body is returned as a stream. Otherwise it is read completely first. */
  readonly streamed: boolean
}

/** The longest delay that setTimeout supports, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** @throws LotlineError on every status of 400 or above, on a lost connection and on a time-out; the signal's reason */
export async function attempt(request: Request, options: AttemptOptions): Promise<Response> {
  const { fetch, signal, streamed } = options
  signal?.throwIfAborted()
  const watch = startTimeoutTimer(options)
  let handedOn = false
  try {
    const response = await fetch(request, { signal: watch.signal })
    // The caller already has the body of a 304.
    if (!response.ok && response.status !== 304)
      throw createApiError(response.status, response.headers, await response.text(), request.url)
    const { status, statusText, headers } = response
    if (streamed && response.body) {
      handedOn = true
      return new Response(readWithTimeout(response.body, watch), { status, statusText, headers })
    }
    // The body is read here, so that a response that ends early counts as a failed attempt.
    const body = await response.arrayBuffer()
    return new Response(status === 204 || status === 304 ? null : body, { status, statusText, headers })
  } catch (error) {
    throw watch.causeOf(error)
  } finally {
    if (!handedOn) watch.end()
  }
}

interface AttemptTimer {
  readonly signal: AbortSignal
  /** Starts the full timeout again. */
  restart(): void
  /** Stops the timer. The caller's signal still applies. */
  rest(): void
  end(): void
  /** The actual reason of an error: the timeout or the caller's signal, if one of them ended the call. */
  causeOf(error: unknown): unknown
}

function startTimeoutTimer({ timeoutMs, signal }: AttemptOptions): AttemptTimer {
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = () => clearTimeout(timer)
  const restart = () => {
    rest()
    timer = setTimeout(() => controller.abort(timeoutError(timeoutMs)), Math.min(timeoutMs, MAX_TIMER_MS))
  }
  restart()
  return {
    signal: controller.signal,
    restart,
    rest,
    end() {
      rest()
      signal?.removeEventListener('abort', stop)
    },
    causeOf(error) {
      if (controller.signal.aborted) return controller.signal.reason
      return error instanceof LotlineError ? error : connectionError(error)
    },
  }
}

/** Streams the body only as fast as it is read. */
function readWithTimeout(body: ReadableStream<Uint8Array>, watch: AttemptTimer): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  // The timeout starts with the first read, and an unread stream does not keep the process alive.
  watch.rest()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        watch.restart()
        try {
          const { done, value } = await reader.read()
          watch.rest()
          if (!done) return controller.enqueue(value)
          watch.end()
          controller.close()
        } catch (error) {
          watch.end()
          controller.error(watch.causeOf(error))
        }
      },
      cancel(reason) {
        watch.end()
        return reader.cancel(reason)
      },
    },
    // The time that the reader takes between two reads does not count toward the timeout.
    { highWaterMark: 0 },
  )
}

function timeoutError(timeoutMs: number): TimeoutError {
  return new TimeoutError({
    code: 'call_timeout',
    message: `The service did not respond within ${timeoutMs} ms. Set a longer timeoutMs, or start a job for long-running work.`,
  })
}

function connectionError(cause: unknown): ConnectionError {
  return new ConnectionError({
    code: 'connection_lost',
    message: `The request failed because the service is unreachable or the connection was lost: ${describeFetchError(cause)}. Check baseUrl and the network.`,
    cause,
  })
}

function describeFetchError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // Node reports only "fetch failed". The actual reason is in `cause`.
  const inner = cause.cause instanceof Error ? cause.cause.message : ''
  return inner || cause.message || cause.name
}
