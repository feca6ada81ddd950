// A record of a source, and which of a home's listings or of a building's units are wanted.

import type { Property } from '@lotline/contract'

/** A record and which version of it this is. */
export interface SourceRecord {
  readonly record: Property
  /** Raised by each import of the listing; null where the source counts none. One that does has one listing a zpid. */
  readonly generation: number | null
  /** What it came from; default: the provider's name. The data set has what was imported and the sample. */
  readonly source?: string
  /** The source's own name of it; default: the zpid. */
  readonly sourceKey?: string
  /** The name of the provider that answered, where there are several. */
  readonly provider?: string
}

/** Which of a home's listings to prefer when it has several. It never makes a known home unknown. */
export type StatusPreference = 'FOR_SALE' | 'RECENTLY_SOLD' | 'FOR_RENT'

/** What `findByZpid` prefers: the listing that says most about today. */
export const USUAL_PREFERENCE: StatusPreference = 'FOR_SALE'

export const UNIT_KINDS = ['all', 'for_sale', 'for_rent', 'recently_sold', 'off_market'] as const
export type UnitKind = (typeof UNIT_KINDS)[number]
