// A search of an area, after validation and in one form: POST /v1/search, GET /v1/listings and a
// searchQueryState all become this. Providers receive nothing else.

import type { Area, PlaceKind } from '@lotline/contract/checks'
import type { SearchStatus } from '../record/status-of.ts'
import type { FilterValues } from './searchable-facts.ts'

export { SALE_TYPES, type SaleType } from '../record/market-facts.ts'
export type { SearchStatus } from '../record/status-of.ts'
export {
  DAYS_ON_SITE,
  type DaysOnSite,
  HOME_TYPES,
  type HomeType,
  type NumberRange,
  SOURCE_HOME_TYPES,
} from './filter-values.ts'

/** A box in degrees (WGS 84). Bounds are inclusive; `west > east` means that it crosses the antimeridian (RFC 7946). */
export interface BoundingBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export const WORLD: BoundingBox = { west: -180, south: -90, east: 180, north: 90 }

export function isWorld({ west, south, east, north }: BoundingBox): boolean {
  return west === WORLD.west && south === WORLD.south && east === WORLD.east && north === WORLD.north
}

/** A place that a search names: by its id or name until it has been found (src/places), and then with all that is known of it. */
export interface PlaceArea {
  readonly type: 'place'
  readonly kind: PlaceKind
  readonly id?: string
  readonly name?: string
  readonly source?: string
  readonly vintage?: string
  /** The key of its boundary, which never changes. */
  readonly boundary?: string
}

export type SearchArea = Exclude<Area, { type: 'place' }> | PlaceArea

/** One validated search: where, on which list, and the filters on facts (searchable-facts.ts). All that is present must hold. */
export interface AreaSearch extends FilterValues {
  readonly status: SearchStatus
  /** `WORLD` if the search has no box and gives its area in another way. */
  readonly bbox: BoundingBox
  /** Homes must be in one of these too. */
  readonly areas?: readonly SearchArea[]
  /** Any of these five-digit ZIP codes. */
  readonly zips?: readonly string[]
  /** Any of these cities in their normal spelling (`cityKey`). */
  readonly cities?: readonly string[]
  /** Only homes without a position. No client asks this: a job does, for what no part of its box has. */
  readonly unplacedOnly?: true
}

/**
 * Whether a search finds homes without a position, such as those whose address may not be shown: by ZIP code and city, and only
 * where neither a box nor an area asks for the position. Otherwise a client could find out by ever smaller areas where a home is.
 */
export function findsUnplaced({ bbox, areas, zips, cities }: AreaSearch): boolean {
  return (zips !== undefined || cities !== undefined) && areas === undefined && isWorld(bbox)
}
