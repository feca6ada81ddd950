import type { Property } from '@lotline/contract'

/** A record and which version of it this is. */
export interface SourceRecord {
  readonly record: Property
  /** Raised by each import of the listing; null where the source counts none. One that does has one listing a zpid. */
  readonly generation: number | null
}
