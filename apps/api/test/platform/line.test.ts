import { expect, it } from 'vitest'
import { createLine } from '../../src/platform/line.ts'
import { nextTurn } from '../../src/platform/slices.ts'

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
