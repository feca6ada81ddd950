import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { orAborted } from '../../../src/infrastructure/platform/or-aborted.ts'

const fail = async () => {
  await sleep(5)
  throw new Error('late')
}

it('orAborted rejects with the reason of the signal', async () => {
  const controller = new AbortController()
  const waiting = orAborted(new Promise(() => {}), controller.signal)
  controller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(orAborted(Promise.resolve(1), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(await orAborted(Promise.resolve(1), new AbortController().signal)).toBe(1)
})

it('a promise that rejects after the abort does not end the process', async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  await expect(orAborted(fail(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  const controller = new AbortController()
  const waiting = orAborted(fail(), controller.signal)
  controller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await sleep(20)
  expect(unheard).toEqual([])
})
