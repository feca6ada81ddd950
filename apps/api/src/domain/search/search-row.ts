// Formats a listing as a search returns it: the row for lists, and the short row for maps. Rows have the fields that a customer needs to
// show and compare listings, under the names that clients of listing sites know. Everything else is in the record.

import type { Property, Schemas, SearchRow } from '@lotline/contract'
import { addressParts, oneLineAddress } from '../address/record-address.ts'
import {
  asFlag,
  asWholeNumber,
  instantMs,
  number,
  object,
  objects,
  present,
  text,
  type UncheckedFields,
  zpidText,
} from '../record/coerce.ts'
import { toListingKind, toStatusType } from '../record/status-of.ts'
import { daysOnSite, findListedAt, zonedMs } from '../record/times.ts'
import type { ListingSites } from '../site-urls/listing-sites.ts'
import { detailUrl } from '../site-urls/listing-url.ts'

const DAY_MS = 86_400_000
/** The width in pixels that a list shows. */
const THUMBNAIL_WIDTH = 384

const WORDS_BY_HOME_TYPE: ReadonlyMap<string, string> = new Map([
  ['SINGLE_FAMILY', 'House'],
  ['CONDO', 'Condo'],
  ['TOWNHOUSE', 'Townhouse'],
  ['MULTI_FAMILY', 'Multi-family home'],
  ['MANUFACTURED', 'Manufactured home'],
  ['LOT', 'Lot'],
  ['APARTMENT', 'Apartment'],
])

export function toSearchRow(record: Property, now: Date, sites: ListingSites): SearchRow {
  const unchecked: UncheckedFields = record
  const { street, city, state, zipcode } = addressParts(record)
  const days = daysOnSite(record, now)
  const building = buildingFields(unchecked)
  // The field is inserted below, so that columns of CSV keep their order.
  const { brokerName, ...marker } = toMapMarker(record, sites)
  return {
    ...marker,
    ...(building.isBuilding === true ? {} : { id: zpidText(record) }),
    address: oneLineAddress(record),
    addressStreet: street,
    addressCity: city,
    addressState: state,
    addressZipcode: zipcode,
    isUndisclosedAddress: asFlag(unchecked.isUndisclosedAddress) ?? false,
    countryCurrency: '$',
    livingArea: livingAreaSqft(unchecked),
    statusText: statusText(record),
    ...present({
      lotAreaString: lotArea(
        unchecked.lotAreaValue ?? unchecked.lotSize,
        unchecked.lotAreaValue === undefined || unchecked.lotAreaValue === null
          ? null
          : unchecked.lotAreaUnits,
      ),
      rawHomeStatusCd: statusCode(unchecked.homeStatus),
      marketingStatusSimplifiedCd: marketingStatus(unchecked),
      timeOnSite: days === null ? null : days * DAY_MS,
      flexFieldText: rowRemark(record, days),
      brokerName,
      isSiteOwned: asFlag(unchecked.isSiteOwned) ?? asFlag(unchecked.isZillowOwned),
      isFeaturedListing: asFlag(unchecked.isFeatured),
      isShowcaseListing: asFlag(unchecked.isShowcaseListing),
    }),
    ...mediaFields(unchecked),
    ...building,
    ...(building.isBuilding === true ? {} : { hdpData: { homeInfo: homeInfo(record, now, days) } }),
  }
}

/** The few fields that a pin on a map needs. */
export function toMapMarker(record: Property, sites: ListingSites): SearchRow {
  const unchecked: UncheckedFields = record
  const price = number(unchecked.price)
  return {
    zpid: zpidText(record),
    detailUrl: detailUrl(record, sites),
    latLong: rowPosition(record),
    price: priceText(unchecked),
    unformattedPrice: price,
    priceLabel: price === null ? null : shortPrice(unchecked, price),
    beds: number(unchecked.bedrooms),
    baths: number(unchecked.bathrooms),
    area: livingAreaSqft(unchecked),
    statusType: toStatusType(unchecked.homeStatus),
    homeType: text(unchecked.homeType),
    // A listing may be shown on a map only with the name of its office.
    ...present({
      brokerName: text(object(unchecked.attributionInfo)?.brokerName) ?? text(unchecked.brokerageName),
    }),
  }
}

function rowPosition(record: Property): SearchRow['latLong'] {
  const latitude = number(record.latitude)
  const longitude = number(record.longitude)
  return latitude === null || longitude === null ? null : { latitude, longitude }
}

function livingAreaSqft(record: UncheckedFields): number | null {
  return number(record.livingArea) ?? number(record.livingAreaValue)
}

function priceText(record: UncheckedFields): string | null {
  const price = number(record.price)
  if (price === null) return null
  if (record.isBuilding === true) return `From ${dollars(price)}`
  return toListingKind(record.homeStatus) === 'for_rent' ? `${dollars(price)}/mo` : dollars(price)
}

function shortPrice(record: UncheckedFields, price: number): string {
  return toListingKind(record.homeStatus) === 'for_rent' ? dollars(price) : shortDollars(price)
}

/** `App for sale`, `Sold 10/28/2026`. */
function statusText(record: Property): string {
  const unchecked: UncheckedFields = record
  const home = WORDS_BY_HOME_TYPE.get(text(unchecked.homeType) ?? '') ?? 'Home'
  if (unchecked.isBuilding === true) return `${home} building`
  const status = text(unchecked.homeStatus)
  if (status === 'PENDING') return 'Pending'
  if (status === 'COMING_SOON') return 'Coming soon'
  switch (toListingKind(status)) {
    case 'for_sale':
      return `${home} for sale`
    case 'for_rent':
      return `${home} for rent`
    case 'recently_sold': {
      const day = findListedAt(record)?.toISOString().slice(0, 10)
      return day === undefined ? 'Sold' : `Sold ${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
    }
    case 'off_market':
      return 'Off market'
  }
}

/** `RecentlySold` for RECENTLY_SOLD. */
function statusCode(homeStatus: unknown): string | null {
  const status = text(homeStatus)
  if (status === null) return null
  return status.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function marketingStatus(record: UncheckedFields): string | null {
  const kind = toListingKind(record.homeStatus)
  if (kind === 'for_rent') return 'For Rent'
  if (kind !== 'for_sale') return null
  const type = object(record.listing_sub_type) ?? {}
  if (type.is_newHome === true) return 'New Construction'
  if (type.is_forAuction === true) return 'Auction'
  if (type.is_foreclosure === true) return 'Foreclosure'
  if (type.is_FSBO === true) return 'For Sale by Owner'
  return type.is_FSBA === true ? 'For Sale by Agent' : null
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

function rowRemark(record: Property, days: number | null): string | null {
  const kind = toListingKind(record.homeStatus)
  const soldAt = kind === 'recently_sold' ? findListedAt(record) : undefined
  if (soldAt) return `Sold ${MONTHS[soldAt.getUTCMonth()]} ${soldAt.getUTCDate()}`
  if (kind !== 'for_sale' || days === null) return null
  return days === 1 ? '1 day on the market' : `${days} days on the market`
}

function mediaFields(record: UncheckedFields): Partial<SearchRow> {
  const imgSrc = thumbnail(record)
  return {
    imgSrc,
    hasImage: imgSrc !== null,
    hasVideo: asFlag(record.hasPublicVideo) ?? false,
    has3DModel: asFlag(record.hasVRModel) ?? false,
  }
}

/** The first photo in the width closest to that of a list. */
function thumbnail(record: UncheckedFields): string | null {
  const [photo] = objects(record.responsivePhotos)
  const distance = (file: UncheckedFields) => Math.abs((number(file.width) ?? 0) - THUMBNAIL_WIDTH)
  const [nearest] = [...objects(object(photo?.mixedSources)?.jpeg)].sort(
    (one, other) => distance(one) - distance(other),
  )
  const [plain] = Array.isArray(record.photos) ? record.photos : []
  return text(nearest?.url) ?? text(photo?.url) ?? text(plain) ?? text(object(plain)?.url)
}

/** The fields about the building that the home is in, or that the row describes. */
function buildingFields(record: UncheckedFields): Partial<SearchRow> {
  const summary = object(object(record.building)?.rentalUnitsSummary) ?? {}
  const isBuilding = record.isBuilding === true
  return present({
    isBuilding: isBuilding ? true : null,
    buildingName: text(record.buildingName),
    lotId: isBuilding ? asWholeNumber(record.lotId) : null,
    unitCount: isBuilding
      ? (asWholeNumber(summary.unitCount) ?? asWholeNumber(record.numberOfUnitsTotal))
      : null,
    availabilityCount: isBuilding ? asWholeNumber(summary.availableUnitCount) : null,
    communityName: text(record.communityName) ?? text(object(record.address)?.community),
  })
}

// Amounts and areas as text for display. The numbers are in fields beside them.
const DOLLAR_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const AREA_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const SQFT_PER_ACRE = 43_560

/** `$1,250,000`, rounded to dollars. */
export function dollars(amount: number): string {
  return amount < 0 ? `-$${DOLLAR_FORMAT.format(-amount)}` : `$${DOLLAR_FORMAT.format(amount)}`
}

/** A price shortened for a map: `$1.68M`, `$985K`, `$2,950`. */
function shortDollars(amount: number): string {
  if (amount >= 999_500) return `$${millionsText(amount / 1_000_000)}M`
  return amount >= 10_000 ? `$${Math.round(amount / 1000)}K` : dollars(amount)
}

/** `4,800 sqft` or `2.3 acres`; null without a lot. `unit` is the source's word. The default is square feet. */
function lotArea(value: unknown, unit: unknown): string | null {
  const size = number(value)
  if (size === null || size <= 0) return null
  const isAcres = /acre/i.test(text(unit) ?? '')
  const acres = isAcres ? size : size / SQFT_PER_ACRE
  if (acres < 1) return `${DOLLAR_FORMAT.format(acres * SQFT_PER_ACRE)} sqft`
  const shown = AREA_FORMAT.format(acres)
  return shown === '1' ? '1 acre' : `${shown} acres`
}

function millionsText(millions: number): string {
  return String(Number(millions.toFixed(2)))
}

/**
 * `hdpData.homeInfo` of a search row: the fields that clients of listing sites expect in a row, with the names and units of the record.
 * `days` is the row's own count of days on the site.
 */
export function homeInfo(record: Property, now: Date, days: number | null): Schemas['HomeInfo'] {
  const unchecked: UncheckedFields = record
  const { street, city, state, zipcode } = addressParts(record)
  return {
    zpid: zpidText(record),
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
      isUnmappable: asFlag(unchecked.hasBadGeocode),
      priceForHDP: number(unchecked.price),
      priceChange: number(unchecked.priceChange),
      datePriceChanged: instantMs(unchecked.datePriceChanged),
      zestimate: number(unchecked.zestimate),
      rentZestimate: number(unchecked.rentZestimate),
      taxAssessedValue: number(unchecked.taxAssessedValue),
      ...lotSizeFields(unchecked),
      homeStatusForHDP: text(unchecked.homeStatus),
      listing_sub_type: listingSubType(unchecked),
      newConstructionType: text(unchecked.newConstructionType),
      providerListingID: text(unchecked.providerListingID),
      open_house_info: openHouses(unchecked, now),
      isFeatured: asFlag(unchecked.isFeatured),
      isShowcaseListing: asFlag(unchecked.isShowcaseListing),
      isPremierBuilder: asFlag(unchecked.isPremierBuilder),
      isNonOwnerOccupied: asFlag(unchecked.isNonOwnerOccupied),
      isPreforeclosureAuction: asFlag(unchecked.isPreforeclosureAuction),
      isSiteOwned: asFlag(unchecked.isSiteOwned) ?? asFlag(unchecked.isZillowOwned),
    }),
  }
}

function lotSizeFields(record: UncheckedFields): { lotAreaValue: number | null; lotAreaUnit: string | null } {
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

/** Only flags that are true: an absent flag reads as false. */
function listingSubType(record: UncheckedFields): Readonly<Record<string, boolean>> | null {
  const type = Object.entries(object(record.listing_sub_type) ?? {}).filter(([, value]) => value === true)
  return type.length === 0 ? null : (Object.fromEntries(type) as Record<string, boolean>)
}

/** Future open houses. */
function openHouses(record: UncheckedFields, now: Date): Schemas['HomeInfo']['open_house_info'] | null {
  const showings = objects(record.openHouseSchedule)
    .map(({ startTime, endTime }) => ({
      start: zonedMs(startTime, record.timeZone),
      end: zonedMs(endTime, record.timeZone),
    }))
    .filter(({ start, end }) => start !== null && (end ?? start) >= now.getTime())
    .map(({ start, end }) => ({ open_house_start: asWholeNumber(start), open_house_end: asWholeNumber(end) }))
  return showings.length === 0 ? null : { open_house_showing: showings }
}
