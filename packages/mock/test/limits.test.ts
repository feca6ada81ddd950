import { expect, it } from 'vitest'
import { createMockServer } from '../src/server.ts'

it('a slow client has 15 s to send the headers and 30 s to send the whole request', () => {
  const server = createMockServer(
    () => Promise.reject(new Error('not called')),
    () => undefined,
  )
  expect([server.headersTimeout, server.requestTimeout]).toEqual([15_000, 30_000])
})
