// Sends a call, including its retries.

import { LotlineError } from '../errors.ts'
import { type AttemptOptions, attempt, type Fetch } from './attempt.ts'
import { pause } from './pause.ts'
import { findRetryWaitMs, type Repetition } from './repeat.ts'

export interface SendOptions extends Omit<AttemptOptions, 'fetch'> {
  readonly maxRetries: number
  readonly repetition: Repetition
}

/** Where calls and retries are logged, for example `console`. */
export interface Logger {
  debug(line: string): void
  info(line: string): void
}

export interface SendTools {
  readonly fetch: Fetch
  readonly logger?: Logger | undefined
  readonly pause: typeof pause
  /** Returns a random number of at least 0 and below 1. */
  readonly random: () => number
}

export type Send = (request: Request, options: SendOptions) => Promise<Response>

export function createSend(tools: Pick<SendTools, 'fetch'> & Partial<SendTools>): Send {
  const { fetch, logger, pause: wait, random } = { pause, random: Math.random, logger: undefined, ...tools }
  return async (request, options) => {
    // The log omits the query, which can contain an address, and the headers, which contain the key.
    const name = `${request.method} ${new URL(request.url).pathname}`
    for (let repeated = 0; ; repeated++) {
      const startedMs = Date.now()
      const log = (outcome: number | string, requestId = 'no request id') =>
        logger?.debug(`${name}: ${outcome} in ${Date.now() - startedMs} ms, ${requestId}`)
      try {
        // A Request can be sent only once, so each attempt sends a copy.
        const response = await attempt(request.clone(), { ...options, fetch })
        log(response.status, response.headers.get('x-request-id') ?? undefined)
        return response
      } catch (error) {
        if (!(error instanceof LotlineError)) throw error
        log(error.status ?? error.code, error.requestId)
        if (repeated >= options.maxRetries) throw error
        const waitMs = findRetryWaitMs(error, options.repetition, repeated, random)
        if (waitMs === undefined) throw error
        logger?.info(`${name}: ${error.code}; next attempt in ${(waitMs / 1_000).toFixed(1)} s`)
        await wait(waitMs, options.signal)
      }
    }
  }
}
