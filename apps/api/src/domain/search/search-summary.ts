// The part of a record that search rows and comparisons of listings need. A source that stores records can store summaries beside them, and
// answer searches without reading the whole records: rows made of a summary equal rows made of the record.

import type { Property } from '@lotline/contract'
import { object, objects, present, type UncheckedFields } from '../record/coerce.ts'
import { toListingKind } from '../record/status-of.ts'
import { findListedAt } from '../record/times.ts'

const FIELDS: ReadonlySet<string> = new Set([
  'zpid',
  'hdpUrl',
  'bdpUrl',
  'homeStatus',
  'homeType',
  'streetAddress',
  'city',
  'state',
  'zipcode',
  'communityName',
  'unitNumber',
  'country',
  'currency',
  'latitude',
  'longitude',
  'hasBadGeocode',
  'isUndisclosedAddress',
  'price',
  'priceChange',
  'datePriceChanged',
  'zestimate',
  'rentZestimate',
  'taxAssessedValue',
  'bedrooms',
  'bathrooms',
  'livingArea',
  'livingAreaValue',
  'lotSize',
  'lotAreaValue',
  'lotAreaUnits',
  'yearBuilt',
  'daysOnSite',
  'daysOnZillow',
  // Both spellings are kept: a row must answer every filter as its record does.
  'listing_sub_type',
  'listingSubType',
  'newConstructionType',
  'providerListingID',
  'openHouseSchedule',
  // Its times may be local, so the summary needs the time zone.
  'timeZone',
  'brokerageName',
  'hasPublicVideo',
  'hasVRModel',
  'isFeatured',
  'isShowcaseListing',
  'isPremierBuilder',
  'isNonOwnerOccupied',
  'isPreforeclosureAuction',
  'isSiteOwned',
  'isZillowOwned',
  'isBuilding',
  'buildingName',
  'lotId',
  'numberOfUnitsTotal',
])

/** A record of its own, with fewer fields. `listedAt` is the result of `findListedAt` for the record. */
export function toSearchSummary(record: Property, listedAt = findListedAt(record)): Property {
  const unchecked: UncheckedFields = record
  const summary: Record<string, unknown> = {}
  for (const name in unchecked) {
    const value = unchecked[name]
    if (value !== undefined && value !== null && FIELDS.has(name)) summary[name] = value
  }
  // The attribution that must be shown with a row. A source states it for each record, and not always in the same way.
  const { brokerName, mlsName, mlsDisclaimer } = object(unchecked.attributionInfo) ?? {}
  const attribution = present({ brokerName, mlsName, mlsDisclaimer })
  if (Object.keys(attribution).length > 0) summary.attributionInfo = attribution
  const units = object(object(unchecked.building)?.rentalUnitsSummary)
  if (units) summary.building = { rentalUnitsSummary: units }
  if (object(unchecked.address)) summary.address = unchecked.address
  if (listedAt) {
    summary[toListingKind(unchecked.homeStatus) === 'recently_sold' ? 'dateSold' : 'datePosted'] =
      toListingKind(unchecked.homeStatus) === 'recently_sold' ? listedAt.getTime() : listedAt.toISOString()
  }
  const [photo] = objects(unchecked.responsivePhotos)
  if (photo)
    summary.responsivePhotos = [{ url: photo.url, mixedSources: { jpeg: object(photo.mixedSources)?.jpeg } }]
  else if (Array.isArray(unchecked.photos)) summary.photos = unchecked.photos.slice(0, 1)
  return summary as Property
}
