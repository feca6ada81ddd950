// Calling one mock that a test file shares, with a valid key.

import { afterAll, beforeAll } from 'vitest'
import { type RunningMock, spawnMock } from './mock-process.ts'

export interface Body {
  readonly data?: unknown
  readonly meta?: Readonly<Record<string, unknown>>
  readonly request_id?: string
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly doc_url: string
    readonly request_id: string
  }
}

export type Call = (
  path: string,
  init?: RequestInit,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>

/** A mock for the tests of a file: started before the first, stopped after the last. */
export function withMock(): { readonly call: Call; readonly mock: () => RunningMock } {
  let running: RunningMock | undefined
  beforeAll(async () => {
    running = await spawnMock('--quiet')
  })
  afterAll(() => running?.[Symbol.asyncDispose]())
  function mock(): RunningMock {
    if (!running) throw new Error('The mock is not running yet.')
    return running
  }
  return {
    mock,
    call: (path, init = {}, headers = {}) =>
      fetch(mock().origin + path, {
        ...init,
        headers: { authorization: `Bearer ${mock().key}`, ...init.headers, ...headers },
      }),
  }
}

/** A body without the id of its request, which is another in each answer, and the link that examples leave out. */
export function withoutRequestId({ request_id: _, error, ...rest }: Body): unknown {
  if (!error) return rest
  const { request_id: __, doc_url: ___, ...fields } = error as Partial<typeof error>
  return { ...rest, error: fields }
}

/** The same call without a size, so that the example comes whole. */
export function withoutSize(init: RequestInit): RequestInit {
  if (init.body === undefined) return init
  const { maxItems: _, ...body } = JSON.parse(String(init.body)) as { maxItems?: number }
  return { ...init, body: JSON.stringify(body) }
}
