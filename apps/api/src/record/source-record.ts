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
}
