// The work of an area search outside the database: splitting the area into ranges of Morton codes, and comparing the homes near its edge
// with it. Both can pause, because searches take turns and lookups run in between.

import {
  type AreaSearch,
  compareKeys,
  cutIntoRanges,
  type MortonRange,
  NEWEST_FIRST,
  type Region,
  type RowKey,
  searchRegion,
} from '../../../domain/search.ts'
import { runInSlices } from '../../../infrastructure/platform.ts'
import type { PageRequest } from '../provider.ts'
import { AREA_RANGES } from './search-statement.ts'

/** The area computations of one search. */
export interface AreaWork {
  readonly ranges: readonly MortonRange[]
  /** The homes of `edgeStatement` that are in the area. The buffer is not used by others afterwards. */
  compare(edge: Buffer, page: PageRequest): Promise<AreaMatch>
}

export interface AreaMatch {
  /** All homes in the area, including those before the page. */
  readonly count: number
  /** The first homes behind the cursor, at most one page of them. */
  readonly first: readonly RowKey[]
}

/** The fields of a search that define its area. */
export type AreaOfSearch = Pick<AreaSearch, 'bbox' | 'areas'>

/** A place has one region for all searches, so its ranges are computed once. */
const knownRanges = new WeakMap<Region, readonly MortonRange[]>()

/**
 * Computes the ranges of a search's area.
 *
 * @throws the signal's reason
 */
export async function openArea(
  search: AreaOfSearch,
  signal: AbortSignal,
  account?: string,
): Promise<AreaWork> {
  const region = searchRegion(search)
  const ranges =
    knownRanges.get(region) ?? (await runInSlices(cutIntoRanges(region, AREA_RANGES), signal, account))
  knownRanges.set(region, ranges)
  return {
    ranges,
    compare: (edge, page) => runInSlices(compareEdge(edge, region, page), signal, account),
  }
}

/** Homes that are read between two pauses. */
const READ_AT_A_TIME = 8_192

/** The columns of the homes near the edge. Each column has one value for each home. */
interface EdgeHomes {
  readonly count: number
  readonly longitudes: Float64Array
  readonly latitudes: Float64Array
  /** NaN if the home has no key. */
  keyOf(home: number): number
  /** Whether the home is behind the cursor. */
  isBehind(home: number): boolean
  zpidOf(home: number): string
}

/**
 * Reads the bytes of `edgeStatement`: the number of homes (32 bits); longitudes, latitudes, and sort keys (64 bits each, big-endian); with
 * a cursor, one byte for each home that says whether it is behind the cursor; and the zpids, separated by line feeds.
 */
function* readEdge(edge: Buffer, hasCursor: boolean): Generator<void, EdgeHomes> {
  const count = edge.readInt32BE(0)
  const positionsAt = 4
  const keysAt = positionsAt + 16 * count
  const behindAt = keysAt + 8 * count
  const longitudes = new Float64Array(count)
  const latitudes = new Float64Array(count)
  // The start of each zpid, and one position behind the line feed that the last zpid lacks.
  const zpidAt = new Uint32Array(count + 1)
  zpidAt[0] = behindAt + (hasCursor ? count : 0)
  for (let home = 0; home < count; home++) {
    longitudes[home] = edge.readDoubleBE(positionsAt + 16 * home)
    latitudes[home] = edge.readDoubleBE(positionsAt + 16 * home + 8)
    const end = home + 1 < count ? edge.indexOf(10, zpidAt[home]!) : edge.length
    zpidAt[home + 1] = end + 1
    if (home % READ_AT_A_TIME === READ_AT_A_TIME - 1) yield
  }
  return {
    count,
    longitudes,
    latitudes,
    keyOf: (home) => edge.readDoubleBE(keysAt + 8 * home),
    isBehind: (home) => !hasCursor || edge[behindAt + home] === 1,
    zpidOf: (home) => edge.toString('utf8', zpidAt[home]!, zpidAt[home + 1]! - 1),
  }
}

function* compareEdge(edge: Buffer, region: Region, page: PageRequest): Generator<void, AreaMatch> {
  const homes = yield* readEdge(edge, page.after !== undefined)
  const isIn = new Uint8Array(homes.count)
  yield
  yield* region.mark(homes.longitudes, homes.latitudes, isIn)
  const first = createFirst(page)
  let count = 0
  for (let home = 0; home < homes.count; home++) {
    if (isIn[home] === 0) continue
    if (++count % 512 === 0) yield
    if (!homes.isBehind(home)) continue
    const value = homes.keyOf(home)
    first.addIfBefore(Number.isNaN(value) ? null : value, () => homes.zpidOf(home))
  }
  return { count, first: first.keys }
}

/** The first homes of an order, at most one page of them. */
export interface First {
  readonly keys: readonly RowKey[]
  add(key: RowKey): void
  /** Like `add`, but reads the zpid only if the home may belong to the page. */
  addIfBefore(value: number | null, zpidOf: () => string): void
}

export function createFirst({ limit, order = NEWEST_FIRST }: PageRequest): First {
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
      // The empty text sorts before every zpid. If even that is too late, the home is not in the page.
      if (kept.length === limit && last && compareKeys(order, { value, zpid: '' }, last) >= 0) return
      add({ value, zpid: zpidOf() })
    },
  }
}
