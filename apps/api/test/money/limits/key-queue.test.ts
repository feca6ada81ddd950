import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyQueues } from '../../../src/money/limits/key-queue.ts'
import type { Slot } from '../../../src/money/limits/limits.ts'

const patient = { signal: new AbortController().signal }

describe('the queue of a key', () => {
  it('runs one call at a time, in order of arrival', async () => {
    const queues = createKeyQueues()
    const admitted: number[] = []
    let inFlight = 0
    await Promise.all(
      Array.from({ length: 1000 }, async (_, call) => {
        const slot = await queues.take('key', patient)
        expect(++inFlight).toBe(1)
        admitted.push(call)
        await Promise.resolve()
        inFlight--
        slot.release()
      }),
    )
    expect(admitted).toEqual(Array.from({ length: 1000 }, (_, call) => call))
    expect(queues.size).toBe(0)
  })

  it('does not make keys wait for each other', async () => {
    const queues = createKeyQueues()
    const one = await queues.take('one', patient)
    const other = await queues.take('other', patient)
    expect(queues.size).toBe(2)
    one.release()
    other.release()
  })

  it('drops a cancelled call immediately, and admits the next one', async () => {
    const queues = createKeyQueues()
    const first = await queues.take('key', patient)
    const leaving = new AbortController()
    const left = queues.take('key', leaving)
    const next = queues.take('key', patient)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    first.release()
    const slot = await next
    slot.release()
    expect(queues.size).toBe(0)
  })

  it('refuses a call that is already aborted', async () => {
    const queues = createKeyQueues()
    const slot = await queues.take('key', patient)
    await expect(queues.take('key', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
    slot.release()
    expect(queues.size).toBe(0)
  })

  it('counts a slot as released once, however often it is released', async () => {
    const queues = createKeyQueues()
    const first = await queues.take('key', patient)
    const second = queues.take('key', patient)
    const third = queues.take('key', patient)
    first.release()
    first.release()
    const slot = await second
    let thirdCame = false
    void third.then(() => {
      thirdCame = true
    })
    await Promise.resolve()
    expect(thirdCame).toBe(false)
    slot.release()
    ;(await third).release()
    expect(queues.size).toBe(0)
  })

  it('never runs two calls and never loses one, with random cancellations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 60 }), async (leaves) => {
        const queues = createKeyQueues()
        const order: number[] = []
        let inFlight = 0
        const gate = await queues.take('key', patient)
        const calls = leaves.map((isLeaving, call) => {
          const controller = new AbortController()
          const done = queues.take('key', controller).then(
            async (slot: Slot) => {
              expect(++inFlight).toBe(1)
              order.push(call)
              await Promise.resolve()
              inFlight--
              slot.release()
            },
            () => expect(isLeaving).toBe(true),
          )
          return { isLeaving, controller, done }
        })
        for (const { isLeaving, controller } of calls) if (isLeaving) controller.abort(new Error('gone'))
        gate.release()
        await Promise.all(calls.map(({ done }) => done))
        expect(order).toEqual(leaves.flatMap((isLeaving, call) => (isLeaving ? [] : [call])))
        expect(queues.size).toBe(0)
      }),
    )
  })
})
