// A call with all its attempts.

import { LotlineError } from '../errors.ts'
import { type AttemptOptions, attempt, type Fetch } from './attempt.ts'
import { pause } from './pause.ts'
import { findWaitMs, type Repetition } from './repeat.ts'

export interface SendOptions extends Omit<AttemptOptions, 'fetch'> {
  readonly maxRetries: number
  readonly repetition: Repetition
}

export interface SendTools {
  readonly fetch: Fetch
  readonly pause: typeof pause
  /** At least 0, below 1. */
  readonly random: () => number
}

export type Send = (request: Request, options: SendOptions) => Promise<Response>

export function createSend(tools: Pick<SendTools, 'fetch'> & Partial<SendTools>): Send {
  const { fetch, pause: wait, random } = { pause, random: Math.random, ...tools }
  return async (request, options) => {
    for (let repeated = 0; ; repeated++) {
      try {
        // A request can be sent once; a copy leaves the original for the next attempt.
        return await attempt(request.clone(), { ...options, fetch })
      } catch (error) {
        if (!(error instanceof LotlineError) || repeated >= options.maxRetries) throw error
        const waitMs = findWaitMs(error, options.repetition, repeated, random)
        if (waitMs === undefined) throw error
        await wait(waitMs, options.signal)
      }
    }
  }
}
