// Boundaries of places, in the form that is stored (table place_boundaries) and as regions for searches. A boundary is named by the SHA-256
// of its data and never changes, so its region stays valid as long as the process runs.
// Why: decisions/data/boundaries-never-change.md
// Why: decisions/data/zip-search-over-a-remote-provider.md

import { createHash } from 'node:crypto'
import type { Position, Ring } from '@lotline/contract/checks'
import { LRUCache } from 'lru-cache'
import {
  type AreaSearch,
  type BoundingBox,
  boundaryRegion,
  buildBoundaryRegion,
  hasPlaceRegion,
  type PlaceArea,
  type PlaceRegion,
  setPlaceRegion,
} from '../../domain/search.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { runInSlices, singleFlights } from '../../infrastructure/platform.ts'

/** The coordinates of a GeoJSON MultiPolygon. */
export type PolygonRings = readonly (readonly Ring[])[]

export interface Boundary {
  /** In hexadecimal. */
  readonly key: string
  readonly data: Buffer
  readonly positions: number
  /** The result of `boxesAround` as one list: west, south, east, north of each box. */
  readonly boxes: readonly number[]
}

/**
 * Writes little-endian 32-bit numbers: the count of polygons, of the rings of each, and of the positions of each ring. Then, aligned to 8
 * bytes, longitude and latitude of each position as little-endian double-precision numbers.
 */
export function writeBoundary(polygons: PolygonRings): Boundary {
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
  const boxes = boxesAround(polygons).flatMap(({ west, south, east, north }) => [west, south, east, north])
  return { key: createHash('sha256').update(data).digest('hex'), data, positions: positions.length, boxes }
}

/** The box around the polygons west of 0°, and the one around the others. Places on both sides of the antimeridian have two. */
export function boxesAround(polygons: PolygonRings): BoundingBox[] {
  const rings = polygons.flat()
  const west = rings.filter(([first]) => first![0] < 0).flat()
  const east = rings.filter(([first]) => first![0] >= 0).flat()
  return [west, east].filter((side) => side.length > 0).map(boxAround)
}

function boxAround(positions: Ring): BoundingBox {
  const box = { west: 180, south: 90, east: -180, north: -90 }
  for (const [longitude, latitude] of positions) {
    box.west = Math.min(box.west, longitude)
    box.south = Math.min(box.south, latitude)
    box.east = Math.max(box.east, longitude)
    box.north = Math.max(box.north, latitude)
  }
  return box
}

/** The box with a margin, within the world. */
export function widened({ west, south, east, north }: BoundingBox, degrees: number): BoundingBox {
  return {
    west: Math.max(-180, west - degrees),
    south: Math.max(-90, south - degrees),
    east: Math.min(180, east + degrees),
    north: Math.min(90, north + degrees),
  }
}

/** Reads the data of `writeBoundary`. Yields after each few thousand positions. */
export function* readBoundaryData(data: Buffer): Generator<void, PolygonRings> {
  let next = 0
  const readCount = () => data.readUInt32LE(next++ * 4)
  const counts = Array.from({ length: readCount() }, () => Array.from({ length: readCount() }, readCount))
  let at = headBytes(next)
  let positions = 0
  const polygons: Ring[][] = []
  for (const lengths of counts) {
    const rings: Ring[] = []
    for (const length of lengths) {
      const ring: Position[] = []
      for (; ring.length < length; at += 16) {
        ring.push([data.readDoubleLE(at), data.readDoubleLE(at + 8)])
        if (++positions % POSITIONS_AT_A_TIME === 0) yield
      }
      rings.push(ring)
    }
    polygons.push(rings)
  }
  return polygons
}

/** The number of positions between two pauses: some tenths of a millisecond. */
const POSITIONS_AT_A_TIME = 4_096

function headBytes(counts: number): number {
  return Math.ceil((counts * 4) / 8) * 8
}

/** The maximum of boundary positions whose regions a process keeps: about 70 bytes each. */
const MAX_KEPT_POSITIONS = 600_000
const kept = new LRUCache<string, PlaceRegion>({
  maxSize: MAX_KEPT_POSITIONS,
  sizeCalculation: ({ positions }) => positions + 1,
})

/** The region of a built-in boundary, built now unless it is cached. These boundaries have at most some thousand positions. */
export function regionOfKey(key: string, polygons: () => PolygonRings): PlaceRegion {
  const region = kept.get(key) ?? boundaryRegion(polygons())
  kept.set(key, region)
  return region
}

const building = singleFlights<string, PlaceRegion>()

/** The region of a stored boundary. It is built in slices, once for all searches that wait for it. */
function regionOfData(key: string, data: Buffer): Promise<PlaceRegion> {
  function* build(): Generator<void, PlaceRegion> {
    return yield* buildBoundaryRegion(yield* readBoundaryData(data))
  }
  return building.run(key, async () => {
    const built = await runInSlices(build())
    kept.set(key, built)
    return built
  })
}

/**
 * A home near the edge of a ZIP code, or geocoded carelessly, may be outside its area, so about ten kilometers around it are searched too.
 */
const ZIP_MARGIN_DEGREES = 0.1

const ZIP_BOXES = `
  select id, boxes from places join place_boundaries on key = boundary where kind = 'zip' and id = any ($1)`

/** Boxes that hold the homes of ZIP codes, for those that were imported as places. */
export async function findZipBoxes(
  database: Queryable,
  zips: readonly string[],
): Promise<ReadonlyMap<string, readonly BoundingBox[]>> {
  const { rows } = await database.query<{ id: string; boxes: number[] }>(ZIP_BOXES, [zips], {
    name: 'zip_boxes',
  })
  return new Map(rows.map(({ id, boxes }) => [id, readBoxes(boxes)]))
}

function readBoxes(numbers: readonly number[]): BoundingBox[] {
  const boxes: BoundingBox[] = []
  for (let at = 0; at < numbers.length; at += 4) {
    const [west, south, east, north] = numbers.slice(at, at + 4) as [number, number, number, number]
    boxes.push(widened({ west, south, east, north }, ZIP_MARGIN_DEGREES))
  }
  return boxes
}

const DATA = 'select key, data from place_boundaries where key = any ($1)'

/**
 * Reads the boundaries that searches name. Call it before the searches run.
 *
 * @throws {Error} when a boundary is not in the database
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
  // The boundaries of one search may exceed the cache.
  const found = new Map<string, PlaceRegion>()
  for (const key of keys) {
    const region = kept.get(key)
    if (region) found.set(key, region)
  }
  const missing = keys.filter((key) => !found.has(key))
  const { rows } =
    missing.length === 0 ? { rows: [] } : await database.query<{ key: string; data: Buffer }>(DATA, [missing])
  for (const { key, data } of rows) found.set(key, kept.get(key) ?? (await regionOfData(key, data)))
  for (const area of places) {
    const region = found.get(area.boundary!)
    if (!region) throw new Error(`The boundary of the ${area.kind} ${area.id} is not in the database.`)
    setPlaceRegion(area, region)
  }
}
