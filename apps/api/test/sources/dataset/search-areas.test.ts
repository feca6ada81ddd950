// Searches of areas whose client has left or whose time is over, before the database and while they are compared.

import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import type { Database, Queryable } from '../../../src/database/database.ts'
import { refusalOfError } from '../../../src/engine/error-refusal.ts'
import { WORLD } from '../../../src/search/area-search.ts'
import { endAreaThread, openArea } from '../../../src/sources/dataset/area-thread.ts'
import { type AreaOfSearch, openAreaHere } from '../../../src/sources/dataset/area-work.ts'
import { searchAreas } from '../../../src/sources/dataset/search-areas.ts'
import { AreaThreadLost } from '../../../src/sources/provider.ts'

class Left extends Error {}

/** A star with spikes: most of what is around it must be compared. */
const search = () => {
  const ring = Array.from({ length: 4_000 }, (_, at): [number, number] => {
    const [angle, far] = [(at / 4_000) * 2 * Math.PI, at % 2 === 0 ? 1 : 0.2]
    return [far * Math.cos(angle), far * Math.sin(angle)]
  })
  const area = { type: 'Polygon', coordinates: [[...ring, ring[0]!]] } as const
  return { status: 'for_sale', bbox: WORLD, areas: [area] } as const
}

const page = { limit: 1 }

/** A database whose transactions run `work` when `begin` says so. */
function heldDatabase(tx: Queryable) {
  const waiting: (() => void)[] = []
  let begun = 0
  const database = {
    ...tx,
    async transaction(work: (tx: Queryable) => Promise<unknown>) {
      begun++
      await new Promise<void>((begin) => waiting.push(begin))
      return work(tx)
    },
  } as unknown as Database
  return { database, begun: () => begun, begin: () => waiting.shift()?.() }
}

/** Homes as the statement sends them, each with a key of its own and the last digit of its number as its zpid. */
function edgeOf(count: number): Buffer {
  const head = Buffer.alloc(4 + count * 24)
  head.writeInt32BE(count)
  for (let at = 0; at < count; at++) {
    head.writeDoubleBE(((at * 7_919) % count) / count, 4 + at * 16)
    head.writeDoubleBE(((at * 104_729) % count) / count, 4 + at * 16 + 8)
    head.writeDoubleBE(at, 4 + count * 16 + at * 8)
  }
  return Buffer.concat([head, Buffer.from(Array.from({ length: count }, (_, at) => at % 10).join('\n'))])
}

/** A database with these homes on the edge of every area, and none that is certainly in it. */
const holding = (edge: Buffer | undefined): Queryable => ({
  query: async () => ({ rows: [{ certain: 0, zpid: null, sort_key: null }] as never[], rowCount: 1 }),
  readBytes: async () => edge && [edge],
})
const none = holding(undefined)
const calm = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 5 }).toBe(true)
}

describe('polygons with many corners', () => {
  const signal = new AbortController().signal
  const square = (west: number): [number, number][] => [
    [west, 0],
    [west + 0.1, 0],
    [west + 0.1, 0.5],
    [west, 0.5],
    [west, 0],
  ]
  const hole = [
    [0.01, 0.1],
    [0.05, 0.1],
    [0.05, 0.3],
    [0.01, 0.1],
  ] as const
  it.each([
    ['a star', search()],
    ['a star within a box', { ...search(), bbox: { west: 0.1, south: -0.2, east: 0.6, north: 0.7 } }],
    [
      'a star, a circle, a box and many squares, one with a hole',
      {
        bbox: WORLD,
        areas: [
          ...search().areas,
          { type: 'circle', center: [0.8, 0.8], radius_m: 20_000 },
          {
            type: 'MultiPolygon',
            coordinates: [
              [square(0), hole],
              ...Array.from({ length: 60 }, (_, at) => [square(0.2 + at / 100)]),
            ],
          },
          { type: 'bbox', west: 0.4, south: 0.6, east: 0.5, north: 0.9 },
        ],
      },
    ],
  ] satisfies [string, AreaOfSearch][])(
    'have the same ranges and homes in the thread for them as without it: %s',
    async (_what, asked) => {
      const order = { limit: 30, order: { by: 'price', descending: false } } as const
      const [here, there] = [await openAreaHere(asked, signal), await openArea(asked, signal)]
      expect(there.ranges).toEqual(here.ranges)
      const expected = await here.compare(edgeOf(20_000), order)
      expect(await there.compare(edgeOf(20_000), order)).toEqual(expected)
      expect(expected.count).toBeGreaterThan(1_000)
      expect(expected.count).toBeLessThan(19_000)
      expect(expected.first).toHaveLength(30)
      there.close()
    },
  )

  it('begin again in another thread when the thread ends, and have the same ranges and homes', async () => {
    const here = await openAreaHere(search(), signal)
    const begun = await openArea(search(), signal)
    const cut = openArea(search(), signal)
    await endAreaThread()
    expect((await cut).ranges).toEqual(here.ranges)
    await endAreaThread()
    const expected = await here.compare(edgeOf(20_000), page)
    expect(expected.count).toBeGreaterThan(1_000)
    const compared = begun.compare(edgeOf(20_000), page)
    expect(await compared).toEqual(expected)
    begun.close()
    ;(await cut).close()
  })

  it('are sent to the thread once for all tiles of a search, and again when others came or the thread ended', async () => {
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    const sent = () => {
      const orders = post.mock.calls.map(([order]) => order as { kind: string; packed?: object })
      post.mockClear()
      return orders.flatMap(({ kind, packed }) => (kind === 'cut' ? [packed !== undefined] : []))
    }
    const { areas, ...rest } = search()
    const tile = async (west: number) => {
      const asked = { ...rest, areas, bbox: { west, south: -1, east: west + 0.5, north: 1 } }
      const [here, there] = [await openAreaHere(asked, signal), await openArea(asked, signal)]
      expect(there.ranges).toEqual(here.ranges)
      expect(await there.compare(edgeOf(1_000), page)).toEqual(await here.compare(edgeOf(1_000), page))
      there.close()
    }
    try {
      for (const west of [-1, -0.5, 0, 0.5]) await tile(west)
      expect(sent()).toEqual([true, false, false, false])
      for (let other = 0; other < 8; other++) (await openArea(search(), signal)).close()
      expect(sent()).toEqual(Array(8).fill(true))
      await tile(0)
      await tile(0.5)
      expect(sent()).toEqual([true, false])
      await endAreaThread()
      await tile(0)
      expect(sent()).toEqual([true])
    } finally {
      post.mockRestore()
    }
  })

  it.runIf(process.platform === 'linux')('leave the processors to the other threads', async () => {
    const opened = await openArea(search(), signal)
    const priorities = readdirSync('/proc/self/task').map((id) => getPriority(Number(id)))
    expect(priorities.filter((priority) => priority === 10)).toHaveLength(1)
    opened.close()
  })

  it('end with a temporary refusal when the other thread ends, too, and the next ones have another thread', async () => {
    const cut = openArea(search(), signal)
    const lost = cut.catch((error: unknown) => error)
    await endAreaThread()
    await calm()
    await endAreaThread()
    expect(await lost).toBeInstanceOf(AreaThreadLost)
    const refusal = refusalOfError(await lost, pino({ level: 'silent' }), 'one')
    expect(refusal).toMatchObject({ code: 'service_unavailable' })
    const next = await openArea(search(), signal)
    expect(next.ranges.length).toBeGreaterThan(0)
    next.close()
  })

  it('begin again in another thread when the thread says nothing for 30 seconds', async () => {
    await endAreaThread()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(() => {})
    const end = vi.spyOn(Worker.prototype, 'terminate')
    try {
      const cut = openArea(search(), signal)
      vi.advanceTimersByTime(29_999)
      expect(end).not.toHaveBeenCalled()
      post.mockRestore()
      vi.advanceTimersByTime(1)
      expect(end).toHaveBeenCalledOnce()
      const opened = await cut
      expect(opened.ranges.length).toBeGreaterThan(0)
      opened.close()
    } finally {
      vi.restoreAllMocks()
      vi.useRealTimers()
      // Its timers are not real.
      await endAreaThread()
    }
  })
})

describe('a search of areas whose client has left', () => {
  it('leaves the line for a connection, and never opens a transaction', async () => {
    const held = heldDatabase(none)
    const stay = new AbortController().signal
    const first = searchAreas(held.database, search(), page, stay)
    await until(() => held.begun() === 1)
    const leaving = new AbortController()
    const left = searchAreas(held.database, search(), page, leaving.signal)
    const behind = searchAreas(held.database, search(), page, stay)
    let isOver = false
    left.catch(() => {
      isOver = true
    })
    for (let look = 0; look < 20; look++) await calm()
    leaving.abort(new Left())
    await until(() => isOver)
    await expect(left).rejects.toThrow(Left)
    held.begin()
    await first
    await until(() => held.begun() === 2)
    held.begin()
    expect(await behind).toMatchObject({ total: 0 })
    expect(held.begun()).toBe(2)
  })

  it('ends while its homes are compared, and gives its place and its turn to the next', async () => {
    const leaving = new AbortController()
    const edge = edgeOf(60_000)
    const many: Queryable = {
      ...holding(undefined),
      async readBytes() {
        setImmediate(() => leaving.abort(new Left()))
        return [edge.subarray(0, 1_000), edge.subarray(1_000)]
      },
    }
    const left = searchAreas(many, search(), page, leaving.signal)
    await expect(left).rejects.toThrow(Left)
    const next = await searchAreas(none, search(), page, new AbortController().signal)
    expect(next).toMatchObject({ total: 0 })
  })
})
