// Areas, ZIP codes, cities, and orders over a provider that only searches boxes: its rows are compared with the search here, and rows that
// do not match are neither returned nor charged. So such searches mean the same with every provider.

import type { Property } from '@lotline/contract'
import { findRecordPlace, findStateByZip } from '../../domain/address.ts'
import { findListedAt } from '../../domain/record.ts'
import {
  type AreaSearch,
  type BoundingBox,
  boundsRegion,
  compareKeys,
  intersectRegions,
  type Region,
  type RowKey,
  type RowOrder,
  searchRegion,
  splitAtAntimeridian,
  toRowKey,
  touches,
  uniteRegions,
} from '../../domain/search.ts'
import type { AreaListings, Provider } from './provider.ts'

/** Maximum boxes for one search. With the rows of each box this bounds what a search costs the provider. */
const MAX_BOXES = 24
/** A job searches one box at a time, because it splits boxes itself. */
const MAX_BOXES_OF_JOB = 1
/** About a meter. */
const MIN_DEGREES = 1e-5

/** Finds the boxes of an address. */
export interface AddressBoxes {
  /** Boxes that hold the homes of a state, by its two letters. Empty: the place of the state is not known. */
  ofState(code: string): readonly BoundingBox[]
  /** Boxes that hold the homes of those ZIP codes whose areas are known. */
  ofZips(zips: readonly string[]): Promise<ReadonlyMap<string, readonly BoundingBox[]>>
}

/** Adds searches of areas to a provider that has none itself. */
export function searchInAreas(provider: Provider, addressBoxes: AddressBoxes): Provider {
  if (provider.knowsAreas) return provider
  return {
    ...provider,
    async search(search, page, asking) {
      // The provider searches boxes, so it returns no home without a position.
      if (search.unplacedOnly) return { records: [], total: 0, isUnasked: true }
      const { order, after } = page
      if (!search.areas && !search.zips && !search.cities && !order)
        return provider.search(search, page, asking)
      const { areas: _, ...inBox } = search
      const most = asking.owner?.background ? MAX_BOXES_OF_JOB : MAX_BOXES
      const ask = (bbox: BoundingBox, limit: number) => provider.search({ ...inBox, bbox }, { limit }, asking)
      // Imports add and remove boundaries. A watch must not report homes as new or gone because of that.
      const boxes = asking.owner?.isWatch ? { ...addressBoxes, ofZips: async () => new Map() } : addressBoxes
      const around = await boxesAround(search, boxes)
      if (!order) {
        const bounds = { limit: page.limit, cap: provider.searchCap, most, around }
        const { isShort, ...found } = await searchBoxes(search, bounds, ask)
        // The homes may be anywhere in the state, so nothing would show that some are missing.
        const isByAddress = search.zips !== undefined || search.cities !== undefined
        return isByAddress && isShort && !asking.owner?.background
          ? { records: [], total: undefined, isIncomplete: true }
          : found
      }
      // A provider returns the newest rows of a box. For another order, or behind a cursor, the whole area must be read.
      const found = await searchBoxes(
        search,
        { limit: Infinity, cap: provider.searchCap, most: MAX_BOXES, around },
        ask,
      )
      return found.total === undefined
        ? { records: [], total: undefined, isIncomplete: true }
        : { records: pageOf(found.records, page.limit, order, after), total: found.total }
    },
  }
}

function pageOf(
  records: readonly Property[],
  limit: number,
  order: RowOrder,
  after: RowKey | undefined,
): readonly Property[] {
  return records
    .map((record) => ({ record, key: toRowKey(record, order) }))
    .filter(({ key }) => after === undefined || compareKeys(order, key, after) > 0)
    .sort((one, other) => compareKeys(order, one.key, other.key))
    .slice(0, limit)
    .map(({ record }) => record)
}

interface SearchLimits {
  readonly limit: number
  readonly cap: number
  readonly most: number
  /** Boxes that can hold the homes. undefined: they can be anywhere. */
  readonly around: readonly BoundingBox[] | undefined
}

/**
 * Boxes that hold the homes of the ZIP codes, or of the cities if there are no ZIP codes. A ZIP code whose area is known has the boxes of
 * its area. Other ZIP codes and all cities have the boxes of their states. undefined: the place of one of the states is not known.
 */
async function boxesAround(
  { zips, cities }: AreaSearch,
  { ofState, ofZips }: AddressBoxes,
): Promise<BoundingBox[] | undefined> {
  const known = zips ? await ofZips(zips) : undefined
  const boxes = zips?.flatMap((zip) => known?.get(zip) ?? []) ?? []
  const codes =
    zips?.filter((zip) => !known?.has(zip)).map(findStateByZip) ??
    cities?.map((city) => city.slice(city.lastIndexOf(',') + 1).trim())
  if (!codes) return undefined
  for (const code of new Set(codes)) {
    const own = code === undefined ? [] : ofState(code)
    if (own.length === 0) return undefined
    boxes.push(...own)
  }
  return joined(boxes)
}

/** Joins boxes that touch, so that no home is in two. */
function joined(boxes: readonly BoundingBox[]): BoundingBox[] {
  const apart: BoundingBox[] = []
  for (const given of boxes) {
    let box = given
    for (;;) {
      const at = apart.findIndex((one) => touches(one, box))
      if (at < 0) break
      box = hullOf([box, ...apart.splice(at, 1)])
    }
    apart.push(box)
  }
  return apart
}

function overlapOf(one: BoundingBox, other: BoundingBox): BoundingBox[] {
  if (!touches(one, other)) return []
  return [
    {
      west: Math.max(one.west, other.west),
      south: Math.max(one.south, other.south),
      east: Math.min(one.east, other.east),
      north: Math.min(one.north, other.north),
    },
  ]
}

/**
 * The newest rows, up to `limit`. `total` is known if every box was returned whole. Parts of the map outside the area are skipped. A box
 * that has more rows than one response is split in four, unless enough of its rows match: a provider returns the newest first.
 */
async function searchBoxes(
  search: AreaSearch,
  { limit, cap, most, around }: SearchLimits,
  ask: (bbox: BoundingBox, limit: number) => Promise<AreaListings>,
): Promise<AreaListings & { readonly isShort: boolean }> {
  const region = searchRegion(search)
  const matches = createMatch(search, region)
  const near = around ? intersectRegions([region, uniteRegions(around.map(boundsRegion))]) : region
  const begin = splitAtAntimeridian(search.bbox).flatMap((box) =>
    around ? around.flatMap((one) => overlapOf(box, one)) : [box],
  )
  const pending = tightened(begin.length > most ? [hullOf(begin)] : begin, near)
  const isUnasked = pending.length === 0
  const found = new Map<string, Property>()
  let isWhole = true
  let isShort = false
  let dropped = 0
  for (let asked = 0; pending.length > 0; asked++) {
    if (asked === most) {
      isWhole = false
      isShort = found.size < limit
      break
    }
    const box = pending.shift()!
    const { records, total, ...rest } = await ask(box, cap)
    dropped += rest.dropped ?? 0
    const matching = records.filter(matches)
    for (const record of matching) found.set(String(record.zpid), record)
    if (total !== undefined && total <= records.length) continue
    if (matching.length >= limit || isSpot(box)) isWhole = false
    else pending.push(...tightened(quarters(box), near))
  }
  const records = [...found.values()].sort(byNewest)
  return {
    records: records.slice(0, limit),
    total: isWhole ? records.length : undefined,
    ...(dropped > 0 && { dropped }),
    ...(isUnasked && { isUnasked }),
    isShort,
  }
}

function createMatch({ zips, cities }: AreaSearch, region: Region): (record: Property) => boolean {
  return (record) => {
    const { longitude, latitude } = record
    if (typeof longitude !== 'number' || typeof latitude !== 'number') return false
    const place = findRecordPlace(record)
    if (zips && !(place.zip !== undefined && zips.includes(place.zip))) return false
    if (cities && !(place.city !== undefined && cities.includes(place.city))) return false
    return region.contains(longitude, latitude)
  }
}

/** The boxes that touch the region, each as small as possible. */
function tightened(boxes: readonly BoundingBox[], region: Region): BoundingBox[] {
  return boxes.flatMap((given) => {
    for (let box = given; ; ) {
      const touching = isSpot(box) ? [box] : quarters(box).filter((quarter) => region.partIn(quarter))
      if (touching.length === 0) return []
      const hull = hullOf(touching)
      if (
        hull.west === box.west &&
        hull.south === box.south &&
        hull.east === box.east &&
        hull.north === box.north
      ) {
        return [box]
      }
      box = hull
    }
  })
}

/** Edges belong to both sides, so no home is between two quarters. Rows are deduplicated by their zpid. */
function quarters({ west, south, east, north }: BoundingBox): BoundingBox[] {
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2]
  return [
    { west, south, east: longitude, north: latitude },
    { west: longitude, south, east, north: latitude },
    { west, south: latitude, east: longitude, north },
    { west: longitude, south: latitude, east, north },
  ]
}

function hullOf(boxes: readonly BoundingBox[]): BoundingBox {
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  }
}

function isSpot({ west, south, east, north }: BoundingBox): boolean {
  return east - west <= MIN_DEGREES && north - south <= MIN_DEGREES
}

/** The order of every search: the newest first, ties by zpid, homes without a date last. */
function byNewest(one: Property, other: Property): number {
  const [first, second] = [
    findListedAt(one)?.getTime() ?? -Infinity,
    findListedAt(other)?.getTime() ?? -Infinity,
  ]
  if (first !== second) return second - first
  return String(one.zpid) < String(other.zpid) ? -1 : 1
}
