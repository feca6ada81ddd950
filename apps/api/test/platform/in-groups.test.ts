import { describe, expect, it } from 'vitest'
import { inGroups } from '../../src/platform/in-groups.ts'

describe('work in groups', () => {
  it('answers each of many callers, in order, in few rounds', async () => {
    const groups: number[] = []
    const double = inGroups<number, number>(10, async (group) => {
      groups.push(group.length)
      return group.map((one) => one * 2)
    })
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => double(index)))
    expect(answers).toEqual(Array.from({ length: 25 }, (_, index) => index * 2))
    expect(groups).toEqual([10, 10, 5])
  })

  it('fails the group in which an error happened, and continues', async () => {
    let round = 0
    const work = inGroups<string, string>(2, async (group) => {
      round += 1
      if (round === 1) throw new Error('first')
      return group
    })
    const [a, b, c] = await Promise.allSettled([work('a'), work('b'), work('c')])
    expect([a?.status, b?.status, c?.status]).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(await work('d')).toBe('d')
  })
})
