// Positions as Morton codes: the cells of a grid over the world are numbered so that cells near each other mostly have
// near numbers. A plain B-tree over the codes answers searches of an area, since an area is a few ranges of codes.

import { type BoundingBox, WORLD } from './area-search.ts'

/** The grid has 2^26 columns and rows: cells of 0.6 m by 0.3 m. A code has 52 bits, so a number holds it exactly. */
const BITS_PER_AXIS = 26
const CELLS_PER_AXIS = 2 ** BITS_PER_AXIS

/** The maximum ranges of a box. Each costs one index descent. With more of them, fewer rows outside the box are read. */
export const MAX_BOX_RANGES = 32

/**
 * The maximum of quadrants that are cut for one region. A region that consists mostly of edges, such as a star with thousands of spikes,
 * would be cut ten times as often without reading noticeably fewer rows.
 */
const MAX_CUTS = 512

/**
 * Cutting ends when at least `MIN_CUTS_OF_GAIN` quadrants were cut at once, and the cuts found less than this share of their cells
 * to be outside or inside the region. Edges are then everywhere, and finer cuts would find no more. Along one straight edge, each
 * cut decides half of the cells.
 */
const MIN_CUTS_OF_GAIN = 32
const MIN_GAIN = 0.1

/** Codes from `low` to `high`, both included. */
export interface MortonRange {
  readonly low: number
  readonly high: number
  /** Every position with such a code is in the region. Positions of other ranges must be compared with the region. */
  readonly isInside: boolean
}

/** The part of a region that touches a tile. */
export interface RegionPart {
  /** The share of the tile that it covers, from 0 to 1. Only 1 is exact: every position of the tile is in the region. */
  readonly share: number
  /** undefined: the tile, which is inside the tile of this part, has no position of the region. */
  partIn(tile: BoundingBox): RegionPart | undefined
}

/** The code of a position in degrees (−180 to 180, −90 to 90). Longitude has the even bits, latitude the odd ones. */
export function mortonCode(longitude: number, latitude: number): number {
  const column = Math.min(CELLS_PER_AXIS - 1, Math.floor(((longitude + 180) / 360) * CELLS_PER_AXIS))
  const row = Math.min(CELLS_PER_AXIS - 1, Math.floor(((latitude + 90) / 180) * CELLS_PER_AXIS))
  // Bit operations have 32 bits in JavaScript, so the upper and the lower half are interleaved one by one.
  const half = BITS_PER_AXIS / 2
  const mask = 2 ** half - 1
  const upper = spreadBits(column >> half) | (spreadBits(row >> half) << 1)
  const lower = spreadBits(column & mask) | (spreadBits(row & mask) << 1)
  return upper * CELLS_PER_AXIS + lower
}

/** Puts a zero in front of each of 13 bits. */
function spreadBits(bits: number): number {
  let spaced = (bits | (bits << 8)) & 0x00ff00ff
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f
  spaced = (spaced | (spaced << 2)) & 0x33333333
  return (spaced | (spaced << 1)) & 0x55555555
}

/** A square of cells. Their codes are the `size * size` numbers from `code` on. */
interface Quadrant {
  readonly column: number
  readonly row: number
  readonly size: number
  readonly code: number
  readonly part: RegionPart
}

/**
 * At most `most` ranges, in ascending order, that cover the code of every position of the region. The world is cut in four again and again,
 * always the quadrants that have the most cells outside the region. Adjacent quadrants become one range.
 */
export function mortonRanges(region: RegionPart, most = MAX_BOX_RANGES): MortonRange[] {
  const work = cutIntoRanges(region, most)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** `mortonRanges` with pauses: yields after each tile. */
export function* cutIntoRanges(region: RegionPart, most: number): Generator<void, MortonRange[]> {
  const world = region.partIn(tileBounds(0, 0, CELLS_PER_AXIS))
  if (!world) return []
  let quadrants: readonly Quadrant[] = [{ column: 0, row: 0, size: CELLS_PER_AXIS, code: 0, part: world }]
  let ranges = mergeRanges(quadrants)
  // Keeps the quarters of quadrants that exceeded the limit, so that they are not cut again.
  const quartersOf = new Map<Quadrant, Quadrant[]>()
  function* cutInFour(quadrant: Quadrant): Generator<void, Quadrant[]> {
    const known = quartersOf.get(quadrant) ?? (yield* splitIntoQuadrants(quadrant))
    quartersOf.set(quadrant, known)
    return known
  }
  // All quadrants with at least half of the greatest waste are cut at once. Near the limit the number falls to one.
  let share = 1
  for (;;) {
    const greatest = quadrants.reduce((waste, quadrant) => Math.max(waste, uncoveredShare(quadrant)), 0)
    if (greatest === 0 || quartersOf.size >= MAX_CUTS) return ranges
    const worst = quadrants.filter((quadrant) => uncoveredShare(quadrant) >= greatest / 2)
    const cut = new Set(worst.slice(0, Math.ceil(worst.length * share)))
    const finer: Quadrant[] = []
    let [cells, uncertain] = [0, 0]
    for (const quadrant of quadrants) {
      if (!cut.has(quadrant)) {
        finer.push(quadrant)
        continue
      }
      const quarters = yield* cutInFour(quadrant)
      finer.push(...quarters)
      cells += quadrant.size ** 2
      for (const { size, part } of quarters) if (part.share !== 1) uncertain += size ** 2
    }
    // Only the margin of the tile touched the region.
    if (finer.length === 0) return []
    const merged = mergeRanges(finer)
    if (merged.length <= most) {
      quadrants = finer
      ranges = merged
      if (cut.size >= MIN_CUTS_OF_GAIN && cells - uncertain < MIN_GAIN * cells) return ranges
    } else if (cut.size > 1) share /= 2
    else return ranges
  }
}

/** The number of cells outside the region that are read if homes are distributed evenly. A single cell cannot be cut. */
function uncoveredShare({ size, part }: Quadrant): number {
  return size === 1 ? 0 : size * size * (1 - part.share)
}

/** The quarters that touch the region, in the order of their codes. */
function* splitIntoQuadrants({ column, row, size, code, part }: Quadrant): Generator<void, Quadrant[]> {
  const half = size / 2
  const quarters: Quadrant[] = []
  for (const index of [0, 1, 2, 3]) {
    const left = column + (index & 1) * half
    const lower = row + (index >> 1) * half
    const inQuarter = part.partIn(tileBounds(left, lower, half))
    if (inQuarter)
      quarters.push({
        column: left,
        row: lower,
        size: half,
        code: code + index * half * half,
        part: inQuarter,
      })
    yield
  }
  return quarters
}

/** About a millimeter: `mortonCode` rounds, so a position on the edge of a cell may have its neighbor's code. */
const MARGIN_DEGREES = 1e-8

function tileBounds(column: number, row: number, size: number): BoundingBox {
  const longitude = (at: number) => (at / CELLS_PER_AXIS) * 360 - 180
  const latitude = (at: number) => (at / CELLS_PER_AXIS) * 180 - 90
  return {
    west: Math.max(-180, longitude(column) - MARGIN_DEGREES),
    east: Math.min(180, longitude(column + size) + MARGIN_DEGREES),
    south: Math.max(-90, latitude(row) - MARGIN_DEGREES),
    north: Math.min(90, latitude(row + size) + MARGIN_DEGREES),
  }
}

function mergeRanges(quadrants: readonly Quadrant[]): MortonRange[] {
  const ranges: { low: number; high: number; isInside: boolean }[] = []
  for (const { code, size, part } of quadrants) {
    const last = ranges.at(-1)
    const isInside = part.share === 1
    const high = code + size * size - 1
    if (last && last.high + 1 === code && last.isInside === isInside) last.high = high
    else ranges.push({ low: code, high, isInside })
  }
  return ranges
}

/** Splits a box across the antimeridian in two that share no home: up to 180°, and from −180° on. */
export function splitAtAntimeridian(box: BoundingBox): BoundingBox[] {
  if (box.west <= box.east) return [box]
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ]
}

/** A box as a region; its edges belong to it. It must not cross the antimeridian (`splitAtAntimeridian`). */
export function boxRegion(box: BoundingBox, tile: BoundingBox = WORLD): RegionPart {
  const width = Math.min(box.east, tile.east) - Math.max(box.west, tile.west)
  const height = Math.min(box.north, tile.north) - Math.max(box.south, tile.south)
  const isWhole =
    box.west <= tile.west && box.east >= tile.east && box.south <= tile.south && box.north >= tile.north
  const size = (tile.east - tile.west) * (tile.north - tile.south)
  return {
    share: isWhole ? 1 : Math.min((width * height) / size, 1 - Number.EPSILON),
    partIn: (smaller) => (touches(box, smaller) ? boxRegion(box, smaller) : undefined),
  }
}

/** Whether two boxes have a position in common. Edges belong to both. */
export function touches(one: BoundingBox, other: BoundingBox): boolean {
  return (
    one.west <= other.east && one.east >= other.west && one.south <= other.north && one.north >= other.south
  )
}
