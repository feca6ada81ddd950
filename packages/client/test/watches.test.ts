// Following a watch: real HTTP, scripted pages. Only the pauses between polls are recorded instead of waited for.

import { expect, it, vi } from 'vitest'
import { Lotline, NotFoundError } from '../src/index.ts'
import { refusal, startLoopback, success } from './loopback.ts'

const pauses = vi.hoisted(() => [] as number[])
vi.mock('../src/core/pause.ts', () => ({
  async pause(ms: number, signal?: AbortSignal) {
    pauses.push(ms)
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
  },
}))

const page = (seqs: readonly number[], has_more: boolean, next_after: number) =>
  success({ data: seqs.map((seq) => ({ seq })), meta: { count: seqs.length, has_more, next_after } })

async function follow(...answers: Parameters<typeof startLoopback>) {
  pauses.length = 0
  const { asked, url } = await startLoopback(...answers)
  const lotline = new Lotline({ apiKey: 'k', baseUrl: url, maxRetries: 0 })
  return { watches: lotline.watches, urls: () => asked.map(({ url }) => url) }
}

it('iterating a watch yields each event once in order and polls at growing intervals until the signal is aborted', async () => {
  const { watches, urls } = await follow(
    page([1, 2], true, 2),
    page([3], false, 3),
    page([], false, 3),
    page([], false, 3),
    page([4], false, 4),
    page([], false, 4),
  )
  const aborting = new AbortController()
  const seen: number[] = []
  const following = async () => {
    for await (const { seq } of watches.events('w', { signal: aborting.signal })) {
      seen.push(seq)
      if (seq === 4) aborting.abort(new Error('enough'))
    }
  }
  await expect(following()).rejects.toThrow('enough')
  expect(seen).toEqual([1, 2, 3, 4])
  const path = '/v1/watches/w/events'
  expect(urls()).toEqual([path, ...[2, 3, 3, 3].map((after) => `${path}?after=${after}`)])
  // None between pages; after events 2 s, then half as much again, up to a tenth less.
  const due = [2_000, 3_000, 4_500, 2_000]
  expect(pauses).toHaveLength(due.length)
  for (const [at, ms] of pauses.entries()) {
    expect(ms).toBeGreaterThanOrEqual(due[at]! * 0.9)
    expect(ms).toBeLessThanOrEqual(due[at]!)
  }
})

it('iterating a watch never waits longer than 30 seconds for the next poll', async () => {
  const { watches, urls } = await follow(page([], false, 0))
  const aborting = new AbortController()
  const following = (async () => {
    for await (const _ of watches.events('w', { signal: aborting.signal })) throw new Error('no event')
  })()
  await vi.waitUntil(() => pauses.length > 12, { timeout: 10_000, interval: 5 })
  aborting.abort(new Error('enough'))
  await expect(following).rejects.toThrow()
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000)
  expect(pauses[11]!).toBeGreaterThan(26_000)
  expect(urls().length).toBeGreaterThan(12)
})

it('iterating a watch continues after the given seq and throws the error of a failed call', async () => {
  const { watches, urls } = await follow(page([8], false, 8), refusal(404, 'not_found'))
  const seen: number[] = []
  const following = async () => {
    for await (const { seq } of watches.events('w', { after: 7, limit: 50 })) seen.push(seq)
  }
  await expect(following()).rejects.toThrow(NotFoundError)
  expect(seen).toEqual([8])
  expect(urls()).toEqual([7, 8].map((after) => `/v1/watches/w/events?after=${after}&limit=50`))
})

it('awaiting a watch call returns one page', async () => {
  const { watches, urls } = await follow(page([1, 2], true, 2))
  const { data, meta } = await watches.events('w')
  expect(data.map(({ seq }) => seq)).toEqual([1, 2])
  expect(meta.has_more).toBe(true)
  expect([urls().length, pauses]).toEqual([1, []])
})
