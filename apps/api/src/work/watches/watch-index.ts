// The index of watched searches: finds the searches that match a home, or matched it before a change. Equal searches are matched once. A
// search is tested only for homes in the boxes around its area, in its ZIP codes, or in its cities.

import { setImmediate as pollEvents } from 'node:timers/promises'
import type { Position } from '@lotline/contract/checks'
import Flatbush from 'flatbush'
import { LRUCache } from 'lru-cache'
import { prepareSearches } from '../../data/places.ts'
import { type ListingChange, type ListingFacts, matcherOf } from '../../data/sources.ts'
import {
  type AreaSearch,
  BAND,
  type BoundingBox,
  EARTH_RADIUS_M,
  FILTERS,
  getPlaceRegion,
  type SearchArea,
  splitAtAntimeridian,
  WORLD,
} from '../../domain/search.ts'
import { DatabaseUnavailable, errorCode, type Queryable } from '../../infrastructure/database.ts'

/** The locations of a search's homes: its ZIP codes, or else its cities, or else boxes. Every home that it finds is in one of them. */
interface Outline {
  readonly zips?: readonly string[] | undefined
  readonly cities?: readonly string[] | undefined
  readonly boxes: readonly BoundingBox[]
  /** The bounds of the filter `BAND`. A home without the value is found only by a search without bounds. */
  readonly min: number
  readonly max: number
}

/** A search that matches the changed home, or matched it before the change. */
export interface Hit {
  readonly hash: string
  /** Whether it matches the home now. */
  readonly matches: boolean
}

export interface WatchIndex {
  /** Hashes of searches that cannot be matched, with the reason. They find nothing; `findHits` may add more. */
  readonly failed: ReadonlyMap<string, unknown>
  /** The matching searches of each change, in the given order. */
  findHits(tx: Queryable, changes: readonly ListingChange[]): Promise<Hit[][]>
}

// By the hash of the search. A step reads only searches that are new to this process, or that it has not used for long.
const outlines = new LRUCache<string, Outline>({ max: 200_000 })
/** The size of a matcher is the number of positions in its areas, about 200 bytes each. */
const matchers = new LRUCache<string, Matcher>({ maxSize: 500_000 })

/** Searches read in one statement: an area has up to 5,000 positions. */
const SEARCHES_AT_A_TIME = 100
/** Milliseconds of matching before other work of the process gets a turn. */
const SLICE_MS = 5

const SEARCHES = `
  select distinct on (search_hash) search_hash as hash, search from watches
  where search is not null and search_hash = any ($1) order by search_hash`

/** Reads searches by their hashes, in groups. A search that no watch uses any more, or that fails, is missing from the result. */
async function* readSearches(tx: Queryable, hashes: readonly string[], fail: Fail) {
  for (let from = 0; from < hashes.length; from += SEARCHES_AT_A_TIME) {
    const some = hashes.slice(from, from + SEARCHES_AT_A_TIME)
    const { rows } = await tx.query<{ hash: string; search: AreaSearch }>(SEARCHES, [some])
    yield await prepareAll(tx, rows, fail)
  }
}

/** Called with a search that cannot be matched. */
type Fail = (hash: string, reason: unknown) => void

interface IndexedSearchRow {
  readonly hash: string
  readonly search: AreaSearch
}

/** Reads a group together, and one by one only if that fails. */
async function prepareAll(
  tx: Queryable,
  rows: readonly IndexedSearchRow[],
  fail: Fail,
): Promise<readonly IndexedSearchRow[]> {
  const prepare = (some: readonly IndexedSearchRow[]) =>
    prepareSearches(
      tx,
      some.map(({ search }) => search),
    )
  try {
    await prepare(rows)
    return rows
  } catch (error) {
    // The statement itself has failed, and the transaction with it.
    if (error instanceof DatabaseUnavailable || errorCode(error)) throw error
  }
  const prepared: IndexedSearchRow[] = []
  for (const row of rows) {
    try {
      await prepare([row])
      prepared.push(row)
    } catch (error) {
      fail(row.hash, error)
    }
  }
  return prepared
}

/** The index of searches, given by their hashes (`watches.search_hash`). */
export async function indexSearches(tx: Queryable, hashes: readonly string[]): Promise<WatchIndex> {
  const failed = new Map<string, unknown>()
  const fail: Fail = (hash, reason) => failed.set(hash, reason)
  const unknown = hashes.filter((hash) => !outlines.has(hash))
  for await (const searches of readSearches(tx, unknown, fail)) {
    for (const { hash, search } of searches) {
      try {
        keepMatcher(hash, search)
        outlines.set(hash, outlineOf(search))
      } catch (error) {
        fail(hash, error)
      }
    }
  }
  // Searches are numbered: each change may have thousands of candidates.
  const byZip = new Map<string, number[]>()
  const byCity = new Map<string, number[]>()
  const boxes: BoundingBox[] = []
  const searchOfBox: number[] = []
  for (const [search, hash] of hashes.entries()) {
    const outline = outlines.get(hash)
    if (outline?.zips) for (const zip of outline.zips) addTo(byZip, zip, search)
    else if (outline?.cities) for (const city of outline.cities) addTo(byCity, city, search)
    else {
      for (const box of outline?.boxes ?? []) {
        boxes.push(box)
        searchOfBox.push(search)
      }
    }
  }
  const tree = boxes.length === 0 ? undefined : new Flatbush(boxes.length)
  for (const { west, south, east, north } of boxes) tree!.add(west, south, east, north)
  tree?.finish()
  // Thousands of watches over one area mostly differ in their prices.
  const minima = Float64Array.from(hashes, (hash) => outlines.get(hash)?.min ?? -Infinity)
  const maxima = Float64Array.from(hashes, (hash) => outlines.get(hash)?.max ?? Infinity)
  const NONE: readonly number[] = []

  function forCandidates(facts: ListingFacts | null, found: (search: number) => void): void {
    if (!facts) return
    const value = facts[FILTERS[BAND].column]
    const visit = (search: number) => {
      const [min, max] = [minima[search]!, maxima[search]!]
      if (value === null ? min === -Infinity && max === Infinity : value >= min && value <= max) found(search)
    }
    for (const search of (facts.zip && byZip.get(facts.zip)) || NONE) visit(search)
    for (const search of (facts.city && byCity.get(facts.city)) || NONE) visit(search)
    const { longitude, latitude } = facts
    if (longitude === null || latitude === null) return
    for (const box of tree?.search(longitude, latitude, longitude, latitude) ?? NONE) visit(searchOfBox[box]!)
  }

  function tryJudge(finds: Matcher, hash: string, change: ListingChange, to: Hit[]): void {
    if (failed.has(hash)) return
    try {
      judge(finds, hash, change, to)
    } catch (error) {
      fail(hash, error)
    }
  }

  return {
    failed,
    async findHits(tx, changes) {
      const hits = changes.map((): Hit[] => [])
      const known: (Matcher | undefined)[] = hashes.map((hash) => matchers.get(hash))
      const later = new Map<string, number[]>()
      // For each search, the last change that it was a candidate for.
      const seen = new Int32Array(hashes.length).fill(-1)
      const pause = createPause()
      for (const [at, change] of changes.entries()) {
        const visit = (search: number) => {
          if (seen[search] === at) return
          seen[search] = at
          const matches = known[search]
          if (matches) tryJudge(matches, hashes[search]!, change, hits[at]!)
          else addTo(later, hashes[search]!, at)
        }
        forCandidates(change.before, visit)
        forCandidates(change.after, visit)
        await pause()
      }
      for await (const searches of readSearches(tx, [...later.keys()], fail)) {
        for (const { hash, search } of searches) {
          try {
            const matches = keepMatcher(hash, search)
            for (const at of later.get(hash)!) judge(matches, hash, changes[at]!, hits[at]!)
          } catch (error) {
            fail(hash, error)
          }
          await pause()
        }
      }
      return hits
    },
  }
}

type Matcher = (facts: ListingFacts) => boolean

function keepMatcher(hash: string, search: AreaSearch): Matcher {
  const matches = matcherOf(search)
  matchers.set(hash, matches, { size: 1 + countPositions(search) })
  return matches
}

function judge(finds: Matcher, hash: string, { before, after }: ListingChange, to: Hit[]): void {
  const matches = after !== null && finds(after)
  if (matches || (before !== null && finds(before))) to.push({ hash, matches })
}

/** Lets other work of the process run, if it had no turn for `SLICE_MS`. */
function createPause(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined
    return pollEvents().then(() => {
      began = performance.now()
    })
  }
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function countPositions({ areas = [] }: AreaSearch): number {
  const polygons = areas.flatMap((area) => {
    if (area.type === 'Polygon') return [area.coordinates]
    return area.type === 'MultiPolygon' ? area.coordinates : []
  })
  // Searches of one place share its region, which stays in memory as long as one of them does.
  const ofPlaces = areas.map((area) => (area.type === 'place' ? getPlaceRegion(area).positions : 0))
  return [...ofPlaces, ...polygons.flat().map((ring) => ring.length)].reduce((sum, count) => sum + count, 0)
}

/** More boxes than this are merged into one. */
const MAX_BOXES = 50

function outlineOf(search: AreaSearch): Outline {
  const boxes = boxesAround(search)
  const { zips, cities, [BAND]: band } = search
  return {
    zips,
    cities,
    boxes: boxes.length > MAX_BOXES ? [hullOf(boxes)] : boxes,
    min: band?.min ?? -Infinity,
    max: band?.max ?? Infinity,
  }
}

function hullOf(boxes: readonly BoundingBox[]): BoundingBox {
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  }
}

/** Boxes that contain every position of a search's area. They may be larger than the area. */
export function boxesAround({ bbox, areas }: Pick<AreaSearch, 'bbox' | 'areas'>): BoundingBox[] {
  const own = splitAtAntimeridian(bbox)
  if (!areas) return own
  return areas.flatMap(boxesAroundArea).flatMap((box) => own.flatMap((other) => overlapOf(box, other) ?? []))
}

function boxesAroundArea(area: SearchArea): BoundingBox[] {
  switch (area.type) {
    case 'bbox':
      return splitAtAntimeridian(area)
    case 'circle':
      return [boxAroundCircle(area.center, area.radius_m)]
    case 'Polygon':
      return [boxAroundRing(area.coordinates[0]!)]
    case 'MultiPolygon':
      return area.coordinates.map((rings) => boxAroundRing(rings[0]!))
    case 'place':
      return [...getPlaceRegion(area).boxes]
  }
}

function boxAroundRing(ring: readonly Position[]): BoundingBox {
  const box = { west: 180, south: 90, east: -180, north: -90 }
  for (const [longitude, latitude] of ring) {
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
    box.south = Math.min(box.south, latitude)
    box.north = Math.max(box.north, latitude)
  }
  return box
}

/** A circle at a pole or across the antimeridian covers the whole parallel. */
function boxAroundCircle([longitude, latitude]: Position, radiusM: number): BoundingBox {
  const metersPerDegree = (EARTH_RADIUS_M * Math.PI) / 180
  // Larger than any rounding error.
  const height = radiusM / metersPerDegree + 1e-6
  const [south, north] = [latitude - height, latitude + height]
  const farthest = Math.max(Math.abs(south), Math.abs(north))
  const around = { ...WORLD, south: Math.max(-90, south), north: Math.min(90, north) }
  if (farthest >= 89) return around
  const width = height / Math.cos((farthest * Math.PI) / 180)
  const [west, east] = [longitude - width, longitude + width]
  return west < -180 || east > 180 ? around : { ...around, west, east }
}

function overlapOf(one: BoundingBox, other: BoundingBox): BoundingBox | undefined {
  const overlap = {
    west: Math.max(one.west, other.west),
    south: Math.max(one.south, other.south),
    east: Math.min(one.east, other.east),
    north: Math.min(one.north, other.north),
  }
  return overlap.west <= overlap.east && overlap.south <= overlap.north ? overlap : undefined
}
