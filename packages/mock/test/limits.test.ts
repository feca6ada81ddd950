import { expect, it } from 'vitest'
import { createMockServer } from '../src/server.ts'

it('a slow sender has the time that the contract gives: 15 s for the headers, 30 s for the whole request', () => {
  const server = createMockServer(
    () => Promise.reject(new Error('not called')),
    () => undefined,
  )
  expect([server.headersTimeout, server.requestTimeout]).toEqual([15_000, 30_000])
})
