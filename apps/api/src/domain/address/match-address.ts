// Finds the records that an address means among those with the same street line. An address never matches a home that it contradicts:
// another ZIP code, another state, another unit, or another city if no ZIP code decides. If the address stays ambiguous, all candidates are
// returned, and never a guess.

import type { SourceRecord, StatusPreference } from '../record/source-record.ts'
import { type ListingKind, toListingKind } from '../record/status-of.ts'
import { findListedAt } from '../record/times.ts'
import { findRecordAddress, oneLineAddress } from './record-address.ts'
import type { StreetAddress } from './street-address.ts'
import { findStateByZip } from './zip-states.ts'

export type AddressMatch =
  | { readonly found: 'one'; readonly listing: SourceRecord }
  | { readonly found: 'several'; readonly candidates: readonly string[] }
  | { readonly found: 'none' }

/** The maximum number of candidates in a response. */
export const MAX_CANDIDATES = 50

const PREFERRED_KIND: Readonly<Record<StatusPreference, ListingKind>> = {
  FOR_SALE: 'for_sale',
  FOR_RENT: 'for_rent',
  RECENTLY_SOLD: 'recently_sold',
}
/** If no listing is of the preferred kind, the kind that says most about the present comes first. */
const KIND_ORDER: readonly ListingKind[] = ['for_sale', 'for_rent', 'recently_sold', 'off_market']

/** Skips records with another number or street, so the selection may be wider than the address. */
export function matchAddress(
  wanted: StreetAddress,
  records: readonly SourceRecord[],
  prefer: StatusPreference,
): AddressMatch {
  const atPremise = records.flatMap((listing) => {
    const address = findRecordAddress(listing.record)
    return address && isSamePremise(wanted, address) ? [{ listing, address }] : []
  })
  const meant = atPremise.filter(({ address }) => address.unit === wanted.unit)
  // An address without a unit means a home with a unit only if there is no other home.
  const remaining = meant.length > 0 || wanted.unit !== undefined ? meant : atPremise
  const [first, ...others] = remaining
  if (!first) return { found: 'none' }
  if (others.every(({ address }) => isSameHome(first.address, address))) {
    return {
      found: 'one',
      listing: preferListing(
        remaining.map(({ listing }) => listing),
        prefer,
      ),
    }
  }
  const candidates = new Set(remaining.map(({ listing }) => oneLineAddress(listing.record) ?? ''))
  return { found: 'several', candidates: [...candidates].slice(0, MAX_CANDIDATES) }
}

/** Among several listings of a home, the latest of the preferred kind. */
export function preferListing(listings: readonly SourceRecord[], prefer: StatusPreference): SourceRecord {
  const order = [PREFERRED_KIND[prefer], ...KIND_ORDER]
  const rank = ({ record }: SourceRecord) => order.indexOf(toListingKind(record.homeStatus))
  const listedMs = ({ record }: SourceRecord) => findListedAt(record)?.getTime() ?? 0
  const [best] = [...listings].sort(
    (one, other) => rank(one) - rank(other) || listedMs(other) - listedMs(one),
  )
  if (!best) throw new Error('preferListing needs at least one listing.')
  return best
}

function isSamePremise(wanted: StreetAddress, record: StreetAddress): boolean {
  if (wanted.key !== record.key) return false
  if (!areCompatible(wanted.state, readRecordState(record, wanted))) return false
  if (wanted.zip !== undefined && record.zip !== undefined) return wanted.zip === record.zip
  return areCompatible(wanted.city, record.city)
}

/** Whether the record is in another state than the address, whatever its source claims. */
export function isInAnotherState(wanted: StreetAddress, { record }: SourceRecord): boolean {
  return !areCompatible(wanted.state, readRecordState(findRecordAddress(record), wanted))
}

/** The record's own state. Without one, the state of its ZIP code, or of the ZIP code in the query. */
function readRecordState(record: StreetAddress | undefined, wanted: StreetAddress): string | undefined {
  const zip = record?.zip ?? wanted.zip
  return record?.state ?? (zip === undefined ? undefined : findStateByZip(zip))
}

function isSameHome(one: StreetAddress, other: StreetAddress): boolean {
  if (one.unit !== other.unit || one.zip !== other.zip) return false
  return one.zip !== undefined || (one.city === other.city && one.state === other.state)
}

function areCompatible(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}
