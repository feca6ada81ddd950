import { describe, expect, it } from 'vitest'
import { ProviderFailure, ProviderTimeout } from '../../../src/data/sources/provider.ts'
import { ProviderRetry } from '../../../src/work/jobs/run/provider-retry.ts'
import { Lease, LeaseLost, Stopping } from '../../../src/work/loop/lease.ts'

const OPTIONS = { shortMs: 60, longMs: 500, firstPauseMs: 5, longestPauseMs: 20 }
const down = () => Promise.reject(new ProviderFailure('down'))

function make(hasProgress: boolean) {
  const lease = new Lease(Number.POSITIVE_INFINITY)
  return { lease, providerRetry: new ProviderRetry(OPTIONS, lease, () => hasProgress) }
}

/** Fails until so many milliseconds have passed since it was first asked. */
function downFor(ms: number): () => Promise<string> {
  let from: number | undefined
  return async () => {
    from ??= performance.now()
    if (performance.now() - from < ms) throw new ProviderTimeout('late')
    return 'answer'
  }
}

async function attemptsUntilGivenUp(ask: (query: () => Promise<never>) => Promise<unknown>): Promise<number> {
  let attempts = 0
  await expect(
    ask(() => {
      attempts++
      return down()
    }),
  ).rejects.toThrow(ProviderFailure)
  return attempts
}

describe('a provider that fails for a single entry', () => {
  it('is retried for a short time, even in the middle of a job', async () => {
    const { providerRetry } = make(true)
    expect(await providerRetry.ask({ essential: false }, downFor(30))).toBe('answer')
    const attempts = await attemptsUntilGivenUp((ask) => providerRetry.ask({ essential: false }, ask))
    expect(attempts).toBeGreaterThan(2)
    expect(attempts).toBeLessThan(12)
  })

  it('is retried for each of several such entries, as long as others succeed', async () => {
    const { providerRetry } = make(true)
    for (let entry = 0; entry < 3; entry++) {
      const failing = attemptsUntilGivenUp((ask) => providerRetry.ask({ essential: false }, ask))
      await new Promise((resolve) => setTimeout(resolve, 20))
      await providerRetry.ask({ essential: false }, async () => 'another')
      expect(await failing).toBeGreaterThan(2)
    }
  })
})

describe('a provider that is down', () => {
  it('is retried for a long time in the middle of a job, whether a search or many entries fail', async () => {
    const { providerRetry } = make(true)
    expect(await providerRetry.ask({ essential: true }, downFor(250))).toBe('answer')
    const entries = Array.from({ length: 6 }, () => providerRetry.ask({ essential: false }, downFor(250)))
    expect(await Promise.all(entries)).toEqual(Array.from({ length: 6 }, () => 'answer'))
  })

  it('is retried only briefly by a job that has no results to lose', async () => {
    const { providerRetry } = make(false)
    await expect(providerRetry.ask({ essential: true }, downFor(5_000))).rejects.toThrow(ProviderTimeout)
  })

  it('causes one long wait: after that each entry is queried once, until a query succeeds', async () => {
    const { providerRetry } = make(false)
    await attemptsUntilGivenUp((ask) => providerRetry.ask({ essential: false }, ask))
    for (let entry = 0; entry < 100; entry++) {
      expect(await attemptsUntilGivenUp((ask) => providerRetry.ask({ essential: false }, ask))).toBe(1)
    }
    await providerRetry.ask({ essential: false }, async () => 'up again')
    expect(await attemptsUntilGivenUp((ask) => providerRetry.ask({ essential: false }, ask))).toBeGreaterThan(
      1,
    )
  })
})

it('other errors are thrown immediately', async () => {
  const { providerRetry } = make(true)
  await expect(
    providerRetry.ask({ essential: true }, () => Promise.reject(new TypeError('ours'))),
  ).rejects.toThrow(TypeError)
})

it('a lost lease ends the retries', async () => {
  const { providerRetry, lease } = make(true)
  const asked = providerRetry.ask({ essential: true }, down)
  setTimeout(() => lease.lose(), 20)
  await expect(asked).rejects.toThrow(LeaseLost)
})

it('a process that stops fails no entry, and leaves it to the next process', async () => {
  const { providerRetry, lease } = make(true)
  const asked = providerRetry.ask({ essential: false }, down)
  setTimeout(() => lease.stop(), 20)
  await expect(asked).rejects.toThrow(Stopping)
})
