// Boundaries of places, as they are stored (table place_boundaries), and as regions that searches use. A boundary is named by the
// SHA-256 of its data and never changes, so a region that was made of it is right for as long as the process runs.

import { createHash } from 'node:crypto'
import type { Ring } from '@lotline/contract/checks'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../database/database.ts'
import type { AreaSearch, PlaceArea } from '../search/area-search.ts'
import { hasPlaceRegion, type PlaceRegion, regionOfBoundary, setPlaceRegion } from '../search/region.ts'

/** The coordinates of a GeoJSON MultiPolygon. */
export type Polygons = readonly (readonly Ring[])[]

export interface Boundary {
  /** In hexadecimal. */
  readonly key: string
  readonly data: Buffer
  readonly positions: number
}

/**
 * Numbers of 32 bits, the lowest byte first: how many polygons there are; for each its rings; for each ring its positions. Then,
 * from a multiple of 8 bytes on, longitude and latitude of each position as double-precision numbers, the lowest byte first.
 */
export function writeBoundary(polygons: Polygons): Boundary {
  const counts = [
    polygons.length,
    ...polygons.flatMap((rings) => [rings.length, ...rings.map(({ length }) => length)]),
  ]
  const positions = polygons.flat(2)
  const head = headBytes(counts.length)
  const data = Buffer.alloc(head + positions.length * 16)
  for (const [at, count] of counts.entries()) data.writeUInt32LE(count, at * 4)
  for (const [at, [longitude, latitude]] of positions.entries()) {
    data.writeDoubleLE(longitude, head + at * 16)
    data.writeDoubleLE(latitude, head + at * 16 + 8)
  }
  return { key: createHash('sha256').update(data).digest('hex'), data, positions: positions.length }
}

export function readBoundaryData(data: Buffer): Polygons {
  let next = 0
  const readCount = () => data.readUInt32LE(next++ * 4)
  const counts = Array.from({ length: readCount() }, () => Array.from({ length: readCount() }, readCount))
  let at = headBytes(next)
  const readNumber = () => {
    const value = data.readDoubleLE(at)
    at += 8
    return value
  }
  return counts.map((rings) =>
    rings.map((length) => Array.from({ length }, () => [readNumber(), readNumber()] as const)),
  )
}

function headBytes(counts: number): number {
  return Math.ceil((counts * 4) / 8) * 8
}

/** Positions of the boundaries whose regions a process keeps: about 70 bytes each. */
const MAX_KEPT_POSITIONS = 600_000
const kept = new LRUCache<string, PlaceRegion>({
  maxSize: MAX_KEPT_POSITIONS,
  sizeCalculation: ({ positions }) => positions + 1,
})

/** The region of a boundary, made now unless it is kept. */
export function regionOfKey(key: string, polygons: () => Polygons): PlaceRegion {
  const region = kept.get(key) ?? regionOfBoundary(polygons())
  kept.set(key, region)
  return region
}

const DATA = 'select key, data from place_boundaries where key = any ($1)'

/**
 * Reads the boundaries that searches name, so that the searches can be made.
 *
 * @throws {Error} when one is not in the database
 */
export async function prepareSearches(
  database: Queryable,
  searches: readonly Pick<AreaSearch, 'areas'>[],
): Promise<void> {
  const places = searches.flatMap(({ areas = [] }) =>
    areas.filter((area): area is PlaceArea => area.type === 'place' && !hasPlaceRegion(area)),
  )
  if (places.length === 0) return
  const keys = [...new Set(places.map(({ boundary }) => boundary!))]
  // Together they may be more than is kept.
  const found = new Map<string, PlaceRegion>()
  for (const key of keys) {
    const region = kept.get(key)
    if (region) found.set(key, region)
  }
  const missing = keys.filter((key) => !found.has(key))
  const { rows } =
    missing.length === 0 ? { rows: [] } : await database.query<{ key: string; data: Buffer }>(DATA, [missing])
  for (const { key, data } of rows)
    found.set(
      key,
      regionOfKey(key, () => readBoundaryData(data)),
    )
  for (const area of places) {
    const region = found.get(area.boundary!)
    if (!region) throw new Error(`The boundary of the ${area.kind} ${area.id} is not in the database.`)
    setPlaceRegion(area, region)
  }
}
