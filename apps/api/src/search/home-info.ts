// `hdpData.homeInfo` of a search row: the part of the record that clients of listing sites expect to find in a row,
// with the names and units of the record.

import type { Property, Schemas } from '@lotline/contract'
import { addressParts } from '../address/record-address.ts'
import {
  flag,
  instantMs,
  number,
  object,
  objects,
  present,
  text,
  type Unchecked,
  whole,
  zpidOf,
} from '../record/coerce.ts'
import { zonedMs } from '../record/times.ts'

const DAY_MS = 86_400_000

/** `days` is the row's own count of days on the site. */
export function homeInfo(record: Property, now: Date, days: number | null): Schemas['HomeInfo'] {
  const unchecked: Unchecked = record
  const { street, city, state, zipcode } = addressParts(record)
  return {
    zpid: zpidOf(record),
    streetAddress: street,
    city,
    state,
    zipcode,
    price: number(unchecked.price),
    bedrooms: number(unchecked.bedrooms),
    bathrooms: number(unchecked.bathrooms),
    livingArea: number(unchecked.livingArea) ?? number(unchecked.livingAreaValue),
    homeType: text(unchecked.homeType),
    homeStatus: text(unchecked.homeStatus),
    daysOnSite: days,
    ...present({
      timeOnSite: days === null ? null : days * DAY_MS,
      unit: text(unchecked.unitNumber),
      country: text(unchecked.country),
      currency: text(unchecked.currency) ?? 'USD',
      latitude: number(unchecked.latitude),
      longitude: number(unchecked.longitude),
      isUnmappable: flag(unchecked.hasBadGeocode),
      priceForHDP: number(unchecked.price),
      priceChange: number(unchecked.priceChange),
      datePriceChanged: instantMs(unchecked.datePriceChanged),
      zestimate: number(unchecked.zestimate),
      rentZestimate: number(unchecked.rentZestimate),
      taxAssessedValue: number(unchecked.taxAssessedValue),
      ...lotOf(unchecked),
      homeStatusForHDP: text(unchecked.homeStatus),
      listing_sub_type: listingSubType(unchecked),
      newConstructionType: text(unchecked.newConstructionType),
      providerListingID: text(unchecked.providerListingID),
      open_house_info: openHouses(unchecked, now),
      isFeatured: flag(unchecked.isFeatured),
      isShowcaseListing: flag(unchecked.isShowcaseListing),
      isPremierBuilder: flag(unchecked.isPremierBuilder),
      isNonOwnerOccupied: flag(unchecked.isNonOwnerOccupied),
      isPreforeclosureAuction: flag(unchecked.isPreforeclosureAuction),
      isSiteOwned: flag(unchecked.isSiteOwned) ?? flag(unchecked.isZillowOwned),
    }),
  }
}

function lotOf(record: Unchecked): { lotAreaValue: number | null; lotAreaUnit: string | null } {
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
function listingSubType(record: Unchecked): Readonly<Record<string, boolean>> | null {
  const type = Object.entries(object(record.listing_sub_type) ?? {}).filter(([, value]) => value === true)
  return type.length === 0 ? null : (Object.fromEntries(type) as Record<string, boolean>)
}

/** Those still to come. */
function openHouses(record: Unchecked, now: Date): Schemas['HomeInfo']['open_house_info'] | null {
  const showings = objects(record.openHouseSchedule)
    .map(({ startTime, endTime }) => ({
      start: zonedMs(startTime, record.timeZone),
      end: zonedMs(endTime, record.timeZone),
    }))
    .filter(({ start, end }) => start !== null && (end ?? start) >= now.getTime())
    .map(({ start, end }) => ({ open_house_start: whole(start), open_house_end: whole(end) }))
  return showings.length === 0 ? null : { open_house_showing: showings }
}
