// The limits of a feed's server hold for all processes together.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  blockCalls,
  CallsExhausted,
  countBytes,
  requireNoSilence,
  silenceAfter429,
  takeCall,
} from '../../../src/data/replication/call-limiter.ts'
import { profileOf } from '../../../src/data/replication/profiles.ts'
import { COMPILE_CACHE } from '../../setup/child-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import type { PacedAnswer, PacedAsk } from './paced-caller.ts'

const isFull = process.env.LOTLINE_FULL === '1'
const PROCESSES = 4
const START = Date.parse('2026-11-22T08:10:00Z')

const test = withTestDatabase()
let processes: ChildProcess[] = []

beforeAll(() => {
  processes = Array.from({ length: PROCESSES }, () =>
    fork(join(import.meta.dirname, 'paced-caller.ts'), [test.url], { env: COMPILE_CACHE }),
  )
})
afterAll(async () => {
  await Promise.all(
    processes.map(async (child) => {
      child.disconnect()
      await once(child, 'exit')
    }),
  )
})
beforeEach(() => test.database.query('truncate feed_calls, feed_credentials'))

/** The times at which the limiter admits processes that always want to call, over a simulated time. */
async function simulate(limits: PacedAsk['limits'], seconds: number): Promise<number[]> {
  const end = START + seconds * 1_000
  const calls: number[] = []
  const wakeAt = processes.map(() => START)
  for (let now = START; now < end; now = Math.min(...wakeAt)) {
    // All processes that are awake ask at the same time.
    await Promise.all(
      processes.map(async (child, at) => {
        if (wakeAt[at]! > now) return
        child.send({ now, limits } satisfies PacedAsk)
        const [answer] = (await once(child, 'message')) as [PacedAnswer]
        if ('at' in answer) calls.push(answer.at)
        wakeAt[at] = 'at' in answer ? answer.at + 1 : answer.retryAt
      }),
    )
  }
  return calls.sort((one, other) => one - other)
}

/** The maximum number of calls in any period of this length. */
function most(calls: readonly number[], seconds: number): number {
  let [from, found] = [0, 0]
  for (const [at, time] of calls.entries()) {
    while (calls[from]! <= time - seconds * 1_000) from += 1
    found = Math.max(found, at - from + 1)
  }
  return found
}

describe('the limits of a credential', () => {
  it(`are kept by ${PROCESSES} processes of the strictest profile, over a simulated time`, async () => {
    const profile = profileOf({ profile: 'mlsgrid' })
    const seconds = isFull ? 3_600 : 120
    const calls = await simulate(profile, seconds)
    expect(most(calls, 1)).toBeLessThanOrEqual(2)
    expect(most(calls, 3_600)).toBeLessThanOrEqual(7_200 * 0.8)
    // The limit is used: 1.6 calls a second, 20% below 2.
    expect(calls.length).toBeGreaterThan(1.5 * seconds)
  })

  it('are kept across the end of a long window', async () => {
    const limits = { callsPerSecond: 10, windows: [{ seconds: 120, calls: 100 }] }
    const calls = await simulate(limits, 400)
    expect(most(calls, 120)).toBe(80)
    expect(calls.length).toBeGreaterThan(160)
  })

  it('stop the calls at the limit of bytes until enough time has passed', async () => {
    const now = new Date(START)
    const limits = { callsPerSecond: 2, windows: [{ seconds: 3_600, calls: 1_000, bytes: 1_000 }] }
    await takeCall(test.database, 'shared', limits, now)
    await countBytes(test.database, 'shared', 800, now)
    const refused = await takeCall(test.database, 'shared', limits, new Date(START + 1_000)).catch(
      (error) => error,
    )
    expect(refused).toBeInstanceOf(CallsExhausted)
    expect(refused.retryAt).toEqual(new Date(START + 3_660_000))
    expect(await takeCall(test.database, 'shared', limits, refused.retryAt)).toBe(0)
  })

  it('do not affect another credential', async () => {
    const limits = { callsPerSecond: 1, windows: [{ seconds: 3_600, calls: 2 }] }
    await takeCall(test.database, 'one', limits)
    await expect(takeCall(test.database, 'one', limits)).rejects.toThrow(CallsExhausted)
    expect(await takeCall(test.database, 'other', limits)).toBe(0)
  })

  it('stop every process when the server asks for a pause', async () => {
    await blockCalls(test.database, 'shared', new Date(START + 60_000))
    const calls = await simulate({ callsPerSecond: 10, windows: [] }, 62)
    expect(calls[0]).toBe(START + 60_000)
  })
})

describe('a call that was reserved', () => {
  it('is not made if another process got a 429 meanwhile', async () => {
    await takeCall(test.database, 'shared', { callsPerSecond: 1, windows: [] })
    expect(await takeCall(test.database, 'shared', { callsPerSecond: 1, windows: [] })).toBeGreaterThan(0)
    await requireNoSilence(test.database, 'shared')
    await blockCalls(test.database, 'shared', new Date(Date.now() + 60_000))
    await expect(requireNoSilence(test.database, 'shared')).rejects.toThrow(CallsExhausted)
  })
})

describe('after a 429', () => {
  const now = new Date('2026-11-22T08:59:30Z')

  it('MLS Grid is not called before its next hour on its own clock', () => {
    expect(silenceAfter429({}, { after429: 'hour' }, now, 1)).toEqual(new Date('2026-11-22T09:00:05Z'))
    const date = 'Sun, 22 Nov 2026 09:03:00 GMT'
    expect(silenceAfter429({ date }, { after429: 'hour' }, now, 1)).toEqual(new Date('2026-11-22T09:56:35Z'))
  })

  it.each([
    [{ 'retry-after': '70' }, 70],
    [{ 'retry-after': 'Sun, 22 Nov 2026 09:01:00 GMT' }, 90],
    [{ 'hour-quota-resettime': '72500.5' }, 72.5005],
    [{ 'hour-quota-resettime': String(now.getTime() + 64_000) }, 64],
    [{ 'hour-quota-resettime': String(now.getTime() / 1_000 + 64) }, 64],
    [{}, 60],
    // At most a day: a wrong header does not stop the credential for years.
    [{ 'retry-after': '999999999' }, 86_400],
    [{ 'retry-after': 'Sat, 22 Nov 2098 09:01:00 GMT' }, 86_400],
    [{ 'hour-quota-resettime': '4070908800000' }, 86_400],
    [{ 'hour-quota-resettime': 'Infinity' }, 60],
    // Never immediately, whatever the header states.
    [{ 'retry-after': '0' }, 60],
    [{ 'retry-after': 'Sun, 22 Nov 2026 08:00:00 GMT' }, 60],
    // On the server’s clock, which is an hour behind.
    [{ 'retry-after': 'Sun, 22 Nov 2026 08:01:40 GMT', date: 'Sun, 22 Nov 2026 08:00:00 GMT' }, 100],
  ])('a server that sends %o is called again after %d seconds', (headers, seconds) => {
    const until = silenceAfter429(headers, { after429: 'backoff' }, now, 1)
    expect((until.getTime() - now.getTime()) / 1_000).toBeCloseTo(seconds, 2)
  })

  it('the pause without a stated time doubles each time, up to an hour', () => {
    const waits = [1, 2, 3, 20].map(
      (attempt) => silenceAfter429({}, { after429: 'backoff' }, now, attempt).getTime() - now.getTime(),
    )
    expect(waits).toEqual([60_000, 120_000, 240_000, 3_600_000])
  })
})
