// Sends one attempt: opens a connection, takes the send lock, writes the signed request, and reads the response. The caller decides what is
// sent and what follows from the result. An attempt always ends within its timeout.

import { DatabaseUnavailable } from '../../infrastructure/database.ts'
import {
  type Connection,
  NoResponse,
  type ReceiverConnections,
  type ReceiverResponse,
} from '../../infrastructure/net.ts'
import { orAborted } from '../../infrastructure/platform.ts'
import type { AttemptResult } from './delivery-queue.ts'
import type { SendLock } from './send-lock.ts'
import { signedHeaders } from './sign.ts'

export interface Message {
  readonly accountId: string
  readonly webhookId: string
  /** The row of the attempt; null: there is none. */
  readonly attemptId: number | null
  readonly url: string
  readonly eventId: string
  readonly attempt: number
  readonly body: Buffer
  /** Signing secrets, the current one first. */
  readonly secrets: readonly Buffer[]
}

export interface Sender {
  /**
   * Returns `undefined` if nothing was sent because the webhook is revoked, paused, or has another URL, or another process has the attempt.
   * `signal` aborts the attempt, and its reason is thrown, unless a response has begun. `onSent` is called when the request is written.
   * @throws {DatabaseUnavailable} when nothing was sent because the database did not answer in time
   */
  send(message: Message, signal: AbortSignal, onSent?: () => void): Promise<AttemptResult | undefined>
  close(): void
}

/** The attempt has reached its own timeout. */
class TimeOver extends Error {}

export function createSender(
  connections: ReceiverConnections,
  sendLock: SendLock,
  timeoutMs: number,
): Sender {
  const tooLate = `The receiver did not answer within ${timeoutMs / 1000} seconds.`
  const notLetThrough = `The database let no request through to the receiver within ${timeoutMs / 1000} seconds.`

  async function attempt(
    message: Message,
    signal: AbortSignal,
    onSent: () => void,
  ): Promise<ReceiverResponse | undefined> {
    const url = new URL(message.url)
    const connection = await connections.open(url, signal)
    try {
      return await post(connection, url, message, signal, onSent, false)
    } catch (error) {
      // The receiver may have just closed a reused connection, which is not a failure of the receiver.
      if (!connection.isUsed || !(error instanceof NoResponse)) throw error
    } finally {
      connection.release()
    }
    const fresh = await connections.open(url, signal, { fresh: true })
    try {
      return await post(fresh, url, message, signal, onSent, true)
    } finally {
      fresh.release()
    }
  }

  /** `isRepeated`: the attempt was already posted over a connection that was closed. */
  async function post(
    connection: Connection,
    url: URL,
    message: Message,
    signal: AbortSignal,
    onSent: () => void,
    isRepeated: boolean,
  ): Promise<ReceiverResponse | undefined> {
    let answer: Promise<ReceiverResponse> | undefined
    const write = () =>
      new Promise<boolean>((done) => {
        // The attempt may have timed out while it waited for the send lock.
        if (signal.aborted) return done(isRepeated)
        answer = connection.post({
          path: url.pathname + url.search,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Lotline-Webhooks/1',
            ...signedHeaders(
              { id: message.eventId, attempt: message.attempt, body: message.body },
              message.secrets,
            ),
          },
          body: message.body,
          signal,
          onWritten: () => done(true),
        })
        // The code that awaits the promise runs later.
        answer.catch(() => {})
        onSent()
      })
    const { accountId, webhookId, attemptId, url: target } = message
    try {
      const passing = { accountId, webhookId, attemptId, url: target, write }
      const passed = await orAborted(sendLock.pass(passing), signal)
      if (!passed) return undefined
    } catch (error) {
      // If the database failed or the time ran out after the request was written, there may still be a response.
      if (answer === undefined) {
        // Nothing was sent, so the receiver has missed nothing.
        if (error instanceof TimeOver && !isRepeated) throw new DatabaseUnavailable(notLetThrough)
        throw error
      }
    }
    return await answer
  }

  return {
    async send(message, outer, onSent = () => {}) {
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(new TimeOver()), timeoutMs)
      const abort = () => controller.abort(outer.reason)
      outer.addEventListener('abort', abort, { once: true })
      if (outer.aborted) abort()
      try {
        const answer = await attempt(message, controller.signal, onSent)
        return answer && outcomeOf(answer)
      } catch (error) {
        if (error instanceof TimeOver) return noAnswer(tooLate)
        if (error instanceof NoResponse) return noAnswer(error.message)
        throw error
      } finally {
        clearTimeout(timer)
        outer.removeEventListener('abort', abort)
      }
    },
    close: () => connections.close(),
  }
}

function outcomeOf({ status, body, retryAfter }: ReceiverResponse): AttemptResult {
  if (status > 599)
    return noAnswer(`The receiver answered with the status ${status}, which HTTP does not have.`)
  return {
    delivered: status >= 200 && status < 300,
    statusCode: status,
    error: null,
    preview: previewOf(body),
    ...(status === 429 && { pauseMs: pauseOf(retryAfter, Date.now()) }),
  }
}

/** The longest pause that a receiver can request, in milliseconds. Its events never wait longer. */
export const MAX_PAUSE_MS = 3_600_000

/** The pause that a `Retry-After` header requests, in milliseconds: a number of seconds or a date, by RFC 9110. 0: none, or unreadable. */
export function pauseOf(retryAfter: string | undefined, nowMs: number): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_PAUSE_MS)
}

function noAnswer(error: string): AttemptResult {
  return { delivered: false, statusCode: null, error, preview: '' }
}

/** Bytes of a receiver's response that are stored. */
export const PREVIEW_BYTES = 1024

/**
 * The beginning of a body as text: a limited number of bytes of valid UTF-8, cut between characters. Invalid UTF-8 becomes U+FFFD, and so
 * does NUL, which the database cannot store.
 */
export function previewOf(body: Buffer, most = PREVIEW_BYTES): string {
  // Streaming mode omits a character that is cut off at the end instead of replacing it.
  const text = new TextDecoder('utf-8').decode(body.subarray(0, most + 4), { stream: true })
  let bytes = 0
  let end = 0
  const clean = text.replaceAll('\0', '\uFFFD')
  for (const character of clean) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    end += character.length
  }
  return clean.slice(0, end)
}
