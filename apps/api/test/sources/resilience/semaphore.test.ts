import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSlots, type Slot } from '../../../src/sources/resilience/semaphore.ts'

const SETTINGS = { count: 2, heldMs: 5000 }
const patient = new AbortController().signal

afterEach(() => vi.useRealTimers())

describe('slots', () => {
  it('are given to so many and no more, and then in order of arrival', async () => {
    const slots = createSlots(SETTINGS)
    const order: string[] = []
    const take = async (name: string) => {
      const slot = await slots.take(patient)
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
    // Who comes when one has just become free stands behind those who waited.
    const five = take('five')
    two.release()
    await Promise.all([three, four])
    expect(order).toEqual(['one', 'two', 'three', 'four'])
    for (const slot of [await three, await four]) slot.release()
    await five
    expect(order).toEqual(['one', 'two', 'three', 'four', 'five'])
  })

  it('are not taken by those who left while they waited', async () => {
    const slots = createSlots({ count: 1, heldMs: 1_000_000_000 })
    const held = await slots.take(patient)
    const leaving = new AbortController()
    const left = slots.take(leaving.signal)
    const next = slots.take(patient)
    const reason = new Error('left')
    leaving.abort(reason)
    await expect(left).rejects.toBe(reason)
    held.release()
    const slot = await next
    slot.release()
    await expect(slots.take(AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(slots.take(patient)).resolves.toBeDefined()
  })

  it('are free once when they are released twice', async () => {
    const slots = createSlots({ ...SETTINGS, count: 1 })
    const slot = await slots.take(patient)
    slot.release()
    slot.release()
    await slots.take(patient)
    let taken: Slot | undefined
    void slots.take(patient).then((third) => {
      taken = third
    })
    await turn()
    expect(taken).toBeUndefined()
  })

  it('count for five seconds, so that questions that hang do not keep others waiting', async () => {
    vi.useFakeTimers()
    const slots = createSlots({ ...SETTINGS, count: 1 })
    const hanging = await slots.take(patient)
    let taken = false
    const next = slots.take(patient).then((slot) => {
      taken = true
      return slot
    })
    await vi.advanceTimersByTimeAsync(4999)
    expect(taken).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(taken).toBe(true)
    // What is released late was given on already.
    hanging.release()
    let third = false
    void slots.take(patient).then(() => {
      third = true
    })
    await vi.advanceTimersByTimeAsync(1)
    expect(third).toBe(false)
    ;(await next).release()
    await vi.advanceTimersByTimeAsync(1)
    expect(third).toBe(true)
  })
})
