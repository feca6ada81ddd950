// One attempt at a call: sent once, bounded in time and ended by the caller's signal, until the last byte of the answer.
// The time of a call whose body is streamed is bounded up to its headers, and then from one read to the next.

import { ConnectionError, LotlineError, TimeoutError } from '../errors.ts'
import { createApiError } from './refusal.ts'

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>

export interface AttemptOptions {
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Whether the body is handed on as it comes, rather than read to its end first. */
  readonly streamed: boolean
}

/** setTimeout takes no longer times. Milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** @throws LotlineError on every status of 400 or above, on a lost connection and on a time-out; the signal's reason */
export async function attempt(request: Request, options: AttemptOptions): Promise<Response> {
  const { fetch, signal, streamed } = options
  signal?.throwIfAborted()
  const watch = startTimeoutTimer(options)
  let handedOn = false
  try {
    const response = await fetch(request, { signal: watch.signal })
    // 304: the caller has the body already.
    if (!response.ok && response.status !== 304)
      throw createApiError(response.status, response.headers, await response.text(), request.url)
    const { status, statusText, headers } = response
    if (streamed && response.body) {
      handedOn = true
      return new Response(readWithTimeout(response.body, watch), { status, statusText, headers })
    }
    // Read here, so that an answer which breaks off is a failed attempt.
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
  /** Gives the whole time-out anew. */
  restart(): void
  /** Stops the clock; the caller's signal still counts. */
  rest(): void
  end(): void
  /** What really went wrong, when something did. */
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

/** The body, read no faster than it is wanted. */
function readWithTimeout(body: ReadableStream<Uint8Array>, watch: AttemptTimer): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  // Before the first read, nothing is late; and a stream that is not read keeps no process alive.
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
    // A reader that takes its time between two reads is no reason for a time-out.
    { highWaterMark: 0 },
  )
}

function timeoutError(timeoutMs: number): TimeoutError {
  return new TimeoutError({
    code: 'call_timeout',
    message: `There was no answer within ${timeoutMs} ms. Give a longer timeoutMs, or start a job for long work.`,
  })
}

function connectionError(cause: unknown): ConnectionError {
  return new ConnectionError({
    code: 'connection_lost',
    message: `The service could not be reached, or the connection broke: ${describeFetchError(cause)}.`,
    cause,
  })
}

function describeFetchError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // Node says only "fetch failed", and what happened one level below.
  const inner = cause.cause instanceof Error ? cause.cause.message : ''
  return inner || cause.message || cause.name
}
