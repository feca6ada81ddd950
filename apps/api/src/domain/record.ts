// The property record: its fields, parts, status, times, and what is withheld of it.

export {
  instantMs,
  isObject,
  number,
  object,
  plainName,
  readZpid,
  text,
  type UncheckedFields,
  zpidText,
} from './record/coerce.ts'
export { parseFields, project } from './record/fields.ts'
export { photos } from './record/photos.ts'
export {
  type SourceRecord,
  type StatusPreference,
  type UnitKind,
  USUAL_PREFERENCE,
} from './record/source-record.ts'
export { LISTING_STATUSES, type ListingKind, toListingKind, toSearchStatus } from './record/status-of.ts'
export {
  agent,
  facts,
  openHouses,
  priceHistory,
  schools,
  taxHistory,
  zestimate,
} from './record/sub-resources.ts'
export { findListedAt, zonedMs } from './record/times.ts'
export {
  readStreetName,
  type StoredRow,
  type Withheld,
  withheldEvent,
  withheldRow,
  withoutAddress,
} from './record/withheld.ts'
