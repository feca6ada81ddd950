import { expect, it } from 'vitest'
import { ownTurn } from '../../src/platform/slices.ts'

it('work in turns of its own begins in the order of asking, and other calls go on between any two pieces', async () => {
  const seen: string[] = []
  const work = Promise.all(['first', 'second', 'third'].map((name) => ownTurn().then(() => seen.push(name))))
  let isOver = false
  const look = () => {
    seen.push('other')
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work
  isOver = true
  const pieces = seen.join(' ').match(/first (other )+second (other )+third/)
  expect(pieces, seen.join(' ')).not.toBeNull()
})
