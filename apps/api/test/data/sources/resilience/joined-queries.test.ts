import { describe, expect, it } from 'vitest'
import { createJoinedQueries } from '../../../../src/data/sources/resilience/joined-queries.ts'
import { createClock } from './clock.ts'

const patient = new AbortController().signal

function makeFlights() {
  const clock = createClock()
  const asked: { signal: AbortSignal; answer: (value: string) => void; fail: (error: Error) => void }[] = []
  const singleFlight = createJoinedQueries({ joinableMs: 2000, now: clock.now })
  const join = (key: string, signal = patient) =>
    singleFlight.join(key, signal, (shared) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      asked.push({ signal: shared, answer: resolve, fail: reject })
      return promise
    })
  return { clock, asked, join }
}

describe('identical queries at the same time', () => {
  it('are sent once, and all callers get the result', async () => {
    const { asked, join } = makeFlights()
    const answers = [join('a'), join('a'), join('b'), join('a')]
    expect(asked).toHaveLength(2)
    asked[0]!.answer('of a')
    asked[1]!.answer('of b')
    expect(await Promise.all(answers)).toEqual(['of a', 'of a', 'of b', 'of a'])
  })

  it('fail together, and are sent again afterwards', async () => {
    const { asked, join } = makeFlights()
    const answers = Promise.allSettled([join('a'), join('a')])
    const error = new Error('failed')
    asked[0]!.fail(error)
    expect(await answers).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ])
    const again = join('a')
    expect(asked).toHaveLength(2)
    asked[1]!.answer('now')
    expect(await again).toBe('now')
  })

  it('continue while one caller is left, and end when the last one leaves', async () => {
    const { asked, join } = makeFlights()
    const one = new AbortController()
    const two = new AbortController()
    const first = join('a', one.signal)
    const second = join('a', two.signal)
    const reason = new Error('left')
    one.abort(reason)
    await expect(first).rejects.toBe(reason)
    expect(asked[0]!.signal.aborted).toBe(false)
    two.abort(reason)
    await expect(second).rejects.toBe(reason)
    expect(asked[0]!.signal.aborted).toBe(true)
    expect(asked[0]!.signal.reason).toBe(reason)
    // A query that no call waits for is not joined.
    void join('a')
    expect(asked).toHaveLength(2)
  })

  it('are not joined when the caller that sent the query has left, even if others still wait for it', async () => {
    const { asked, join } = makeFlights()
    const owner = new AbortController()
    const first = join('a', owner.signal)
    const joined = join('a')
    owner.abort(new Error('aborted'))
    const later = join('a')
    expect(asked).toHaveLength(2)
    await expect(first).rejects.toThrow('aborted')
    asked[1]!.answer('of the healthy source')
    expect(await later).toBe('of the healthy source')
    asked[0]!.answer('late')
    expect(await joined).toBe('late')
  })

  it('are joined only while they are young', async () => {
    const { asked, clock, join } = makeFlights()
    const old = join('a')
    clock.advance(1999)
    const joined = join('a')
    expect(asked).toHaveLength(1)
    clock.advance(1)
    const fresh = join('a')
    expect(asked).toHaveLength(2)
    asked[0]!.answer('old')
    expect([await old, await joined]).toEqual(['old', 'old'])
    // The end of the old query does not end the joining of the new one.
    const more = join('a')
    expect(asked).toHaveLength(2)
    asked[1]!.answer('fresh')
    expect([await fresh, await more]).toEqual(['fresh', 'fresh'])
  })

  it('are not sent for a client that has disconnected', async () => {
    const { asked, join } = makeFlights()
    const reason = new Error('left')
    await expect(join('a', AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(asked).toHaveLength(0)
  })
})
