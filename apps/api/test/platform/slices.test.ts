import { expect, it } from 'vitest'
import { createLine, nextTurn, ownTurn } from '../../src/platform/slices.ts'

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

it('while others wait, a place of a line stays empty for as long as the line says, and what has left gets none', async () => {
  const line = createLine(1, 2)
  const stay = new AbortController().signal
  const work = async () => {
    const began = performance.now()
    while (performance.now() < began + 20) await nextTurn()
    return { began, ended: performance.now() }
  }
  const leaving = new AbortController()
  const first = line.inPlace(work, stay)
  const left = line.inPlace(work, leaving.signal)
  const third = line.inPlace(work, stay)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const [one, other] = [await first, await third]
  // A timer may be a millisecond early.
  expect(other.began - one.ended).toBeGreaterThanOrEqual(2 * (one.ended - one.began) - 1)
})
