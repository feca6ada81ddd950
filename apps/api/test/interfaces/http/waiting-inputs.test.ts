// Calls that wait for their key's slot hold bounded memory.

import { describe, expect, it } from 'vitest'
import {
  createWaitingInputs,
  estimateBytes,
  MAX_WAITING_BYTES,
} from '../../../src/money/limits/waiting-inputs.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

describe('the inputs of waiting calls', () => {
  it('take at most 64 MiB together: the largest is refused first, and of equal ones the last', () => {
    const waiting = createWaitingInputs()
    const refused: string[] = []
    const enter = (name: string, megabytes: number) =>
      waiting.enter(megabytes * 1024 * 1024, () => refused.push(name))
    const leaveSmall = enter('small', 1)
    enter('large', 30)
    enter('middle', 20)
    expect(refused).toEqual([])
    enter('other large', 30)
    expect(refused).toEqual(['other large'])
    enter('late', 15)
    expect(refused).toEqual(['other large', 'large'])
    expect(waiting.bytes).toBeLessThanOrEqual(MAX_WAITING_BYTES)
    enter('huge', 100)
    expect(refused).toEqual(['other large', 'large', 'huge'])
    const before = waiting.bytes
    leaveSmall()
    leaveSmall()
    expect(before - waiting.bytes).toBeGreaterThan(1024 * 1024 - 1)
    expect(before - waiting.bytes).toBeLessThan(1024 * 1024 + 10_000)
  })

  it('also count if they are very small and very many', () => {
    const waiting = createWaitingInputs()
    let refused = 0
    for (let call = 0; call < 20_000; call++) waiting.enter(0, () => refused++)
    expect(refused).toBe(20_000 - 16_384)
    expect(waiting.bytes).toBeLessThanOrEqual(MAX_WAITING_BYTES)
  })

  it('are measured with everything that they hold in memory', () => {
    expect(estimateBytes('x'.repeat(1_000))).toBeGreaterThanOrEqual(1_000)
    const body = { urls: Array.from({ length: 500 }, () => 'x'.repeat(2_000)) }
    expect(estimateBytes(body)).toBeGreaterThan(500 * 2_000)
    let deep: unknown = []
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(estimateBytes(deep)).toBeGreaterThan(100_000 * 32)
  })
})

describe('a server with waiting calls', () => {
  const testDatabase = withTestDatabase()
  const provider = createMemoryProvider()
  const server = withTestServer(testDatabase, { parts: { provider, maxWaitingBytes: 2 * 1024 * 1024 } })

  it('refuses the largest one with 503 and Retry-After, and answers the others', async () => {
    const { key } = await server.openAccount({ credits: 10_000 })
    const answer = Promise.withResolvers<never>()
    provider.trouble = () => answer.promise
    const first = server.get('/v1/properties/90000001', { key })
    await expect.poll(() => provider.asked).toBe(1)

    const batch = (length: number) => ({
      urls: Array.from(
        { length: 400 },
        (_, at) => `https://www.zillow.com/homedetails/${'x'.repeat(length)}${at}/${90_000_100 + at}_zpid/`,
      ),
    })
    const small = [1, 2, 3].map(() => server.post('/v1/properties/batch', batch(10), { key }))
    const middle = server.post('/v1/properties/batch', batch(1_200), { key })
    await expect.poll(() => server.app.waiting.bytes).toBeGreaterThan(400 * 1_200 * 2)
    // Together with this one they are too large, and it is the largest.
    const large = await server.post('/v1/properties/batch', batch(1_900), { key })
    expect([large.status, large.code, large.charged]).toEqual([503, 'service_unavailable', 0])
    expect(Number(large.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(server.app.waiting.bytes).toBeLessThanOrEqual(2 * 1024 * 1024)

    provider.trouble = undefined
    answer.reject(new Error('over'))
    expect((await first).status).toBe(500)
    for (const call of [...small, middle]) expect((await call).status).toBe(202)
    expect(server.app.waiting.bytes).toBe(0)
  })
})
