// A record of a source, and the selection among a home's listings or a building's units.

import type { Property } from '@lotline/contract'

/** A record with its version. */
export interface SourceRecord {
  readonly record: Property
  /** Raised by each import of the listing. null: the source has no generations. A source that has them has one listing per zpid. */
  readonly generation: number | null
  /** The source of the record. Default: the provider's name. The data set has imported sources and the sample. */
  readonly source?: string
  /** The source's own key of the record. Default: the zpid. */
  readonly sourceKey?: string
  /** The name of the provider that answered, if there are several. */
  readonly provider?: string
}

/** The preferred listing of a home with several listings. A known home is found with any preference. */
export type StatusPreference = 'FOR_SALE' | 'RECENTLY_SOLD' | 'FOR_RENT'

/** The default preference of `findByZpid`: the listing that says most about the present. */
export const USUAL_PREFERENCE: StatusPreference = 'FOR_SALE'

export const UNIT_KINDS = ['all', 'for_sale', 'for_rent', 'recently_sold', 'off_market'] as const
export type UnitKind = (typeof UNIT_KINDS)[number]
