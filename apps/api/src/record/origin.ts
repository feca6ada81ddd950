// Where a record comes from, as responses say it (`meta.source`): which source, on whose authority, and what must be shown
// with it.

import type { Schemas } from '@lotline/contract'
import { instantMs, object, text, type Unchecked } from './coerce.ts'

/** `meta.source` of a response. */
export type DataSource = Schemas['DataSource']

/** What a record says of its source; kept beside the cached record, so that no lookup reads the record for it. */
export type RecordOrigin = Omit<DataSource, 'fetched_at'>

/** @param source that brought the record: a feed or file of the data set, or a provider */
export function originOf(record: Unchecked, source: string): RecordOrigin {
  const attribution = object(record.attributionInfo) ?? {}
  const updatedMs = updatedAtOf(attribution.lastUpdated)
  return {
    name: source,
    authority: text(attribution.mlsName),
    source_updated_at: updatedMs === null ? null : new Date(updatedMs).toISOString(),
    attribution: attributionText(
      text(attribution.brokerName) ?? text(record.brokerageName),
      text(attribution.mlsDisclaimer),
    ),
  }
}

/** A time without an offset is a local one, whose zone is not known here: it is left out rather than wrong by hours. */
function updatedAtOf(value: unknown): number | null {
  const isInstant = typeof value === 'string' && /[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(value)
  return isInstant || typeof value === 'number' ? instantMs(value) : null
}

/** `Listed by Harbor Realty. © 2026 …`; null where there is neither. */
export function attributionText(office: string | null, notice: string | null): string | null {
  const parts = [office === null ? null : `Listed by ${office.replace(/\.$/, '')}.`, notice]
  return parts.filter((part) => part !== null).join(' ') || null
}
