// One attempt to deliver: a POST whose answer is judged as the service judges it. 2xx is a success, redirects are not
// followed, 15 seconds is all a receiver gets, and 4 KiB of what it answers are read.

import { createWebhook, type WebhookOptions } from './create-webhook.ts'
import { parseTarget } from './target.ts'

export interface SendOptions extends WebhookOptions {
  /** The timeout in milliseconds. The default is 15,000, as in the service. */
  readonly timeoutMs?: number
}

export interface WebhookOutcome {
  readonly eventId: string
  /** Whether the response status was 2xx. */
  readonly delivered: boolean
  /** The response status. null if there was no response. */
  readonly status: number | null
  /** The first KiB of the response body. Empty if there was no response. */
  readonly preview: string
  /** The reason why there was no response, as a sentence. null if there was one. */
  readonly error: string | null
}

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 4096
const PREVIEW_BYTES = 1024

const SENTENCE_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused: nothing listens there.',
  ECONNRESET: 'The connection was closed before an answer came.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  ENOTFOUND: 'There is no host of this name.',
  EAI_AGAIN: 'The name of the host could not be resolved.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is signed by itself.',
}

/**
 * Sends a signed event once. The address may be of this machine, and http; the service delivers to https only, and to
 * public addresses. A receiver that does not answer is an outcome, no error.
 *
 * @throws RangeError when the address or an option cannot be used
 */
export async function sendWebhook(
  to: string | URL,
  { timeoutMs = TIMEOUT_MS, ...options }: SendOptions,
): Promise<WebhookOutcome> {
  const url = parseTarget(to)
  const { eventId, headers, body } = createWebhook(options)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const preview = await readPreview(response)
    return { eventId, delivered: response.ok, status: response.status, preview, error: null }
  } catch (error) {
    const late = `The receiver did not answer within ${timeoutMs / 1000} seconds.`
    const sentence = signal.aborted ? late : describeNetworkError(error as Error)
    return { eventId, delivered: false, status: null, preview: '', error: sentence }
  }
}

async function readPreview(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_ANSWER_BYTES) break
  }
  // Streaming: a character that is cut off at the end is left out instead of being replaced.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, PREVIEW_BYTES), { stream: true })
}

function describeNetworkError(error: Error): string {
  const cause = (error.cause ?? error) as NodeJS.ErrnoException
  return SENTENCE_BY_ERROR_CODE[cause.code ?? ''] ?? `The receiver could not be reached: ${cause.message}.`
}
