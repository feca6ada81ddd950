import { describe, expect, it } from 'vitest'
import { FairTurns } from '../../../src/infrastructure/platform/fair-turns.ts'
import { createWorkQueue } from '../../../src/infrastructure/platform/work-queue.ts'

describe('accounts that share a semaphore', () => {
  it('are served in order of arrival while they hold equally many places', () => {
    const turns = new FairTurns<string>()
    for (const waiting of ['a1', 'a2', 'b1', 'c1']) turns.wait(waiting[0]!, waiting)
    expect([turns.next(), turns.next(), turns.next(), turns.next()]).toEqual(['a1', 'b1', 'c1', 'a2'])
    expect(turns.next()).toBeUndefined()
  })

  it('come first while they hold fewer places than the others', () => {
    const turns = new FairTurns<string>()
    turns.hold('a')
    turns.hold('a')
    turns.hold('b')
    for (const waiting of ['a1', 'b1', 'b2']) turns.wait(waiting[0]!, waiting)
    expect(turns.next()).toBe('b1')
    turns.release('a')
    turns.release('a')
    expect(turns.next()).toBe('a1')
  })

  it('get no turn for work that stopped waiting', () => {
    const turns = new FairTurns<string>()
    turns.wait('a', 'a1')
    turns.wait('b', 'b1')
    turns.leave('a', 'a1')
    expect([turns.next(), turns.isAnyWaiting]).toEqual(['b1', false])
  })
})

it('a work queue alternates between accounts, however much work one of them has queued', async () => {
  const line = createWorkQueue(1, 0)
  const ended: string[] = []
  const run = (name: string) =>
    line.run(async () => void ended.push(name), new AbortController().signal, name[0])
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1'].map(run))
  expect(ended).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})
