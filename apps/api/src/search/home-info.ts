// `hdpData.homeInfo` of a search row: the part of the record that clients of listing sites expect to find in a row,
// with the names and units of the record.

import type { Property, Schemas } from '@lotline/contract'
import { addressParts } from '../address/record-address.ts'
import {
  flag,
  instantMs,
  type Loose,
  number,
  object,
  objects,
  present,
  text,
  whole,
  zpidOf,
} from '../record/coerce.ts'
import { zonedMs } from '../record/local-time.ts'

const DAY_MS = 86_400_000

/** `days` is the row's own count of days on the site. */
export function homeInfo(record: Property, now: Date, days: number | null): Schemas['HomeInfo'] {
  const loose: Loose = record
  const { street, city, state, zipcode } = addressParts(record)
  return {
    zpid: zpidOf(record),
    streetAddress: street,
    city,
    state,
    zipcode,
    price: number(loose.price),
    bedrooms: number(loose.bedrooms),
    bathrooms: number(loose.bathrooms),
    livingArea: number(loose.livingArea) ?? number(loose.livingAreaValue),
    homeType: text(loose.homeType),
    homeStatus: text(loose.homeStatus),
    daysOnSite: days,
    ...present({
      timeOnSite: days === null ? null : days * DAY_MS,
      unit: text(loose.unitNumber),
      country: text(loose.country),
      currency: text(loose.currency) ?? 'USD',
      latitude: number(loose.latitude),
      longitude: number(loose.longitude),
      isUnmappable: flag(loose.hasBadGeocode),
      priceForHDP: number(loose.price),
      priceChange: number(loose.priceChange),
      datePriceChanged: instantMs(loose.datePriceChanged),
      zestimate: number(loose.zestimate),
      rentZestimate: number(loose.rentZestimate),
      taxAssessedValue: number(loose.taxAssessedValue),
      ...lotOf(loose),
      homeStatusForHDP: text(loose.homeStatus),
      listing_sub_type: listingSubType(loose),
      newConstructionType: text(loose.newConstructionType),
      providerListingID: text(loose.providerListingID),
      open_house_info: openHouses(loose, now),
      isFeatured: flag(loose.isFeatured),
      isShowcaseListing: flag(loose.isShowcaseListing),
      isPremierBuilder: flag(loose.isPremierBuilder),
      isNonOwnerOccupied: flag(loose.isNonOwnerOccupied),
      isPreforeclosureAuction: flag(loose.isPreforeclosureAuction),
      isSiteOwned: flag(loose.isSiteOwned) ?? flag(loose.isZillowOwned),
    }),
  }
}

function lotOf(record: Loose): { lotAreaValue: number | null; lotAreaUnit: string | null } {
  const value = number(record.lotAreaValue)
  if (value !== null) {
    return {
      lotAreaValue: value,
      lotAreaUnit: /acre/i.test(text(record.lotAreaUnits) ?? '') ? 'acres' : 'sqft',
    }
  }
  const size = number(record.lotSize)
  return { lotAreaValue: size, lotAreaUnit: size === null ? null : 'sqft' }
}

/** Only what is true: an absent flag reads as false. */
function listingSubType(record: Loose): Readonly<Record<string, boolean>> | null {
  const type = Object.entries(object(record.listing_sub_type) ?? {}).filter(([, value]) => value === true)
  return type.length === 0 ? null : (Object.fromEntries(type) as Record<string, boolean>)
}

/** Those still to come. */
function openHouses(record: Loose, now: Date): Schemas['HomeInfo']['open_house_info'] | null {
  const showings = objects(record.openHouseSchedule)
    .map(({ startTime, endTime }) => ({
      start: zonedMs(startTime, record.timeZone),
      end: zonedMs(endTime, record.timeZone),
    }))
    .filter(({ start, end }) => start !== null && (end ?? start) >= now.getTime())
    .map(({ start, end }) => ({ open_house_start: whole(start), open_house_end: whole(end) }))
  return showings.length === 0 ? null : { open_house_showing: showings }
}
