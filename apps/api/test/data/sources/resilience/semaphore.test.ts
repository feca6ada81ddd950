import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createSemaphore,
  type Permit,
  type SemaphoreOptions,
} from '../../../../src/data/sources/resilience/semaphore.ts'

const SETTINGS = { count: 2, heldMs: 5000 }
const patient = new AbortController().signal

afterEach(() => vi.useRealTimers())

describe('permits', () => {
  it('are granted until the limit is reached, and then in order of arrival', async () => {
    const semaphore = createSemaphore(SETTINGS)
    const order: string[] = []
    const take = async (name: string) => {
      const slot = await semaphore.take(patient)
      order.push(name)
      return slot
    }
    const one = await take('one')
    const two = await take('two')
    const three = take('three')
    const four = take('four')
    await turn()
    expect(order).toEqual(['one', 'two'])
    one.release()
    // A query that arrives when a permit becomes free is behind those that waited.
    const five = take('five')
    two.release()
    await Promise.all([three, four])
    expect(order).toEqual(['one', 'two', 'three', 'four'])
    for (const slot of [await three, await four]) slot.release()
    await five
    expect(order).toEqual(['one', 'two', 'three', 'four', 'five'])
  })

  it('are not taken by calls that were cancelled while they waited', async () => {
    const semaphore = createSemaphore({ count: 1, heldMs: 1_000_000_000 })
    const held = await semaphore.take(patient)
    const leaving = new AbortController()
    const left = semaphore.take(leaving.signal)
    const next = semaphore.take(patient)
    const reason = new Error('left')
    leaving.abort(reason)
    await expect(left).rejects.toBe(reason)
    held.release()
    const slot = await next
    slot.release()
    await expect(semaphore.take(AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(semaphore.take(patient)).resolves.toBeDefined()
  })

  it('are taken without waiting only while one is free', async () => {
    const semaphore = createSemaphore({ ...SETTINGS, background: 1 })
    const job = { account: 'a', background: true }
    const one = semaphore.takeFree(job)
    expect(one).toBeDefined()
    expect(semaphore.takeFree(job), 'all that jobs may hold').toBeUndefined()
    const two = await semaphore.take(patient)
    expect(semaphore.takeFree()).toBeUndefined()
    const next = semaphore.take(patient)
    two.release()
    expect(semaphore.takeFree(), 'it went to the call that waited').toBeUndefined()
    one!.release()
    expect(semaphore.takeFree()).toBeDefined()
    ;(await next).release()
  })

  it('are released once, even if release is called twice', async () => {
    const semaphore = createSemaphore({ ...SETTINGS, count: 1 })
    const slot = await semaphore.take(patient)
    slot.release()
    slot.release()
    await semaphore.take(patient)
    let taken: Permit | undefined
    void semaphore.take(patient).then((third) => {
      taken = third
    })
    await turn()
    expect(taken).toBeUndefined()
  })

  it('count for five seconds, so that queries that hang do not keep others waiting', async () => {
    vi.useFakeTimers()
    const semaphore = createSemaphore({ ...SETTINGS, count: 1 })
    const hanging = await semaphore.take(patient)
    let taken = false
    const next = semaphore.take(patient).then((slot) => {
      taken = true
      return slot
    })
    await vi.advanceTimersByTimeAsync(4999)
    expect(taken).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(taken).toBe(true)
    // The permit was already given to another query.
    hanging.release()
    let third = false
    void semaphore.take(patient).then(() => {
      third = true
    })
    await vi.advanceTimersByTimeAsync(1)
    expect(third).toBe(false)
    ;(await next).release()
    await vi.advanceTimersByTimeAsync(1)
    expect(third).toBe(true)
  })
})

describe('shared permits', () => {
  /** Takes a permit for an account and records the order. */
  function withOrder(options: SemaphoreOptions) {
    const semaphore = createSemaphore(options)
    const order: string[] = []
    const held: Permit[] = []
    const take = (account: string, background = false) =>
      void semaphore.take(patient, { account, background }).then((slot) => {
        order.push(account)
        held.push(slot)
      })
    const releaseFirst = async () => {
      held.shift()!.release()
      await turn()
    }
    return { order, take, releaseFirst }
  }

  it('go to the account with the fewest running queries, however many another has waiting', async () => {
    const { order, take, releaseFirst } = withOrder({ count: 4, heldMs: 5000 })
    for (let at = 0; at < 20; at++) take('many')
    await turn()
    take('one')
    take('two')
    take('two')
    for (let at = 0; at < 4; at++) await releaseFirst()
    expect(order.slice(4)).toEqual(['one', 'two', 'many', 'two'])
  })

  it('go to synchronous calls before jobs, except for the share that jobs always get', async () => {
    const { order, take, releaseFirst } = withOrder({ count: 2, heldMs: 5000, backgroundFirst: 1 })
    take('busy')
    take('busy')
    await turn()
    take('job', true)
    take('job', true)
    take('call')
    take('call')
    for (let at = 0; at < 3; at++) await releaseFirst()
    expect(order.slice(2)).toEqual(['job', 'call', 'job'])
  })

  it('are partly reserved for synchronous calls, so that one finds a permit immediately', async () => {
    const { order, take } = withOrder({ count: 4, heldMs: 5000, background: 3 })
    for (let at = 0; at < 10; at++) take('job', true)
    await turn()
    expect(order).toEqual(['job', 'job', 'job'])
    take('call')
    await turn()
    expect(order.at(-1)).toBe('call')
  })
})
