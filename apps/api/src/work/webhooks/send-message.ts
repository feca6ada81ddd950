// One attempt: open a connection, take the send lock, write the signed request, read the response of the receiver. The
// caller decides what is sent and what follows from the outcome. An attempt always ends within its time.

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
  /** To sign with; the current one first. */
  readonly secrets: readonly Buffer[]
}

export interface Sender {
  /**
   * `undefined`: nothing was sent, because the webhook is revoked, paused or has another URL, or another process has the
   * attempt by now.
   *
   * `signal` breaks the attempt off, and its reason is thrown, unless an answer has begun. `onSent` is called when the
   * request is written.
   *
   * @throws {DatabaseUnavailable} when nothing was sent because the database did not answer in time.
   */
  send(message: Message, signal: AbortSignal, onSent?: () => void): Promise<AttemptResult | undefined>
  close(): void
}

/** The attempt's own time is over. */
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
      // A connection that was kept may have been closed by the receiver just now, which says nothing about it.
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

  /** `isRepeated`: the attempt has been posted before, over a connection that was closed. */
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
        // The time may have run out before the send lock was free.
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
        // The code that waits for it comes later.
        answer.catch(() => {})
        onSent()
      })
    const { accountId, webhookId, attemptId, url: target } = message
    try {
      const passing = { accountId, webhookId, attemptId, url: target, write }
      const passed = await orAborted(sendLock.pass(passing), signal)
      if (!passed) return undefined
    } catch (error) {
      // If the database failed, or the time ran out, after the request was written, there may be an answer all the same.
      if (answer === undefined) {
        // Nothing was asked of the receiver, so that it has missed nothing.
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

/** The longest pause that a receiver can ask for. Its events are not kept waiting for longer. Milliseconds. */
export const MAX_PAUSE_MS = 3_600_000

/**
 * The pause that a `Retry-After` asks for, in milliseconds: a number of seconds or a date, by RFC 9110. 0: it asks for none,
 * or cannot be read.
 */
export function pauseOf(retryAfter: string | undefined, nowMs: number): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_PAUSE_MS)
}

function noAnswer(error: string): AttemptResult {
  return { delivered: false, statusCode: null, error, preview: '' }
}

/** Bytes of a receiver's answer that are kept. */
export const PREVIEW_BYTES = 1024

/**
 * The beginning of a body as text: at most `most` bytes of valid UTF-8, cut between characters. What is no UTF-8 becomes
 * U+FFFD, and so does NUL, which the database cannot keep.
 */
export function previewOf(body: Buffer, most = PREVIEW_BYTES): string {
  // Streaming: a character that is cut off at the end is left out instead of being replaced.
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
