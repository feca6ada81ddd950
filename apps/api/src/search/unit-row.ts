// The rows of a building: its units, each with a `unitNumber`, and the building itself, which has none. That
// difference is how a client tells them apart, so no unit goes without.

import type { BuildingUnit, Property } from '@lotline/contract'
import { addressParts, findRecordAddress, oneLineAddress } from '../address/record-address.ts'
import { flag, type Loose, number, object, present, text, whole, zpidOf } from '../record/coerce.ts'
import { listingKindOf } from '../record/status-of.ts'

const LISTING_TYPES = {
  for_sale: 'FOR_SALE',
  for_rent: 'FOR_RENT',
  recently_sold: 'OTHER',
  off_market: 'OTHER',
} as const

export function toUnitRow(record: Property): BuildingUnit {
  const loose: Loose = record
  return {
    zpid: zpidOf(record),
    unitNumber: unitNumber(record),
    price: number(loose.price),
    beds: number(loose.bedrooms),
    baths: number(loose.bathrooms),
    sqft: number(loose.livingArea) ?? number(loose.livingAreaValue),
    homeStatus: text(loose.homeStatus),
    listingType: LISTING_TYPES[listingKindOf(loose.homeStatus)],
    ...present({
      minPrice: number(loose.minPrice),
      maxPrice: number(loose.maxPrice),
      baseRent: number(loose.baseRent),
      availableFrom: text(loose.availabilityDate) ?? text(loose.availableFrom),
      hdpUrl: text(loose.hdpUrl),
      vrModel: text(object(loose.vrModel)?.vrModelGuid),
      hasApprovedThirdPartyVirtualTour: flag(loose.hasApprovedThirdPartyVirtualTourUrl),
      housingConnector: flag(loose.isHousingConnector),
    }),
  }
}

/** The building's own record: no unit, and never charged. */
export function toParentRow(record: Property): BuildingUnit {
  const loose: Loose = record
  const details = object(loose.building) ?? {}
  const units = object(details.rentalUnitsSummary) ?? {}
  const { street, city, state, zipcode } = addressParts(record)
  return {
    zpid: zpidOf(record),
    ...present({
      buildingName: text(loose.buildingName),
      marketingName: text(loose.marketingName),
      fullAddress: text(details.fullAddress) ?? oneLineAddress({ ...record, buildingName: null }),
      address: { streetAddress: street, city, state, zipcode },
      latitude: number(loose.latitude),
      longitude: number(loose.longitude),
      lotId: whole(loose.lotId),
      bdpUrl: text(loose.bdpUrl),
      yearBuilt: whole(loose.yearBuilt),
      price: number(loose.price),
      homeStatus: text(loose.homeStatus),
      description: text(loose.description),
      buildingPhoneNumber: text(details.buildingPhoneNumber),
      homeTypes: texts(details.homeTypes),
      unitCount: whole(units.unitCount) ?? whole(loose.numberOfUnitsTotal),
      availableUnitCount: whole(units.availableUnitCount),
      buildingAttributes: attributesOf(details),
      walkScore: object(details.walkScore),
      transitScore: object(details.transitScore),
      bikeScore: object(details.bikeScore),
      isSeniorHousing: flag(details.isSeniorHousing),
      isStudentHousing: flag(details.isStudentHousing),
      isLowIncome: flag(details.isLowIncome),
      isWaitlisted: flag(details.isWaitlisted),
    }),
  }
}

/** What the door says; the zpid for a unit whose source does not tell. */
function unitNumber(record: Property): string {
  const told = text((record as Loose).unitNumber)?.replace(/^#\s*/, '')
  return told || (findRecordAddress(record)?.unit ?? zpidOf(record))
}

function attributesOf(details: Loose): BuildingUnit['buildingAttributes'] | null {
  const given = object(details.buildingAttributes)
  if (given) return given
  const petPolicies = texts(details.petPolicies)
  return petPolicies === null ? null : { petPolicies }
}

function texts(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null
  const found = value.map(text).filter((item) => item !== null)
  return found.length === 0 ? null : found
}
