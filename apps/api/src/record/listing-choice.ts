// Which of a home's listings, and which of a building's units, are meant.

/** Which of a home's listings to prefer when it has several. It never makes a known home unknown. */
export type StatusPreference = 'FOR_SALE' | 'RECENTLY_SOLD' | 'FOR_RENT'

/** What `findByZpid` prefers: the listing that says most about today. */
export const USUAL_PREFERENCE: StatusPreference = 'FOR_SALE'

export const UNIT_KINDS = ['all', 'for_sale', 'for_rent', 'recently_sold', 'off_market'] as const
export type UnitKind = (typeof UNIT_KINDS)[number]
