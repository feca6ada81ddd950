// The rows of a building: its units, each with a `unitNumber`, and the building itself, which has none. Clients tell them apart by this
// field, so every unit has one.

import type { BuildingUnit, Property } from '@lotline/contract'
import { addressParts, findRecordAddress, oneLineAddress } from '../address/record-address.ts'
import {
  asFlag,
  asWholeNumber,
  number,
  object,
  present,
  text,
  type UncheckedFields,
  zpidText,
} from '../record/coerce.ts'
import { toListingKind } from '../record/status-of.ts'

const LISTING_TYPES = {
  for_sale: 'FOR_SALE',
  for_rent: 'FOR_RENT',
  recently_sold: 'OTHER',
  off_market: 'OTHER',
} as const

export function toUnitRow(record: Property): BuildingUnit {
  const unchecked: UncheckedFields = record
  return {
    zpid: zpidText(record),
    unitNumber: unitNumber(record),
    price: number(unchecked.price),
    beds: number(unchecked.bedrooms),
    baths: number(unchecked.bathrooms),
    sqft: number(unchecked.livingArea) ?? number(unchecked.livingAreaValue),
    homeStatus: text(unchecked.homeStatus),
    listingType: LISTING_TYPES[toListingKind(unchecked.homeStatus)],
    ...present({
      minPrice: number(unchecked.minPrice),
      maxPrice: number(unchecked.maxPrice),
      baseRent: number(unchecked.baseRent),
      availableFrom: text(unchecked.availabilityDate) ?? text(unchecked.availableFrom),
      hdpUrl: text(unchecked.hdpUrl),
      vrModel: text(object(unchecked.vrModel)?.vrModelGuid),
      hasApprovedThirdPartyVirtualTour: asFlag(unchecked.hasApprovedThirdPartyVirtualTourUrl),
      housingConnector: asFlag(unchecked.isHousingConnector),
    }),
  }
}

/** The building's own record. It is no unit and is never charged. */
export function toParentRow(record: Property): BuildingUnit {
  const unchecked: UncheckedFields = record
  const details = object(unchecked.building) ?? {}
  const units = object(details.rentalUnitsSummary) ?? {}
  const { street, city, state, zipcode } = addressParts(record)
  return {
    zpid: zpidText(record),
    ...present({
      buildingName: text(unchecked.buildingName),
      marketingName: text(unchecked.marketingName),
      fullAddress: text(details.fullAddress) ?? oneLineAddress({ ...record, buildingName: null }),
      address: { streetAddress: street, city, state, zipcode },
      latitude: number(unchecked.latitude),
      longitude: number(unchecked.longitude),
      lotId: asWholeNumber(unchecked.lotId),
      bdpUrl: text(unchecked.bdpUrl),
      yearBuilt: asWholeNumber(unchecked.yearBuilt),
      price: number(unchecked.price),
      homeStatus: text(unchecked.homeStatus),
      description: text(unchecked.description),
      buildingPhoneNumber: text(details.buildingPhoneNumber),
      homeTypes: texts(details.homeTypes),
      unitCount: asWholeNumber(units.unitCount) ?? asWholeNumber(unchecked.numberOfUnitsTotal),
      availableUnitCount: asWholeNumber(units.availableUnitCount),
      buildingAttributes: buildingAttributes(details),
      walkScore: object(details.walkScore),
      transitScore: object(details.transitScore),
      bikeScore: object(details.bikeScore),
      isSeniorHousing: asFlag(details.isSeniorHousing),
      isStudentHousing: asFlag(details.isStudentHousing),
      isLowIncome: asFlag(details.isLowIncome),
      isWaitlisted: asFlag(details.isWaitlisted),
    }),
  }
}

/** The unit number. A unit whose source has no number gets its zpid. */
function unitNumber(record: Property): string {
  const told = text((record as UncheckedFields).unitNumber)?.replace(/^#\s*/, '')
  return told || (findRecordAddress(record)?.unit ?? zpidText(record))
}

function buildingAttributes(details: UncheckedFields): BuildingUnit['buildingAttributes'] | null {
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
