import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inOrder } from '../../../src/work/jobs/run/in-order.ts'

it('hands over every result once and in order, within the limits on running and waiting items', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 10 }),
      async (pauses, atATime, more) => {
        const ahead = atATime + more
        let underWay = 0
        let begun = 0
        const received: number[] = []
        const results = inOrder(pauses, { atATime, ahead }, async (pause, index) => {
          begun++
          underWay++
          expect(underWay).toBeLessThanOrEqual(atATime)
          expect(begun - received.length).toBeLessThanOrEqual(ahead + ahead)
          for (let i = 0; i < pause; i++) await null
          if (pause === 3) await sleep(1)
          underWay--
          return index
        })
        for await (const ready of results) {
          expect(ready.length).toBeGreaterThan(0)
          expect(ready.length).toBeLessThanOrEqual(ahead)
          received.push(...ready)
        }
        expect(received).toEqual(pauses.map((_, index) => index))
      },
    ),
    { numRuns: 60 },
  )
})

it('keeps working while its receiver is busy', async () => {
  const begun: number[] = []
  for await (const ready of inOrder([0, 1, 2, 3], { atATime: 1, ahead: 4 }, async (item) =>
    begun.push(item),
  )) {
    await sleep(5)
    expect(begun).toHaveLength(4)
    expect(ready.length).toBeGreaterThan(0)
  }
})

it('hands over all results together that finished while its receiver was busy', async () => {
  const sizes: number[] = []
  const items = Array.from({ length: 640 }, (_, at) => at)
  for await (const ready of inOrder(items, { atATime: 8, ahead: 64 }, async () => null)) {
    sizes.push(ready.length)
    await sleep(1)
  }
  expect(sizes.length).toBeLessThan(25)
})

it('hands over the results before an error, then throws it, and starts nothing more', async () => {
  const begun: number[] = []
  const received: number[] = []
  const results = inOrder([0, 1, 2, 3, 4, 5, 6, 7], { atATime: 2, ahead: 8 }, async (item) => {
    begun.push(item)
    await sleep(1)
    if (item === 3) throw new Error('no further')
    return item
  })
  await expect(async () => {
    for await (const ready of results) received.push(...ready)
  }).rejects.toThrow('no further')
  expect(received).toEqual([0, 1, 2])
  const then = begun.length
  await sleep(10)
  expect(begun).toHaveLength(then)
  expect(then).toBeLessThan(8)
})

it('starts nothing more when its receiver has enough', async () => {
  const begun: number[] = []
  for await (const _ready of inOrder(
    Array.from({ length: 50 }, (_, at) => at),
    { atATime: 2, ahead: 4 },
    async (item) => {
      begun.push(item)
      await sleep(1)
    },
  )) {
    break
  }
  await sleep(20)
  expect(begun.length).toBeLessThanOrEqual(6)
})
