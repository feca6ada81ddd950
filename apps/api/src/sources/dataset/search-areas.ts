// A search with areas over the data set. PostgreSQL finds the homes that are certainly in them and those near an edge, and
// the region decides on the latter. Both statements see one state of the data.

import type { Database, Queryable } from '../../database/database.ts'
import { inTurn } from '../../platform/slices.ts'
import type { AreaSearch } from '../../search/area-search.ts'
import { cutIntoRanges, type MortonRange } from '../../search/morton.ts'
import { type Region, regionOfSearch } from '../../search/region.ts'
import { compareKeys, NEWEST, type RowKey } from '../../search/row-order.ts'
import type { SearchPage } from '../provider.ts'
import { AREA_RANGES, type AreaRow, areaStatement, SUMMARIES, type SummaryRow } from './search-statement.ts'

interface Found {
  readonly rows: readonly SummaryRow[]
  readonly total: number
}

/** A place has one region for all searches, so it is cut once. */
const knownRanges = new WeakMap<Region, readonly MortonRange[]>()

/**
 * The summaries of a page, and how many homes match. A transaction is taken as it is. When the signal aborts, neither the wait
 * nor the work goes on: work without a client would delay the searches behind it.
 *
 * @throws the signal's reason
 */
export async function searchAreas(
  database: Queryable | Database,
  search: AreaSearch,
  page: SearchPage,
  signal: AbortSignal,
): Promise<Found> {
  const region = regionOfSearch(search)
  const ranges = knownRanges.get(region) ?? (await inTurn(cutIntoRanges(region, AREA_RANGES), signal))
  knownRanges.set(region, ranges)
  const work = (tx: Queryable) => searchIn(tx, search, { region, ranges, page, signal })
  return 'transaction' in database
    ? inPlace(() => database.transaction(work, { readOnly: true, isolation: 'repeatable read' }), signal)
    : work(database)
}

/**
 * Searches of areas that hold a connection at a time. This process works on one after the other, so two keep it busy, and more
 * would only take the database's time from lookups.
 */
const MAX_AT_A_TIME = 2
let running = 0
const waiting = new Set<() => void>()

/** Does the work when fewer than `MAX_AT_A_TIME` are under way, in order of arrival. */
async function inPlace<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  if (running < MAX_AT_A_TIME) running++
  else await placeInLine(signal)
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    const [next] = waiting
    // The place goes from one to the next without being free in between.
    if (next) next()
    else running--
  }
}

/** Those that wait are bounded by the calls under way: each leaves the line when its client or its time does. */
function placeInLine(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      waiting.delete(enter)
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      waiting.delete(enter)
      reject(signal.reason)
    }
    waiting.add(enter)
    signal.addEventListener('abort', leave, { once: true })
  })
}

interface Cut {
  readonly region: Region
  readonly ranges: readonly MortonRange[]
  readonly page: SearchPage
  readonly signal: AbortSignal
}

async function searchIn(
  tx: Queryable,
  search: AreaSearch,
  { region, ranges, page, signal }: Cut,
): Promise<Found> {
  const { text, values } = areaStatement(search, ranges, page)
  const { rows } = await tx.query<AreaRow>(text, values)
  const first = createFirst(page)
  for (const { zpid, sort_key } of rows) if (zpid !== null) first.add({ value: sort_key, zpid })
  let total = rows.find(({ certain }) => certain !== null)?.certain ?? 0
  const edge = rows.find((row) => row.edge !== null)?.edge
  if (edge) total += await inTurn(keepInside(edge, region, first), signal)
  const zpids = first.zpids()
  const found = zpids.length === 0 ? [] : (await tx.query<SummaryRow>(SUMMARIES, [zpids])).rows
  return { rows: found, total }
}

/** Bytes of a home in `AreaRow.edge` before its zpid: longitude, latitude, sort key; whether it is behind the cursor; length. */
const HEAD_BYTES = 3 * 8 + 2 * 4

/** Adds the homes that are in the region, and returns how many there are, those before the page included. */
function* keepInside(edge: Buffer, region: Region, first: First): Generator<void, number> {
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
  return count
}

/** The first homes of an order, as many as a page has. */
interface First {
  add(key: RowKey): void
  /** The same, and the zpid is read only if it may count. */
  addIfBefore(value: number | null, zpidOf: () => string): void
  zpids(): string[]
}

function createFirst({ limit, order = NEWEST }: SearchPage): First {
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
    add,
    addIfBefore(value, zpidOf) {
      const last = kept.at(-1)
      // The empty text is before every zpid, so this is the best that the home can be.
      if (kept.length === limit && last && compareKeys(order, { value, zpid: '' }, last) >= 0) return
      add({ value, zpid: zpidOf() })
    },
    zpids: () => kept.map(({ zpid }) => zpid),
  }
}
