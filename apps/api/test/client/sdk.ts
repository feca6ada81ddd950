// The SDK over the test's own server. It records the response of each call and checks it against the contract.

import { Lotline } from '@lotline/client'
import { checkAnswer } from '../setup/contract-check.ts'
import type { TestServer } from '../setup/test-server.ts'

export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Sdk {
  readonly lotline: Lotline
  /** The responses so far. */
  readonly answers: WireAnswer[]
}

/** Sends each call once, without retries, so that an expected refusal returns immediately. */
export function sdkFor({ url }: Pick<TestServer, 'url'>, apiKey: string): Sdk {
  const answers: WireAnswer[] = []
  const lotline = new Lotline({
    apiKey,
    baseUrl: url,
    maxRetries: 0,
    async fetch(request, init) {
      const response = await fetch(request, init)
      const { status, headers } = response
      const answer = { status, headers, text: await response.clone().text() }
      checkAnswer({ method: request.method, url: request.url.slice(url.length), ...answer })
      answers.push(answer)
      return response
    },
  })
  return { lotline, answers }
}
