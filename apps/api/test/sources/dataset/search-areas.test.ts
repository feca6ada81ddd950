// Searches of areas whose client has left or whose time is over, before the database and while they are compared.

import { describe, expect, it } from 'vitest'
import type { Database, Queryable } from '../../../src/database/database.ts'
import { WORLD } from '../../../src/search/area-search.ts'
import { searchAreas } from '../../../src/sources/dataset/search-areas.ts'

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
function heldDatabase(query: Queryable['query']) {
  const waiting: (() => void)[] = []
  let begun = 0
  const database = {
    query,
    async transaction(work: (tx: Queryable) => Promise<unknown>) {
      begun++
      await new Promise<void>((begin) => waiting.push(begin))
      return work({ query })
    },
  } as unknown as Database
  return { database, begun: () => begun, begin: () => waiting.shift()?.() }
}

/** Homes as the statement sends them: longitude, latitude, sort key, behind the cursor, length of the zpid, zpid. */
function edgeOf(count: number): Buffer {
  const edge = Buffer.alloc(count * 33)
  for (let at = 0; at < count; at++) {
    edge.writeDoubleBE(((at * 7_919) % count) / count, at * 33)
    edge.writeDoubleBE(((at * 104_729) % count) / count, at * 33 + 8)
    edge.writeInt32BE(1, at * 33 + 24)
    edge.writeInt32BE(1, at * 33 + 28)
    edge.write('1', at * 33 + 32)
  }
  return edge
}

const none = (async () => ({
  rows: [{ certain: 0, edge: null, zpid: null }],
})) as unknown as Queryable['query']
const calm = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  for (let look = 0; look < 100_000 && !holds(); look++) await calm()
  expect(holds()).toBe(true)
}

describe('a search of areas whose client has left', () => {
  it('leaves the line for a connection, and never opens a transaction', async () => {
    const held = heldDatabase(none)
    const stay = new AbortController().signal
    const first = [
      searchAreas(held.database, search(), page, stay),
      searchAreas(held.database, search(), page, stay),
    ]
    await until(() => held.begun() === 2)
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
    held.begin()
    await Promise.all(first)
    await until(() => held.begun() === 3)
    held.begin()
    expect(await behind).toMatchObject({ total: 0 })
    expect(held.begun()).toBe(3)
  })

  it('ends while its homes are compared, and gives its place and its turn to the next', async () => {
    const leaving = new AbortController()
    const edge = edgeOf(60_000)
    const many = (async () => {
      setImmediate(() => leaving.abort(new Left()))
      return { rows: [{ certain: 0, edge, zpid: null }] }
    }) as unknown as Queryable['query']
    const left = searchAreas({ query: many } as Queryable, search(), page, leaving.signal)
    await expect(left).rejects.toThrow(Left)
    const next = await searchAreas({ query: none } as Queryable, search(), page, new AbortController().signal)
    expect(next).toMatchObject({ total: 0 })
  })
})
