// Searches of areas whose client has disconnected or whose time is over, before the database is asked and while homes are compared.

import { describe, expect, it } from 'vitest'
import { searchAreas } from '../../../../src/data/sources/dataset/search-areas.ts'
import { WORLD } from '../../../../src/domain/search/area-search.ts'
import type { Database, Queryable } from '../../../../src/infrastructure/database/database.ts'

class ClientDisconnected extends Error {}

/** A star with spikes: most homes around it must be compared. */
const search = () => {
  const ring = Array.from({ length: 4_000 }, (_, at): [number, number] => {
    const [angle, far] = [(at / 4_000) * 2 * Math.PI, at % 2 === 0 ? 1 : 0.2]
    return [far * Math.cos(angle), far * Math.sin(angle)]
  })
  const area = { type: 'Polygon', coordinates: [[...ring, ring[0]!]] } as const
  return { status: 'for_sale', bbox: WORLD, areas: [area] } as const
}

const page = { limit: 1 }

/** A database whose transactions run `work` only when `begin` allows it. */
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

/** A database with these homes on the edge of every area, and none that is certainly inside. */
const holding = (edge: Buffer | undefined): Queryable => ({
  query: async () => ({ rows: [{ certain: 0, zpid: null, sort_key: null }] as never[], rowCount: 1 }),
  readBytes: async () => edge && [edge],
})
const none = holding(undefined)
const calm = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 5 }).toBe(true)
}

describe('a search of areas whose client has disconnected', () => {
  it('stops waiting for a connection, and never opens a transaction', async () => {
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
    leaving.abort(new ClientDisconnected())
    await until(() => isOver)
    await expect(left).rejects.toThrow(ClientDisconnected)
    held.begin()
    await first
    await until(() => held.begun() === 2)
    held.begin()
    expect(await behind).toMatchObject({ total: 0 })
    expect(held.begun()).toBe(2)
  })

  it('ends while its homes are compared, and gives its place and its turn to the next search', async () => {
    const leaving = new AbortController()
    const edge = edgeOf(60_000)
    const many: Queryable = {
      ...holding(undefined),
      async readBytes() {
        setImmediate(() => leaving.abort(new ClientDisconnected()))
        return [edge.subarray(0, 1_000), edge.subarray(1_000)]
      },
    }
    const left = searchAreas(many, search(), page, leaving.signal)
    await expect(left).rejects.toThrow(ClientDisconnected)
    const next = await searchAreas(none, search(), page, new AbortController().signal)
    expect(next).toMatchObject({ total: 0 })
  })
})
