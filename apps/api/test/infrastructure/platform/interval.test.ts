import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { interval } from '../../../src/infrastructure/platform/interval.ts'

/** Work that ends when the test decides. */
function heldPieces() {
  const pieces: PromiseWithResolvers<unknown>[] = []
  const begun = async () => {
    while (pieces.length === 0) await sleep(1)
    return pieces.shift()!
  }
  const doPiece = () => {
    const piece = Promise.withResolvers<unknown>()
    pieces.push(piece)
    return piece.promise
  }
  return { pieces, begun, doPiece }
}

describe('work that repeats at an interval', () => {
  it('starts immediately, never overlaps itself, and stop waits for it', async () => {
    const { pieces, begun, doPiece } = heldPieces()
    const repeated = interval(1, doPiece, () => {})
    const first = await begun()
    await sleep(20)
    expect(pieces).toEqual([])
    first.resolve(undefined)
    const second = await begun()
    let isStopped = false
    const stopped = repeated.stop().then(() => {
      isStopped = true
    })
    await sleep(20)
    expect(isStopped).toBe(false)
    second.resolve(true)
    await stopped
    expect(pieces).toEqual([])
  })

  it('repeats immediately while more work is left', async () => {
    const { pieces, begun, doPiece } = heldPieces()
    const repeated = interval(3_600_000, doPiece, () => {})
    for (const isMore of [true, true, false]) (await begun()).resolve(isMore)
    await sleep(20)
    expect(pieces).toEqual([])
    await repeated.stop()
  })

  it('continues after a failure, and reports it', async () => {
    const { begun, doPiece } = heldPieces()
    const errors: unknown[] = []
    const repeated = interval(1, doPiece, (error) => errors.push(error))
    ;(await begun()).reject('broken')
    ;(await begun()).resolve(undefined)
    await repeated.stop()
    expect(errors).toEqual(['broken'])
  })
})
