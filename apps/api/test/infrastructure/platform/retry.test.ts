import { describe, expect, it } from 'vitest'
import { exponentialBackoff, pause, poll, retry } from '../../../src/infrastructure/platform/retry.ts'

class TemporaryFailure extends Error {}
const mayPass = (error: unknown) => error instanceof TemporaryFailure

describe('retry', () => {
  it('repeats the work while its failures are temporary', async () => {
    const attempts: number[] = []
    const work = async (attempt: number) => {
      attempts.push(attempt)
      if (attempt < 3) throw new TemporaryFailure()
      return 'done'
    }
    expect(await retry(work, { pauseMs: 0, mayPass })).toBe('done')
    expect(attempts).toEqual([1, 2, 3])
  })

  it('fails with the first permanent failure', async () => {
    const work = async (attempt: number) => {
      throw attempt === 1 ? new TemporaryFailure() : new Error('final')
    }
    await expect(retry(work, { pauseMs: 0, mayPass })).rejects.toThrow('final')
  })

  it('fails with the last failure when its attempts are used up', async () => {
    let count = 0
    const work = async () => {
      throw new TemporaryFailure(String(++count))
    }
    await expect(retry(work, { attempts: 3, pauseMs: 0, mayPass })).rejects.toThrow('3')
  })

  it('begins no attempt after its time limit', async () => {
    let count = 0
    const work = async () => {
      count++
      throw new TemporaryFailure()
    }
    await expect(retry(work, { timeoutMs: 1_000, pauseMs: 1_001, mayPass })).rejects.toThrow(TemporaryFailure)
    expect(count).toBe(1)
  })

  it('rejects with the reason of its signal', async () => {
    const controller = new AbortController()
    const work = async () => {
      controller.abort(new Error('stopped'))
      throw new TemporaryFailure()
    }
    const { signal } = controller
    await expect(retry(work, { pauseMs: 60_000, mayPass, signal })).rejects.toThrow('stopped')
  })
})

describe('poll', () => {
  it('resolves with the first result', async () => {
    expect(await poll((attempt) => (attempt === 2 ? 'here' : undefined), { pauseMs: 0 })).toBe('here')
  })

  it('resolves without a result when its attempts are used up or its signal aborts', async () => {
    expect(await poll(() => undefined, { attempts: 2, pauseMs: 0 })).toBeUndefined()
    const controller = new AbortController()
    const look = () => controller.abort()
    expect(
      await poll(look as () => undefined, { pauseMs: 60_000, signal: controller.signal }),
    ).toBeUndefined()
  })
})

it('pauses double up to the maximum, with random jitter', () => {
  expect([1, 2, 3, 4, 2_000].map(exponentialBackoff(10, 50))).toEqual([10, 20, 40, 50, 50])
  expect([1, 2].map(exponentialBackoff(10, 50, () => 0.5))).toEqual([5, 10])
})

it('a pause rejects with the reason of its signal', async () => {
  const controller = new AbortController()
  const pausing = pause(60_000, controller.signal)
  controller.abort(new Error('stopped'))
  await expect(pausing).rejects.toThrow('stopped')
})
