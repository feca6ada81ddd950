// The columns of the table of listings: values that searches and lookups use, derived from the record when it is stored. They contain
// nothing that the record does not.

import type { Property } from '@lotline/contract'
import { findRecordPlace, findRecordPremise } from '../../../domain/address.ts'
import {
  type ListingKind,
  number,
  object,
  text,
  toListingKind,
  type UncheckedFields,
  zonedMs,
} from '../../../domain/record.ts'
import {
  FACT_COLUMNS,
  mortonCode,
  readSearchableFacts,
  type SearchableFacts,
  toSearchSummary,
} from '../../../domain/search.ts'
import { findPathReference, referenceKey } from '../../../domain/site-urls.ts'

export interface ListingColumns extends SearchableFacts {
  readonly zpid: string
  /** The feed or file that provided the listing (`--source`), or `sample`. */
  readonly source: string
  readonly kind: ListingKind
  /** Degrees. Either both are present or neither. */
  readonly longitude: number | null
  readonly latitude: number | null
  /** The Morton code of the position. */
  readonly cell: number | null
  /** The street number and name, the unit, and the five-digit ZIP code, in their normal spelling. */
  readonly streetKey: string | null
  readonly unit: string | null
  readonly zip: string | null
  /** The city with its state, in the normal spelling: `SEATTLE, WA`. */
  readonly city: string | null
  /** The time of the last change that the source reports, as ISO 8601. */
  readonly sourceUpdatedAt: string | null
  /** `referenceKey` of the building that this record describes or belongs to. */
  readonly building: string | null
  /** Whether this is the record of a building and not of a home. */
  readonly isBuilding: boolean
  /** Whether the record says that its address is undisclosed, and therefore has none. */
  readonly addressHidden: boolean
  /** JSON of the summary that search rows are made of. */
  readonly summary: string
  /** JSON of the whole record. */
  readonly record: string
}

/** A column as the statements of an import name it. Booleans are never null. */
export interface ListingColumn {
  readonly field: keyof ListingColumns
  readonly column: string
  readonly type: 'bigint' | 'boolean' | 'double precision' | 'text' | 'timestamptz'
}

const OTHER_COLUMNS = {
  zpid: ['zpid', 'text'],
  source: ['source', 'text'],
  kind: ['kind', 'text'],
  longitude: ['longitude', 'double precision'],
  latitude: ['latitude', 'double precision'],
  cell: ['cell', 'bigint'],
  streetKey: ['street_key', 'text'],
  unit: ['unit', 'text'],
  zip: ['zip', 'text'],
  city: ['city', 'text'],
  sourceUpdatedAt: ['source_updated_at', 'timestamptz'],
  building: ['building', 'text'],
  isBuilding: ['is_building', 'boolean'],
  addressHidden: ['address_hidden', 'boolean'],
  summary: ['summary', 'text'],
  record: ['record', 'text'],
} as const satisfies Record<
  Exclude<keyof ListingColumns, keyof SearchableFacts>,
  readonly [column: string, type: ListingColumn['type']]
>

/** All columns that an import writes. `longitude` and `latitude` become the column `location`. */
export const LISTING_COLUMNS: readonly ListingColumn[] = [
  ...Object.entries(OTHER_COLUMNS).map(([field, [column, type]]) => ({
    field: field as keyof typeof OTHER_COLUMNS,
    column,
    type,
  })),
  ...FACT_COLUMNS,
]

/** Expects a record that has passed `checkRecord`. */
export function toColumns(record: Property, source: string): ListingColumns {
  const unchecked: UncheckedFields = record
  const facts = readSearchableFacts(record)
  const premise = findRecordPremise(record)
  const place = findRecordPlace(record)
  const longitude = number(unchecked.longitude)
  const latitude = number(unchecked.latitude)
  const isPlaced = longitude !== null && latitude !== null
  return {
    zpid: text(unchecked.zpid) ?? '',
    source,
    kind: toListingKind(unchecked.homeStatus),
    longitude: isPlaced ? longitude : null,
    latitude: isPlaced ? latitude : null,
    cell: isPlaced ? mortonCode(longitude, latitude) : null,
    ...facts,
    streetKey: premise?.key ?? null,
    unit: premise?.unit ?? null,
    zip: place.zip ?? null,
    city: place.city ?? null,
    sourceUpdatedAt: sourceUpdatedAt(unchecked),
    building: buildingOf(unchecked),
    isBuilding: unchecked.isBuilding === true,
    addressHidden: unchecked.isUndisclosedAddress === true && premise === undefined,
    summary: JSON.stringify(
      toSearchSummary(record, facts.listedAt === null ? undefined : new Date(facts.listedAt)),
    ),
    record: JSON.stringify(record),
  }
}

/** The MLS's time of its last change. A time without an offset is in the time zone of the home. */
function sourceUpdatedAt(record: UncheckedFields): string | null {
  const ms = zonedMs(object(record.attributionInfo)?.lastUpdated, record.timeZone)
  return ms === null ? null : new Date(ms).toISOString()
}

function buildingOf(record: UncheckedFields): string | null {
  for (const url of [text(record.bdpUrl), text(record.hdpUrl)]) {
    // Some sources put the host before the path.
    const path = url?.replace(/^https?:\/\/[^/]+/i, '')
    const reference = path === undefined ? undefined : findPathReference(path)
    if (reference?.kind === 'building') return referenceKey(reference)
  }
  return null
}
