import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { batch, batchPerTurn } from '../../../src/infrastructure/platform/batch.ts'

describe('batched work', () => {
  it('answers each of many callers, in order, in few rounds', async () => {
    const groups: number[] = []
    const double = batch<number, number>(10, async (group) => {
      groups.push(group.length)
      return group.map((one) => one * 2)
    })
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => double(index)))
    expect(answers).toEqual(Array.from({ length: 25 }, (_, index) => index * 2))
    expect(groups).toEqual([10, 10, 5])
  })

  it('rejects only the calls of the batch that failed, and continues', async () => {
    let round = 0
    const work = batch<string, string>(2, async (group) => {
      round += 1
      if (round === 1) throw new Error('first')
      return group
    })
    const [a, b, c] = await Promise.allSettled([work('a'), work('b'), work('c')])
    expect([a?.status, b?.status, c?.status]).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(await work('d')).toBe('d')
  })
})

describe('calls of one turn of the event loop', () => {
  it('are sent together in order, and each gets its own result', async () => {
    const groups: number[][] = []
    const double = batchPerTurn<number, number>(async (group) => {
      groups.push([...group])
      return group.map((n) => n * 2)
    })
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
    expect(await double(4)).toBe(8)
    expect(groups).toEqual([[1, 2, 3], [4]])
  })

  it('do not wait for the calls of earlier turns', async () => {
    const open: (() => void)[] = []
    const slow = batchPerTurn<number, number>(async (group) => {
      await new Promise<void>((resolve) => open.push(resolve))
      return group
    })
    const first = slow(1)
    await turn()
    const second = slow(2)
    await turn()
    expect(open).toHaveLength(2)
    open[1]!()
    expect(await second).toBe(2)
    open[0]!()
    expect(await first).toBe(1)
  })

  it('fail together, without affecting other turns', async () => {
    let fails = true
    const ask = batchPerTurn<number, number>(async (group) => {
      if (fails) throw new Error('away')
      return group
    })
    const settled = await Promise.allSettled([ask(1), ask(2)])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    expect(await ask(3)).toBe(3)
  })
})
