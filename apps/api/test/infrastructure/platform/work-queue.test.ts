import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createWorkQueue } from '../../../src/infrastructure/platform/work-queue.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('a place rests for its configured share while work waits, and aborted work gets no place', async () => {
  const line = createWorkQueue(1, 2)
  const work = async () => {
    const began = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return { began, ended: performance.now() }
  }
  const stay = new AbortController().signal
  const leaving = new AbortController()
  const first = line.run(work, stay)
  const left = line.run(work, leaving.signal)
  const third = line.run(work, stay)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  await vi.advanceTimersByTimeAsync(100)
  const [one, other] = [await first, await third]
  expect(one.ended - one.began).toBe(20)
  expect(other.began - one.ended).toBe(40)
})
