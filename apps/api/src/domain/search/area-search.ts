// One validated form of an area search. POST /v1/search, GET /v1/listings, and a searchQueryState all become this form, and providers
// receive nothing else.
// Why: decisions/data/homes-without-a-position.md

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

/** A place in a search. At first it has its id or name, and after it was found (data/places) everything that is known of it. */
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

/** One validated search: its area, its list, and the filters on facts (searchable-facts.ts). All conditions that are present must hold. */
export interface AreaSearch extends FilterValues {
  readonly status: SearchStatus
  /** `WORLD` if the search has no box and defines its area in another way. */
  readonly bbox: BoundingBox
  /** Homes must also be in one of these areas. */
  readonly areas?: readonly SearchArea[]
  /** Homes must have one of these five-digit ZIP codes. */
  readonly zips?: readonly string[]
  /** Homes must be in one of these cities, in their normal spelling (`cityKey`). */
  readonly cities?: readonly string[]
  /** Finds only homes without a position. No client can ask for this. A job does, because no part of its box has these homes. */
  readonly unplacedOnly?: true
}

/**
 * Whether a search finds homes without a position, such as those whose address may not be shown. Only a search by ZIP code or city does,
 * and only without a box or an area. Otherwise a client could locate a home with ever smaller areas.
 */
export function findsUnplaced({ bbox, areas, zips, cities }: AreaSearch): boolean {
  return (zips !== undefined || cities !== undefined) && areas === undefined && isWorld(bbox)
}
