import { describe, expect, it } from 'vitest'
import type { Repetition } from '../src/core/repeat.ts'
import { createSend } from '../src/core/send.ts'
import { ConnectionError, RateLimitedError, ServerError, TimeoutError } from '../src/errors.ts'
import {
  breakOffResponse,
  hangUp,
  impatient,
  type Responder,
  refusal,
  sendNothing,
  startLoopback,
  success,
} from './loopback.ts'

/** What happened to a call over real HTTP: how often it was sent, what was waited between, and how it ended. */
async function send(
  answers: Responder[],
  { repetition = 'safe', maxRetries = 3, random = 1, timeoutMs = 30_000 }: Partial<RetryOptions> = {},
) {
  const loopback = await startLoopback(...answers)
  const waitsMs: number[] = []
  const request = new Request(loopback.url, { method: 'POST', body: 'as it was' })
  const ended = await createSend({ fetch, ...impatient(waitsMs, random) })(request, {
    timeoutMs,
    maxRetries,
    repetition,
    signal: undefined,
    streamed: false,
  }).catch((error: unknown) => error)
  return { ended, waitsMs, times: loopback.asked.length, bodies: loopback.asked.map(({ body }) => body) }
}

interface RetryOptions {
  readonly repetition: Repetition
  readonly maxRetries: number
  readonly random: number
  readonly timeoutMs: number
}

const down = refusal(502, 'upstream_error', { 'x-credits-charged': '0' })
const limited = refusal(429, 'rate_limited', { 'retry-after': '12' })

describe('a call that is safe to retry', () => {
  it.each([
    ['a 500', refusal(500, 'internal_error')],
    ['a 502', down],
    ['a 503', refusal(503, 'service_unavailable')],
    ['a 504', refusal(504, 'upstream_timeout')],
    ['a 502 of a proxy', ((response) => response.writeHead(502).end('<html>')) as Responder],
    ['a 429', limited],
    ['a connection that is lost before the answer', hangUp],
    ['a connection that is lost within the answer', breakOffResponse],
  ])('is retried after %s, with the same body', async (_, failing) => {
    const { ended, times, bodies } = await send([failing, failing, success()])
    expect(ended).toBeInstanceOf(Response)
    expect(times).toBe(3)
    expect(new Set(bodies)).toEqual(new Set(['as it was']))
  })

  it.each([400, 401, 402, 403, 404, 405, 409, 413])('is not retried after a %i', async (status) => {
    const { ended, times } = await send([refusal(status, 'whatever'), success()])
    expect([ended, times]).toMatchObject([{ status }, 1])
  })

  it('is not retried after a timeout', async () => {
    // On a busy machine the time may be over before the request arrives. No wait means that there was no repetition.
    const { ended, times, waitsMs } = await send([sendNothing], { timeoutMs: 500 })
    expect(ended).toBeInstanceOf(TimeoutError)
    expect(times).toBeLessThanOrEqual(1)
    expect(waitsMs).toEqual([])
  })

  it('fails with the error of the last attempt when no retries are left', async () => {
    const { ended, times } = await send([down, down, hangUp], { maxRetries: 2 })
    expect(ended).toBeInstanceOf(ConnectionError)
    expect(times).toBe(3)
  })

  it('is sent once if retries are off', async () => {
    const { ended, times } = await send([down, success()], { maxRetries: 0 })
    expect(ended).toBeInstanceOf(ServerError)
    expect(times).toBe(1)
  })
})

describe('the wait before a retry', () => {
  it('is 2 s plus a random time whose maximum doubles each time, up to 30 s', async () => {
    const longest = await send([hangUp], { maxRetries: 7 })
    expect(longest.waitsMs).toEqual([3_000, 4_000, 6_000, 10_000, 18_000, 32_000, 32_000])
    const shortest = await send([hangUp], { maxRetries: 7, random: 0 })
    expect(new Set(shortest.waitsMs)).toEqual(new Set([2_000]))
  })

  it('is at least Retry-After, and at least 2 s after a 429', async () => {
    expect((await send([limited, success()], { random: 0 })).waitsMs).toEqual([12_000])
    const sooner = refusal(429, 'rate_limited', { 'retry-after': '0' })
    expect((await send([sooner, success()], { random: 0 })).waitsMs).toEqual([2_000])
    const silent = refusal(429, 'rate_limited')
    expect((await send([silent, success()], { random: 0 })).waitsMs).toEqual([2_000])
    const stopping = refusal(503, 'service_unavailable', { 'retry-after': '30' })
    expect((await send([stopping, success()], { random: 0 })).waitsMs).toEqual([30_000])
  })

  it('accepts a date in Retry-After', async () => {
    const date = new Date(Date.now() + 100_000).toUTCString()
    const { waitsMs } = await send([refusal(503, 'x', { 'retry-after': date }), success()], { random: 0 })
    expect(waitsMs[0]).toBeGreaterThan(50_000)
    expect(waitsMs[0]).toBeLessThanOrEqual(100_000)
  })

  it('never exceeds two minutes: the call fails with the error instead', async () => {
    const { ended, times } = await send([refusal(429, 'rate_limited', { 'retry-after': '3600' })])
    expect(ended).toBeInstanceOf(RateLimitedError)
    expect([(ended as RateLimitedError).retryAfterMs, times]).toEqual([3_600_000, 1])
  })
})

describe('a call that could be charged twice', () => {
  it.each([
    ['a 429', limited],
    ['a 5xx with which the service says that it charged nothing', down],
  ])('is retried after %s', async (_, failing) => {
    expect((await send([failing, success()], { repetition: 'charges' })).times).toBe(2)
  })

  it.each([
    ['a lost connection', hangUp],
    ['an answer that breaks off', breakOffResponse],
    [
      'a 5xx of something in between',
      ((response) => response.writeHead(504).end('gateway time-out')) as Responder,
    ],
  ])('is not retried after %s', async (_, failing) => {
    expect((await send([failing, success()], { repetition: 'charges' })).times).toBe(1)
  })
})

describe('a call that did not reach the service because no connection was made', () => {
  it.each(['safe', 'charges', 'acts'] as const)(
    'is repeated, also one of the kind "%s"',
    async (repetition) => {
      const closed = await startLoopback(success())
      await closed.close()
      const waitsMs: number[] = []
      const ended = await createSend({ fetch, ...impatient(waitsMs) })(new Request(closed.url), {
        timeoutMs: 30_000,
        maxRetries: 2,
        repetition,
        signal: undefined,
        streamed: false,
      }).catch((error: unknown) => error)
      expect(ended).toBeInstanceOf(ConnectionError)
      expect((ended as ConnectionError).unsent).toBe(true)
      expect(waitsMs).toHaveLength(2)
    },
  )

  it('is not assumed if an open connection was lost', async () => {
    expect((await send([hangUp], { maxRetries: 0 })).ended).toMatchObject({ unsent: false })
  })
})

describe('a call that is not idempotent', () => {
  it('is retried after a 429, when nothing was done', async () => {
    expect((await send([limited, success()], { repetition: 'acts' })).times).toBe(2)
  })

  it.each([
    ['a 502', down],
    ['a lost connection', hangUp],
  ])('is not retried after %s', async (_, failing) => {
    expect((await send([failing, success()], { repetition: 'acts' })).times).toBe(1)
  })
})
