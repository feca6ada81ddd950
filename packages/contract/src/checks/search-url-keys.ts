// The keys of `filterState` in a search URL, as spec/schemas/SearchUrl.yaml lists them: each in the short spelling of URLs and,
// where it has one, in the long spelling of the listing site's own requests. The service reads their values; the mock only
// says which keys have no effect.

import type { HomeType, SaleType, SearchFilters } from '../schemas.ts'

/** `long` is absent where both are the same. */
export type UrlKey = readonly [short: string, long?: string]

/** They hold a `min` and a `max`. */
export const RANGE_KEYS = {
  price: ['price'],
  beds: ['beds'],
  baths: ['baths'],
  sqft: ['sqft'],
  yearBuilt: ['built'],
  lotSize: ['lot', 'lotSize'],
  hoa: ['hoa'],
} as const satisfies Partial<Record<keyof SearchFilters, UrlKey>>

/** The rent, which only searches of rentals ask for. */
export const RENT_KEY = ['mp', 'monthlyPayment'] as const satisfies UrlKey

/** An unticked box of these asks for nothing; it does not ask for homes without a pool. */
export const SWITCH_KEYS = {
  hasPool: ['pool', 'hasPool'],
  hasGarage: ['gar', 'hasGarage'],
  isWaterfront: ['wat', 'isWaterfront'],
  openHouse: ['open', 'isOpenHousesOnly'],
} as const satisfies Partial<Record<keyof SearchFilters, UrlKey>>

export const HOME_TYPE_KEYS = {
  house: ['sf', 'isSingleFamily'],
  condo: ['con', 'isCondo'],
  townhouse: ['tow', 'isTownhouse'],
  multi_family: ['mf', 'isMultiFamily'],
  manufactured: ['manu', 'isManufactured'],
  lot: ['land', 'isLotLand'],
  apartment: ['apa', 'isApartment'],
} as const satisfies Record<HomeType, UrlKey>

/** Ways to sell a home. Switched on, they say something only to a search of homes for sale. */
export const SALE_TYPE_KEYS = {
  by_agent: ['fsba', 'isForSaleByAgent'],
  by_owner: ['fsbo', 'isForSaleByOwner'],
  new_construction: ['nc', 'isNewConstruction'],
  foreclosure: ['fore', 'isForSaleForeclosure'],
  auction: ['auc', 'isAuction'],
  coming_soon: ['cmsn', 'isComingSoon'],
} as const satisfies Record<SaleType, UrlKey>

/** Keys with a meaning of their own. */
export const OTHER_KEYS = {
  sold: ['rs', 'isRecentlySold'],
  forRent: ['fr', 'isForRent'],
  pending: ['pnd', 'isPendingListingsSelected'],
  seniorCommunity: ['55plus', 'ageRestricted55Plus'],
  daysOnSite: ['doz', 'doz'],
  allHomes: ['ah', 'isAllHomes'],
  apartmentOrCondo: ['apco', 'isApartmentOrCondo'],
} as const satisfies Record<string, UrlKey>

/** The keys of the status that is searched. Where an operation forces its own, it has no effect. */
export const STATUS_KEYS: readonly string[] = [...OTHER_KEYS.sold, ...OTHER_KEYS.forRent]
/** The keys of searchQueryState that are read. */
export const STATE_KEYS: ReadonlySet<string> = new Set(['mapBounds', 'filterState'])
export const BOX_KEYS: ReadonlySet<string> = new Set(['west', 'south', 'east', 'north'])
