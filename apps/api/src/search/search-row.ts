// One listing as a search returns it: the row for lists, and the short row for maps. Rows hold what a customer needs
// to show and compare listings, under the names that clients of listing sites know; everything else is in the record.

import type { Property, SearchRow } from '@lotline/contract'
import { addressParts, oneLineAddress } from '../address/record-address.ts'
import {
  flag,
  number,
  object,
  objects,
  present,
  text,
  type Unchecked,
  whole,
  zpidOf,
} from '../record/coerce.ts'
import { listingKindOf, statusTypeOf } from '../record/status-of.ts'
import { daysOnSite, findListedAt } from '../record/times.ts'
import { detailUrl } from '../site-urls/detail-url.ts'
import type { ListingSites } from '../site-urls/listing-sites.ts'
import { homeInfo } from './home-info.ts'
import { dollars, lotArea, shortDollars } from './money-text.ts'

const DAY_MS = 86_400_000
/** Pixels: what a list shows. */
const THUMBNAIL_WIDTH = 384

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['SINGLE_FAMILY', 'House'],
  ['CONDO', 'Condo'],
  ['TOWNHOUSE', 'Townhouse'],
  ['MULTI_FAMILY', 'Multi-family home'],
  ['MANUFACTURED', 'Manufactured home'],
  ['LOT', 'Lot'],
  ['APARTMENT', 'Apartment'],
])

/** Throws for a record without a position: no search of an area finds one. */
export function toSearchRow(record: Property, now: Date, sites: ListingSites): SearchRow {
  const unchecked: Unchecked = record
  const { street, city, state, zipcode } = addressParts(record)
  const days = daysOnSite(record, now)
  const building = buildingFields(unchecked)
  return {
    ...toMapMarker(record, sites),
    ...(building.isBuilding === true ? {} : { id: zpidOf(record) }),
    address: oneLineAddress(record),
    addressStreet: street,
    addressCity: city,
    addressState: state,
    addressZipcode: zipcode,
    isUndisclosedAddress: flag(unchecked.isUndisclosedAddress) ?? false,
    countryCurrency: '$',
    livingArea: areaOf(unchecked),
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
      flexFieldText: remark(record, days),
      brokerName: text(object(unchecked.attributionInfo)?.brokerName) ?? text(unchecked.brokerageName),
      isSiteOwned: flag(unchecked.isSiteOwned) ?? flag(unchecked.isZillowOwned),
      isFeaturedListing: flag(unchecked.isFeatured),
      isShowcaseListing: flag(unchecked.isShowcaseListing),
    }),
    ...media(unchecked),
    ...building,
    ...(building.isBuilding === true ? {} : { hdpData: { homeInfo: homeInfo(record, now, days) } }),
  }
}

/** The few fields that a pin on a map needs. Throws for a record without a position. */
export function toMapMarker(record: Property, sites: ListingSites): SearchRow {
  const unchecked: Unchecked = record
  const price = number(unchecked.price)
  return {
    zpid: zpidOf(record),
    detailUrl: detailUrl(record, sites),
    latLong: positionOf(record),
    price: priceText(unchecked),
    unformattedPrice: price,
    priceLabel: price === null ? null : shortPrice(unchecked, price),
    beds: number(unchecked.bedrooms),
    baths: number(unchecked.bathrooms),
    area: areaOf(unchecked),
    statusType: statusTypeOf(unchecked.homeStatus),
    homeType: text(unchecked.homeType),
  }
}

function positionOf(record: Property): SearchRow['latLong'] {
  const latitude = number(record.latitude)
  const longitude = number(record.longitude)
  if (latitude === null || longitude === null) throw new Error(`Listing ${zpidOf(record)} has no position`)
  return { latitude, longitude }
}

function areaOf(record: Unchecked): number | null {
  return number(record.livingArea) ?? number(record.livingAreaValue)
}

function priceText(record: Unchecked): string | null {
  const price = number(record.price)
  if (price === null) return null
  if (record.isBuilding === true) return `From ${dollars(price)}`
  return listingKindOf(record.homeStatus) === 'for_rent' ? `${dollars(price)}/mo` : dollars(price)
}

function shortPrice(record: Unchecked, price: number): string {
  return listingKindOf(record.homeStatus) === 'for_rent' ? dollars(price) : shortDollars(price)
}

/** `App for sale`, `Sold 10/28/2026`. */
function statusText(record: Property): string {
  const unchecked: Unchecked = record
  const home = TYPE_WORDS.get(text(unchecked.homeType) ?? '') ?? 'Home'
  if (unchecked.isBuilding === true) return `${home} building`
  const status = text(unchecked.homeStatus)
  if (status === 'PENDING') return 'Pending'
  if (status === 'COMING_SOON') return 'Coming soon'
  switch (listingKindOf(status)) {
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

function marketingStatus(record: Unchecked): string | null {
  const kind = listingKindOf(record.homeStatus)
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

function remark(record: Property, days: number | null): string | null {
  const kind = listingKindOf(record.homeStatus)
  const soldAt = kind === 'recently_sold' ? findListedAt(record) : undefined
  if (soldAt) return `Sold ${MONTHS[soldAt.getUTCMonth()]} ${soldAt.getUTCDate()}`
  if (kind !== 'for_sale' || days === null) return null
  return days === 1 ? '1 day on the market' : `${days} days on the market`
}

function media(record: Unchecked): Partial<SearchRow> {
  const imgSrc = thumbnail(record)
  return {
    imgSrc,
    hasImage: imgSrc !== null,
    hasVideo: flag(record.hasPublicVideo) ?? false,
    has3DModel: flag(record.hasVRModel) ?? false,
  }
}

/** The first photo in the width nearest to that of a list. */
function thumbnail(record: Unchecked): string | null {
  const [photo] = objects(record.responsivePhotos)
  const distance = (file: Unchecked) => Math.abs((number(file.width) ?? 0) - THUMBNAIL_WIDTH)
  const [nearest] = [...objects(object(photo?.mixedSources)?.jpeg)].sort(
    (one, other) => distance(one) - distance(other),
  )
  const [plain] = Array.isArray(record.photos) ? record.photos : []
  return text(nearest?.url) ?? text(photo?.url) ?? text(plain) ?? text(object(plain)?.url)
}

/** What a row tells of the building that the home is in, or that it is. */
function buildingFields(record: Unchecked): Partial<SearchRow> {
  const summary = object(object(record.building)?.rentalUnitsSummary) ?? {}
  const isBuilding = record.isBuilding === true
  return present({
    isBuilding: isBuilding ? true : null,
    buildingName: text(record.buildingName),
    lotId: isBuilding ? whole(record.lotId) : null,
    unitCount: isBuilding ? (whole(summary.unitCount) ?? whole(record.numberOfUnitsTotal)) : null,
    availabilityCount: isBuilding ? whole(summary.availableUnitCount) : null,
    communityName: text(record.communityName) ?? text(object(record.address)?.community),
  })
}
