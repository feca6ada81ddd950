// The meaning of `homeStatus` for searches and for the units of a building. A home whose sale is announced or pending still counts as for
// sale, since it is on the market and `homeStatus` has the details. An unknown status counts as off the market.

import type { UnitKind } from './source-record.ts'

/** The statuses that a search can select. */
export type SearchStatus = 'for_sale' | 'for_rent' | 'sold'

/** The kind of listing of a record. */
export type ListingKind = Exclude<UnitKind, 'all'>

const LISTING_KIND_BY_HOME_STATUS: ReadonlyMap<string, ListingKind> = new Map([
  ['FOR_SALE', 'for_sale'],
  ['COMING_SOON', 'for_sale'],
  ['PENDING', 'for_sale'],
  ['CONTINGENT', 'for_sale'],
  ['UNDER_CONTRACT', 'for_sale'],
  ['FOR_AUCTION', 'for_sale'],
  ['AUCTION', 'for_sale'],
  ['FORECLOSURE', 'for_sale'],
  ['FOR_RENT', 'for_rent'],
  ['RECENTLY_SOLD', 'recently_sold'],
  ['SOLD', 'recently_sold'],
])

/** The values of `homeStatus` that a search can find. */
export const LISTING_STATUSES: ReadonlySet<string> = new Set(LISTING_KIND_BY_HOME_STATUS.keys())

export function toListingKind(homeStatus: unknown): ListingKind {
  return (
    (typeof homeStatus === 'string' && LISTING_KIND_BY_HOME_STATUS.get(homeStatus.toUpperCase())) ||
    'off_market'
  )
}

/** undefined: no search finds the status. */
export function toSearchStatus(homeStatus: unknown): SearchStatus | undefined {
  const kind = toListingKind(homeStatus)
  if (kind === 'off_market') return undefined
  return kind === 'recently_sold' ? 'sold' : kind
}

/** `statusType` of a search row. */
export function toStatusType(homeStatus: unknown): 'FOR_SALE' | 'FOR_RENT' | 'SOLD' | 'PENDING' | 'OTHER' {
  if (homeStatus === 'PENDING' || homeStatus === 'CONTINGENT' || homeStatus === 'UNDER_CONTRACT')
    return 'PENDING'
  switch (toListingKind(homeStatus)) {
    case 'for_sale':
      return 'FOR_SALE'
    case 'for_rent':
      return 'FOR_RENT'
    case 'recently_sold':
      return 'SOLD'
    case 'off_market':
      return 'OTHER'
  }
}
