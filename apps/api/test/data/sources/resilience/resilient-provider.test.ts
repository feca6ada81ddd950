// The resilience as a whole, on a clock that tests move.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ProviderFailure,
  ProviderTimeout,
  type QueryContext,
  TransientFailure,
} from '../../../../src/data/sources/provider.ts'
import { makeResilient } from '../../../../src/data/sources/resilience/resilient-provider.ts'
import { createStubProvider, HOME } from './stub-provider.ts'

const TIMEOUT_MS = 20_000
const never = () => new Promise<never>(() => {})
const patient: QueryContext = { signal: new AbortController().signal }
/** The client has disconnected. */
class ClientDisconnected extends Error {}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function guard(answer: (asking: QueryContext, count: number) => Promise<unknown>, options = {}) {
  const provider = createStubProvider({ answer })
  const guarded = makeResilient(provider, {
    timeoutMs: TIMEOUT_MS,
    now: () => Date.now(),
    random: () => 0.5,
    ...options,
  })
  let zpid = 0
  return {
    provider,
    guarded,
    ask: (asking = patient) => guarded.findByZpid('1', asking),
    /** Sends a query that no other call sends. */
    askAddress: (asking = patient) =>
      guarded.findByAddress({ number: String(zpid++), street: 'A ST', key: '' }, 'FOR_SALE', asking),
  }
}

/** The outcome of a query within `ms`. */
async function endOf(query: Promise<unknown>, ms: number): Promise<unknown> {
  let end: unknown = 'under way'
  query.then(
    (value) => {
      end = value
    },
    (error) => {
      end = error
    },
  )
  await vi.advanceTimersByTimeAsync(ms)
  return end
}

describe('the deadline', () => {
  it('ends a query that hangs with ProviderTimeout, and not before', async () => {
    const { ask, provider } = guard(never)
    const query = ask()
    expect(await endOf(query, TIMEOUT_MS - 1)).toBe('under way')
    expect(await endOf(query, 1)).toBeInstanceOf(ProviderTimeout)
    expect(provider.asked[0]!.aborted).toBe(true)
  })

  it('covers all retries of a query', async () => {
    const { ask } = guard(async (_asking, count) => {
      if (count < 3) throw new TransientFailure('away')
      return never()
    })
    const query = ask()
    expect(await endOf(query, TIMEOUT_MS - 1)).toBe('under way')
    expect(await endOf(query, 1)).toBeInstanceOf(ProviderTimeout)
  })

  it('covers the wait for a permit', async () => {
    const { ask } = guard(never, { atATime: 1, timeoutMs: 3000 })
    const queries = [ask(), ask()]
    for (const query of queries) query.catch(() => {})
    expect(await endOf(queries[1]!, 2999)).toBe('under way')
    expect(await endOf(queries[1]!, 1)).toBeInstanceOf(ProviderTimeout)
  })
})

describe('the query of a job', () => {
  const job: QueryContext = { signal: patient.signal, owner: { account: 'a', background: true } }

  it('waits for its turn without its deadline, which begins when it is sent', async () => {
    const { askAddress, provider } = guard(never, { atATime: 1, timeoutMs: 3000 })
    const [first, second] = [askAddress(job), askAddress(job)]
    expect(await endOf(first, 3000)).toBeInstanceOf(ProviderTimeout)
    expect(provider.asked).toHaveLength(2)
    expect(await endOf(second, 2999)).toBe('under way')
    expect(await endOf(second, 1)).toBeInstanceOf(ProviderTimeout)
  })

  it('is not joined by a synchronous call, which would then wait for its turn too', async () => {
    const { guarded, provider } = guard(never)
    const address = { number: '1', street: 'A ST', key: '' }
    for (const asking of [job, job, patient, patient])
      guarded.findByAddress(address, 'FOR_SALE', asking).catch(() => {})
    await vi.advanceTimersByTimeAsync(0)
    expect(provider.asked).toHaveLength(2)
  })
})

describe('a query', () => {
  it('is retried after a transient failure', async () => {
    const { ask, provider } = guard(async (_asking, count) => {
      if (count < 3) throw new TransientFailure('away')
      return HOME
    })
    expect(await endOf(ask(), 150)).toEqual(HOME)
    expect(provider.asked).toHaveLength(3)
  })

  it('is sent at most three times, and ends with the last failure', async () => {
    const failures = [1, 2, 3].map((count) => new TransientFailure(String(count)))
    const { ask, provider } = guard(async (_asking, count) => {
      throw failures[count - 1]
    })
    expect(await endOf(ask(), TIMEOUT_MS)).toBe(failures[2])
    expect(provider.asked).toHaveLength(3)
  })

  it.each([
    ['an unusable answer', new ProviderFailure('html')],
    ['a time-out of its own', new ProviderTimeout('no connection')],
    ['a mistake of ours', new TypeError('oops')],
  ])('is not asked again after %s', async (_what, error) => {
    const { ask, provider } = guard(() => Promise.reject(error))
    expect(await endOf(ask(), TIMEOUT_MS)).toBe(error)
    expect(provider.asked).toHaveLength(1)
  })

  it('pauses for a random time before a retry, up to 100 ms and then up to 200 ms', async () => {
    for (const [random, waits] of [
      [0, [0, 0]],
      [0.999, [99.9, 199.8]],
    ] as const) {
      const at: number[] = []
      const { ask } = guard(
        async () => {
          at.push(Date.now())
          throw new TransientFailure('away')
        },
        { random: () => random },
      )
      await endOf(ask(), TIMEOUT_MS)
      expect(at[1]! - at[0]!).toBeCloseTo(waits[0], -1)
      expect(at[2]! - at[1]!).toBeCloseTo(waits[1], -1)
    }
  })

  it('is not retried before Retry-After', async () => {
    const { ask, provider } = guard(async (_asking, count) => {
      if (count === 1) throw new TransientFailure('busy', { retryAfterMs: 3000 })
      return HOME
    })
    const query = ask()
    expect(await endOf(query, 2999)).toBe('under way')
    expect(provider.asked).toHaveLength(1)
    expect(await endOf(query, 100)).toEqual(HOME)
  })

  it('fails immediately if Retry-After is beyond its deadline', async () => {
    const busy = new TransientFailure('busy', { retryAfterMs: TIMEOUT_MS })
    const { ask, provider } = guard(() => Promise.reject(busy))
    expect(await endOf(ask(), 0)).toBe(busy)
    expect(provider.asked).toHaveLength(1)
  })
})

describe('retries', () => {
  it('are a tenth of the queries beyond a small allowance, even if every query fails once', async () => {
    const failed = new Set<string>()
    let first = 0
    const { provider, guarded } = guard(async () => undefined)
    provider.findByZpid = async (zpid) => {
      if (failed.has(zpid)) return { ...HOME, record: { ...HOME.record, zpid } }
      failed.add(zpid)
      first++
      // Every other query is answered, so that the circuit stays closed.
      if (first % 2 === 0) return { ...HOME, record: { ...HOME.record, zpid } }
      throw new TransientFailure('away')
    }
    let unanswered = 0
    for (let zpid = 1; zpid <= 1000; zpid++) {
      const end = await endOf(guarded.findByZpid(String(zpid), patient), 100)
      if (end instanceof TransientFailure) unanswered++
    }
    const retried = 500 - unanswered
    // 1,000 queries, ten saved retries, and one for each of 20 intervals of five seconds.
    expect(retried).toBeGreaterThan(100)
    expect(retried).toBeLessThanOrEqual(100 + 10 + 20)
  })
})

describe('the circuit', () => {
  const away = () => Promise.reject(new TransientFailure('away', { retryAfterMs: TIMEOUT_MS }))

  it('makes queries fail immediately after five failures in a row', async () => {
    const changes: string[] = []
    const { ask, provider } = guard(away, { onCircuit: (state: string) => changes.push(state) })
    for (let n = 0; n < 5; n++) await endOf(ask(), 0)
    const end = await endOf(ask(), 0)
    expect(end).toBeInstanceOf(ProviderFailure)
    expect(end).not.toBeInstanceOf(TransientFailure)
    expect(provider.asked).toHaveLength(5)
    expect(changes).toEqual(['open'])
  })

  it('opens when queries hang, and closes within a second after the source answers again', async () => {
    let answer: () => Promise<unknown> = never
    const { ask } = guard(() => answer())
    const hanging = [1, 2, 3, 4, 5].map(() => ask().catch((error) => error))
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
    for (const end of await Promise.all(hanging)) expect(end).toBeInstanceOf(ProviderTimeout)
    expect(await endOf(ask(), 0)).toBeInstanceOf(ProviderFailure)
    await vi.advanceTimersByTimeAsync(1000)
    // A probe that was sent just before the recovery and hangs for its whole time.
    ask().catch(() => {})
    answer = async () => HOME
    expect(await endOf(ask(), 0)).toBeInstanceOf(ProviderFailure)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await endOf(ask(), 0)).toEqual(HOME)
    expect(await endOf(ask(), 0)).toEqual(HOME)
  })

  it('is not closed by a probe whose caller leaves', async () => {
    let answer: () => Promise<unknown> = away
    const { ask } = guard(() => answer())
    for (let n = 0; n < 5; n++) await endOf(ask(), 0)
    await vi.advanceTimersByTimeAsync(1000)
    answer = never
    const principal = new AbortController()
    const probe = ask(principal)
    await vi.advanceTimersByTimeAsync(10)
    principal.abort(new ClientDisconnected())
    await expect(probe).rejects.toThrow(ClientDisconnected)
    expect(await endOf(ask(), 0)).toBeInstanceOf(ProviderFailure)
  })

  it('refuses immediately while it is open, without a wait for a permit', async () => {
    let answer: () => Promise<unknown> = away
    const { ask } = guard(() => answer(), { atATime: 1 })
    for (let n = 0; n < 5; n++) await endOf(ask(), 0)
    await vi.advanceTimersByTimeAsync(1000)
    answer = never
    expect(await endOf(ask(), 10)).toBe('under way')
    expect(await endOf(ask(), 0)).toBeInstanceOf(ProviderFailure)
  })

  it('ends a query immediately that would wait for a retry that the circuit refuses', async () => {
    const { ask } = guard(() => Promise.reject(new TransientFailure('away')))
    for (const query of [ask(), ask(), ask(), ask()]) query.catch(() => {})
    expect(await endOf(ask(), 0)).toBeInstanceOf(TransientFailure)
  })

  it('is opened by a source that cannot answer, not by unusable results', async () => {
    const { ask, provider } = guard(() => Promise.reject(new ProviderFailure('html')))
    for (let n = 0; n < 50; n++) await endOf(ask(), 0)
    expect(provider.asked).toHaveLength(50)
  })

  it('is not opened by clients that disconnect', async () => {
    const { ask, provider } = guard(never)
    for (let n = 0; n < 50; n++) {
      const principal = new AbortController()
      const query = ask(principal)
      query.catch(() => {})
      principal.abort(new ClientDisconnected())
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(provider.asked).toHaveLength(50)
  })
})

describe('a client that disconnects', () => {
  it('stops waiting, and the query to the source is aborted', async () => {
    const { askAddress, provider } = guard(never)
    const principal = new AbortController()
    const query = askAddress(principal)
    await vi.advanceTimersByTimeAsync(10)
    const reason = new ClientDisconnected()
    principal.abort(reason)
    expect(await endOf(query, 0)).toBe(reason)
    expect(provider.asked[0]!.aborted).toBe(true)
  })

  it('causes no retry, even if the source fails at that moment', async () => {
    const { ask, provider } = guard(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new TransientFailure('lost')))
        }),
    )
    const principal = new AbortController()
    const query = ask(principal)
    await vi.advanceTimersByTimeAsync(10)
    const reason = new ClientDisconnected()
    principal.abort(reason)
    expect(await endOf(query, TIMEOUT_MS)).toBe(reason)
    expect(provider.asked).toHaveLength(1)
  })

  it('ends the pause before a retry', async () => {
    const { ask, provider } = guard(() =>
      Promise.reject(new TransientFailure('busy', { retryAfterMs: 5000 })),
    )
    const principal = new AbortController()
    const query = ask(principal)
    await vi.advanceTimersByTimeAsync(10)
    const reason = new ClientDisconnected()
    principal.abort(reason)
    expect(await endOf(query, 0)).toBe(reason)
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
    expect(provider.asked).toHaveLength(1)
  })

  it('releases the permit', async () => {
    const { ask } = guard(async (_asking, count) => (count === 1 ? never() : HOME), { atATime: 1 })
    const principal = new AbortController()
    const query = ask(principal)
    query.catch(() => {})
    await vi.advanceTimersByTimeAsync(10)
    principal.abort(new ClientDisconnected())
    expect(await endOf(ask(), 0)).toEqual(HOME)
  })

  it('causes no provider call if it disconnects before the query', async () => {
    const { ask, askAddress, provider } = guard(async () => HOME)
    const reason = new ClientDisconnected()
    expect(await endOf(ask({ signal: AbortSignal.abort(reason) }), 0)).toBe(reason)
    expect(await endOf(askAddress({ signal: AbortSignal.abort(reason) }), 0)).toBe(reason)
    expect(provider.asked).toHaveLength(0)
  })
})

describe('concurrent queries', () => {
  it('are limited to 128, and the others wait', async () => {
    let open = 0
    let most = 0
    const { ask } = guard(async () => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, 100))
      open--
      return HOME
    })
    const queries = Array.from({ length: 500 }, () => ask())
    await vi.advanceTimersByTimeAsync(400)
    expect(await Promise.all(queries)).toHaveLength(500)
    expect(most).toBe(128)
  })

  it('are sent once if they are identical searches', async () => {
    const provider = createStubProvider({ area: () => ({ records: [HOME.record], total: 1 }) })
    const guarded = makeResilient(provider, { timeoutMs: TIMEOUT_MS })
    const search = { status: 'for_sale', bbox: { west: 0, south: 0, east: 1, north: 1 } } as const
    const results = await Promise.all([10, 10, 20].map((limit) => guarded.search(search, { limit }, patient)))
    expect(results).toHaveLength(3)
    expect(provider.asked).toHaveLength(2)
  })
})

describe('a search of areas that this process compares itself', () => {
  const square = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ] as const
  const searchOf = (price: number) =>
    ({
      status: 'for_sale',
      bbox: { west: -180, south: -90, east: 180, north: 90 },
      areas: [{ type: 'Polygon', coordinates: [square] }],
      price: { min: price },
    }) as const

  it.each([
    [true, 'answered'],
    [false, 'refused'],
  ])('that takes too long (own work: %s) leaves lookups %s', async (knowsAreas, lookups) => {
    const stub = createStubProvider({ answer: async () => HOME, area: never })
    const guarded = makeResilient({ ...stub, knowsAreas }, { timeoutMs: TIMEOUT_MS, now: () => Date.now() })
    const searches = Array.from({ length: 8 }, (_, call) =>
      guarded.search(searchOf(call), { limit: 1 }, patient).catch((error: unknown) => error),
    )
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
    for (const ended of await Promise.all(searches)) expect(ended).toBeInstanceOf(ProviderTimeout)
    const ended = await endOf(guarded.findByZpid('1', patient), 1)
    if (lookups === 'answered') expect(ended).toMatchObject({ record: { zpid: '1' } })
    else expect(ended).toBeInstanceOf(ProviderFailure)
  })
})
