/** The homes within a building, and the building as a record of its own. */

import type { Building } from './buildings.ts'
import { zpidWithin } from './buildings.ts'
import { type Features, featuresOf } from './features.ts'
import { moved } from './geometry.ts'
import type { Home, HomePlace } from './home.ts'
import { surroundingsOf } from './houses.ts'
import { monthlyRent, saleValue } from './market.ts'
import { type Offer, offerOf, offMarket } from './offer.ts'
import type { HomeStatus, HomeType } from './property.ts'
import { type Random, randomFor } from './random.ts'
import { type Size, sizeOf } from './sizes.ts'

type StatusWeights = Partial<Record<HomeStatus, number>>

const statusWeights: Partial<Record<HomeType, StatusWeights>> = {
  APARTMENT: { FOR_RENT: 38, OTHER: 62 },
  CONDO: { FOR_SALE: 30, RECENTLY_SOLD: 20, FOR_RENT: 16, PENDING: 5, OTHER: 29 },
  TOWNHOUSE: { FOR_SALE: 46, PENDING: 12, COMING_SOON: 6, FOR_RENT: 6, OTHER: 30 },
  MANUFACTURED: { FOR_SALE: 34, RECENTLY_SOLD: 18, FOR_RENT: 10, OTHER: 38 },
}

export function unitsOf(building: Building): Home[] {
  return Array.from({ length: building.unitCount }, (_, index) => unitAt(building, index))
}

/** The building's own record, which says how many of its units are on offer and from what price. */
export function wholeBuilding(building: Building, units: readonly Home[]): Home {
  const onOffer = units.filter(({ offer }) => offer.status === 'FOR_RENT' || offer.status === 'FOR_SALE')
  const rented = onOffer.filter(({ offer }) => offer.status === 'FOR_RENT')
  const isLet = rented.length > onOffer.length / 2
  const prices = (isLet ? rented : onOffer.filter((unit) => !rented.includes(unit))).map(
    ({ offer }) => offer.price!,
  )
  const { homeType, serial } = building
  return {
    zpid: zpidWithin(serial, 0),
    place: placeOf(building),
    homeType,
    size: {
      bedrooms: null,
      bathrooms: null,
      livingArea: null,
      lotSize: building.unitCount * 640,
      yearBuilt: building.yearBuilt,
      stories: floorsOf(building),
      homes: building.unitCount,
    },
    features: featuresWithin(building, sizeWithin(building, 'OTHER', randomFor('building', serial, 'size'))),
    value: units.reduce((sum, unit) => sum + unit.value, 0),
    monthlyRent: null,
    offer: offerOfBuilding(prices, isLet),
    within: { building, summary: { availableUnits: onOffer.length } },
  }
}

function offerOfBuilding(prices: number[], isLet: boolean): Offer {
  if (prices.length === 0) return offMarket
  return {
    ...offMarket,
    status: isLet ? 'FOR_RENT' : 'FOR_SALE',
    price: Math.min(...prices),
  }
}

function unitAt(building: Building, index: number): Home {
  const { homeType, serial, site } = building
  const zpid = zpidWithin(serial, index + 1)
  const random = randomFor(zpid, 'unit')
  const status = random.weighted(statusWeights[homeType] as Record<HomeStatus, number>)
  const size = sizeWithin(building, status, random)
  const value = saleValue(homeType, size, site.metro, site.zipcode, random)
  const rent = monthlyRent(homeType, size, site.metro, site.zipcode, random)
  const unitNumber = unitNumberOf(building, index)
  return {
    zpid,
    place: placeOf(building, unitNumber, index),
    homeType,
    size,
    features: featuresWithin(building, size),
    value,
    monthlyRent: rent,
    offer: offerOf(status, { homeType, value, monthlyRent: rent }, random),
    within: { building, unitNumber },
  }
}

function sizeWithin(building: Building, status: HomeStatus, random: Random): Size {
  const size = sizeOf(building.homeType, status, building.site.metro, random)
  return { ...size, yearBuilt: building.yearBuilt, lotSize: isStacked(building) ? null : size.lotSize }
}

/** Fittings are the building's: its units share heating, cooling, floors and the association's fee. */
function featuresWithin(building: Building, size: Size): Features {
  const random = randomFor('building', building.serial, 'features')
  return featuresOf(building.homeType, size, building.site.metro, random)
}

/** Flats lie above one another; townhouses and mobile homes side by side. */
function isStacked({ homeType }: Building): boolean {
  return homeType === 'APARTMENT' || homeType === 'CONDO'
}

function unitsPerFloor(building: Building): number {
  return building.unitCount > 100 ? 18 : 6
}

function floorsOf(building: Building): number {
  return isStacked(building) ? Math.ceil(building.unitCount / unitsPerFloor(building)) : 2
}

/** Floor and door, "1204", or the row's own count, "12". */
function unitNumberOf(building: Building, index: number): string {
  if (!isStacked(building)) return String(index + 1)
  const perFloor = unitsPerFloor(building)
  return String((Math.floor(index / perFloor) + 1) * 100 + (index % perFloor) + 1)
}

function placeOf(building: Building, unitNumber?: string, index = 0): HomePlace {
  const { site } = building
  const line = `${site.number} ${site.street}`
  const point = isStacked(building) ? site : moved(site, (index % 6) * 14, Math.floor(index / 6) * 22)
  return {
    streetAddress: unitNumber === undefined ? line : `${line} ${building.unitWord} ${unitNumber}`,
    street: site.street,
    city: site.city,
    state: site.state,
    zipcode: site.zipcode,
    county: site.county,
    latitude: point.latitude,
    longitude: point.longitude,
    metro: site.metro,
    ...surroundingsOf(site.zipcode, site.street),
  }
}
