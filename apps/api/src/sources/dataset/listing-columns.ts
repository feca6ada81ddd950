// What the table of listings holds beside each record: the values that searches filter by and lookups ask for, taken
// from the record when it is stored. They never say anything that the record does not.

import type { Property } from '@lotline/contract'
import { findRecordPlace, findRecordPremise } from '../../address/record-address.ts'
import { flag, number, object, text, type Unchecked } from '../../record/coerce.ts'
import {
  hoaOf,
  isPending,
  isSeniorCommunity,
  lotSizeOf,
  openUntil,
  saleTypeOf,
} from '../../record/market-facts.ts'
import { type ListingKind, listingKindOf } from '../../record/status-of.ts'
import { findListedAt, zonedMs } from '../../record/times.ts'
import type { SaleType } from '../../search/area-search.ts'
import { mortonCode } from '../../search/morton.ts'
import { summaryOf } from '../../search/search-summary.ts'
import { findPathReference, referenceKey } from '../../site-urls/listing-url.ts'

export interface ListingColumns {
  readonly zpid: string
  /** The feed or file that brought it (`--source`), or `sample`. */
  readonly source: string
  readonly kind: ListingKind
  /** Degrees; both or neither. */
  readonly longitude: number | null
  readonly latitude: number | null
  /** The Morton code of the position. */
  readonly cell: number | null
  readonly price: number | null
  readonly beds: number | null
  readonly baths: number | null
  readonly sqft: number | null
  readonly yearBuilt: number | null
  /** In the words of the record, such as `SINGLE_FAMILY`. */
  readonly homeType: string | null
  /** ISO 8601: put on the market; for sold homes, sold. */
  readonly listedAt: string | null
  readonly hasPool: boolean
  readonly hasGarage: boolean
  readonly isWaterfront: boolean
  /** Square feet. */
  readonly lotSize: number | null
  /** Dollars a month. */
  readonly hoa: number | null
  readonly saleType: SaleType
  readonly isPending: boolean
  /** ISO 8601: the end of the last open house. */
  readonly openUntil: string | null
  readonly isSenior: boolean
  /** App number and street, the unit and the five-digit ZIP code in their normal spelling. */
  readonly streetKey: string | null
  readonly unit: string | null
  readonly zip: string | null
  /** With its state, in their normal spelling: `SEATTLE, WA`. */
  readonly city: string | null
  /** ISO 8601: when the source says that it last changed the record. */
  readonly sourceUpdatedAt: string | null
  /** `referenceKey` of the building that the record is a unit of, or the record of. */
  readonly building: string | null
  /** Whether it is the building's own record, and no home. */
  readonly isBuilding: boolean
  /** Whether the record says that its address is undisclosed, and has none. */
  readonly addressHidden: boolean
  /** JSON of what search rows are made of. */
  readonly summary: string
  /** JSON of the whole. */
  readonly record: string
}

/** Takes a record that has passed `checkRecord`. */
export function toColumns(record: Property, source: string): ListingColumns {
  const unchecked: Unchecked = record
  const facts = object(unchecked.resoFacts) ?? {}
  const premise = findRecordPremise(record)
  const place = findRecordPlace(record)
  const listedAt = findListedAt(record)
  const longitude = number(unchecked.longitude)
  const latitude = number(unchecked.latitude)
  const isPlaced = longitude !== null && latitude !== null
  return {
    zpid: text(unchecked.zpid) ?? '',
    source,
    kind: listingKindOf(unchecked.homeStatus),
    longitude: isPlaced ? longitude : null,
    latitude: isPlaced ? latitude : null,
    cell: isPlaced ? mortonCode(longitude, latitude) : null,
    price: number(unchecked.price),
    beds: number(unchecked.bedrooms),
    baths: number(unchecked.bathrooms),
    sqft: number(unchecked.livingArea) ?? number(unchecked.livingAreaValue),
    yearBuilt: number(unchecked.yearBuilt),
    homeType: homeTypeOf(unchecked),
    listedAt: listedAt?.toISOString() ?? null,
    hasPool: flag(unchecked.hasPool) ?? flag(facts.hasPrivatePool) ?? false,
    hasGarage: flag(unchecked.hasGarage) ?? flag(facts.hasGarage) ?? flag(facts.hasAttachedGarage) ?? false,
    // RESO's WaterfrontYN goes by this name in records; a view of water is another field.
    isWaterfront: flag(unchecked.isWaterfront) ?? flag(facts.hasWaterfrontView) ?? false,
    lotSize: lotSizeOf(unchecked),
    hoa: hoaOf(unchecked),
    saleType: saleTypeOf(unchecked),
    isPending: isPending(unchecked),
    openUntil: openUntil(record),
    isSenior: isSeniorCommunity(unchecked),
    streetKey: premise?.key ?? null,
    unit: premise?.unit ?? null,
    zip: place.zip ?? null,
    city: place.city ?? null,
    sourceUpdatedAt: sourceUpdatedAt(unchecked),
    building: buildingOf(unchecked),
    isBuilding: unchecked.isBuilding === true,
    addressHidden: unchecked.isUndisclosedAddress === true && premise === undefined,
    summary: JSON.stringify(summaryOf(record, listedAt)),
    record: JSON.stringify(record),
  }
}

/** null for what could not be one of the source's words: it has a place in the record, but none in an index. */
function homeTypeOf(record: Unchecked): string | null {
  const homeType = text(record.homeType)
  return homeType !== null && /^\w{1,60}$/.test(homeType) ? homeType : null
}

/** The MLS's own time of its last change; one without an offset is in the time zone of the home. */
function sourceUpdatedAt(record: Unchecked): string | null {
  const ms = zonedMs(object(record.attributionInfo)?.lastUpdated, record.timeZone)
  return ms === null ? null : new Date(ms).toISOString()
}

function buildingOf(record: Unchecked): string | null {
  for (const url of [text(record.bdpUrl), text(record.hdpUrl)]) {
    // Some sources put the host before the path.
    const path = url?.replace(/^https?:\/\/[^/]+/i, '')
    const reference = path === undefined ? undefined : findPathReference(path)
    if (reference?.kind === 'building') return referenceKey(reference)
  }
  return null
}
