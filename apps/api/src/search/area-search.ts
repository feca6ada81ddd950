// A search of an area, after validation and in one form: POST /v1/search, GET /v1/listings and a
// searchQueryState all become this. Providers receive nothing else.

import type { Area, PlaceKind } from '@lotline/contract/checks'
import type { SaleType } from '../record/market-facts.ts'
import type { SearchStatus } from '../record/status-of.ts'

export { SALE_TYPES, type SaleType } from '../record/market-facts.ts'
export type { SearchStatus } from '../record/status-of.ts'

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

/** Inclusive bounds; an absent one is open. A listing without the value does not match a bounded range. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

export const HOME_TYPES = [
  'house',
  'condo',
  'townhouse',
  'multi_family',
  'manufactured',
  'lot',
  'apartment',
] as const
export type HomeType = (typeof HOME_TYPES)[number]

/** The types of homes in the words of the sources. */
export const SOURCE_HOME_TYPES: Readonly<Record<HomeType, string>> = {
  house: 'SINGLE_FAMILY',
  condo: 'CONDO',
  townhouse: 'TOWNHOUSE',
  multi_family: 'MULTI_FAMILY',
  manufactured: 'MANUFACTURED',
  lot: 'LOT',
  apartment: 'APARTMENT',
}

export const DAYS_ON_SITE = ['1', '7', '14', '30', '90', '6m', '12m', '24m', '36m'] as const
export type DaysOnSite = (typeof DAYS_ON_SITE)[number]

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

/** One validated search. Every filter that is present must hold. */
export interface AreaSearch {
  readonly status: SearchStatus
  /** `WORLD` if the search has no box and gives its area in another way. */
  readonly bbox: BoundingBox
  /** Homes must be in one of these too. */
  readonly areas?: readonly SearchArea[]
  /** Any of these five-digit ZIP codes. */
  readonly zips?: readonly string[]
  /** Any of these cities in their normal spelling (`cityKey`). */
  readonly cities?: readonly string[]
  /** Dollars. */
  readonly price?: Range
  readonly beds?: Range
  readonly baths?: Range
  /** Square feet of living area. */
  readonly sqft?: Range
  readonly yearBuilt?: Range
  /** Square feet. */
  readonly lotSize?: Range
  /** The fees of homeowners' associations in dollars a month; 0 where there is none. */
  readonly hoa?: Range
  /** Any of these; absent means all. */
  readonly homeTypes?: readonly HomeType[]
  /** Listed (for sold homes: sold) within this time before now. */
  readonly daysOnSite?: DaysOnSite
  readonly hasPool?: boolean
  readonly hasGarage?: boolean
  readonly isWaterfront?: boolean
  /** Any of these; absent means all. */
  readonly saleTypes?: readonly SaleType[]
  readonly pending?: boolean
  readonly comingSoon?: boolean
  /** An open house that has not ended yet. */
  readonly openHouse?: boolean
  readonly seniorCommunity?: boolean
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
