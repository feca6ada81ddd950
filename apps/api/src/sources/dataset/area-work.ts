// The work that a search of areas takes beside the database: cutting an area into ranges of Morton codes, and comparing the homes
// on its edge with it. Both can be paused, and searches take turns. It runs in the thread of the server for areas that are soon
// done, and in a thread of its own for polygons with many corners (area-thread.ts).

import { inTurn } from '../../platform/slices.ts'
import type { AreaSearch } from '../../search/area-search.ts'
import { cutIntoRanges, type MortonRange } from '../../search/morton.ts'
import { type Region, regionOfSearch } from '../../search/region.ts'
import { compareKeys, NEWEST, type RowKey } from '../../search/row-order.ts'
import type { SearchPage } from '../provider.ts'
import { AREA_RANGES } from './search-statement.ts'

/** What a search needs of its area, wherever the work is done. `close` it: another thread keeps the area until then. */
export interface AreaWork {
  readonly ranges: readonly MortonRange[]
  /** The homes of `edgeStatement` that are in the area. The buffer is not used by others afterwards. */
  compare(edge: Buffer, page: SearchPage): Promise<Compared>
  close(): void
}

export interface Compared {
  /** Homes in the area, those before the page included. */
  readonly count: number
  /** The first of them behind the cursor, as many as the page has. */
  readonly first: readonly RowKey[]
}

/** The parts of a search that its area is made of. */
export type AreaOfSearch = Pick<AreaSearch, 'bbox' | 'areas'>

/** A place has one region for all searches, so it is cut once. */
const knownRanges = new WeakMap<Region, readonly MortonRange[]>()

/**
 * Cuts the area of a search, in this thread.
 *
 * @throws the signal's reason
 */
export async function openAreaHere(search: AreaOfSearch, signal: AbortSignal): Promise<AreaWork> {
  const region = regionOfSearch(search)
  const ranges = knownRanges.get(region) ?? (await inTurn(cutIntoRanges(region, AREA_RANGES), signal))
  knownRanges.set(region, ranges)
  return {
    ranges,
    compare: (edge, page) => inTurn(compareEdge(edge, region, page), signal),
    close() {},
  }
}

/** Bytes of a home in `edgeStatement` before its zpid: longitude, latitude, sort key; whether it is behind the cursor; length. */
const HEAD_BYTES = 3 * 8 + 2 * 4

function* compareEdge(edge: Buffer, region: Region, page: SearchPage): Generator<void, Compared> {
  const starts: number[] = []
  for (let at = 0; at < edge.length; at += HEAD_BYTES + edge.readInt32BE(at + HEAD_BYTES - 4)) {
    if (starts.push(at) % 8_192 === 0) yield
  }
  const longitudes = new Float64Array(starts.length)
  const latitudes = new Float64Array(starts.length)
  for (const [index, at] of starts.entries()) {
    longitudes[index] = edge.readDoubleBE(at)
    latitudes[index] = edge.readDoubleBE(at + 8)
    if (index % 8_192 === 8_191) yield
  }
  const isIn = new Uint8Array(starts.length)
  yield
  yield* region.mark(longitudes, latitudes, isIn)
  const first = createFirst(page)
  let count = 0
  for (const [index, at] of starts.entries()) {
    if (isIn[index] === 0) continue
    if (++count % 512 === 0) yield
    if (edge.readInt32BE(at + 24) === 0) continue
    const value = edge.readDoubleBE(at + 16)
    const zpidAt = at + HEAD_BYTES
    const zpidOf = () => edge.toString('utf8', zpidAt, zpidAt + edge.readInt32BE(zpidAt - 4))
    first.addIfBefore(Number.isNaN(value) ? null : value, zpidOf)
  }
  return { count, first: first.keys }
}

/** The first homes of an order, as many as a page has. */
export interface First {
  readonly keys: readonly RowKey[]
  add(key: RowKey): void
  /** The same, and the zpid is read only if it may count. */
  addIfBefore(value: number | null, zpidOf: () => string): void
}

export function createFirst({ limit, order = NEWEST }: SearchPage): First {
  const kept: RowKey[] = []
  const add = (key: RowKey): void => {
    const last = kept.at(-1)
    if (kept.length === limit && (!last || compareKeys(order, key, last) >= 0)) return
    let [low, high] = [0, kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareKeys(order, kept[middle]!, key) < 0) low = middle + 1
      else high = middle
    }
    kept.splice(low, 0, key)
    if (kept.length > limit) kept.pop()
  }
  return {
    keys: kept,
    add,
    addIfBefore(value, zpidOf) {
      const last = kept.at(-1)
      // The empty text is before every zpid, so this is the best that the home can be.
      if (kept.length === limit && last && compareKeys(order, { value, zpid: '' }, last) >= 0) return
      add({ value, zpid: zpidOf() })
    },
  }
}
