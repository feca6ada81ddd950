import { DAY_MS } from '@lotline/sample/calendar'
import type { Home } from './home.ts'
import { dollars, round } from './numbers.ts'
import { fictionPhone, mlsIdOf } from './people.ts'
import type { School, TaxYear } from './property.ts'
import { randomFor } from './random.ts'
import { groundsOf, lotWords } from './reso-grounds.ts'
import { interiorOf, structureOf, titled } from './reso-structure.ts'
import { districtOf } from './schools.ts'

/**
 * The attribute set of a listing exchange, in the record's spelling of the RESO names. Amounts and
 * areas are text here, as the listing sites give them ("2,450 sqft", "$310 monthly").
 */
export type ResoFacts = ReturnType<typeof resoFactsOf>

export function resoFactsOf(home: Home, schools: readonly School[], taxes: readonly TaxYear[], asOf: number) {
  return {
    ...interiorOf(home),
    ...structureOf(home),
    ...groundsOf(home),
    ...parkingOf(home),
    ...associationOf(home),
    ...listingOf(home, taxes, asOf),
    ...schoolsFacts(home, schools),
  }
}

function parkingOf({ features }: Home) {
  const { garageSpaces, carportSpaces, openParkingSpaces } = features
  return {
    parkingCapacity: garageSpaces + carportSpaces + openParkingSpaces,
    parkingFeatures: features.parking,
    hasGarage: garageSpaces > 0,
    garageParkingCapacity: garageSpaces,
    hasAttachedGarage: features.parking.includes('Attached Garage'),
    hasCarport: carportSpaces > 0,
    carportParkingCapacity: carportSpaces,
    coveredParkingCapacity: garageSpaces + carportSpaces,
    hasOpenParking: openParkingSpaces > 0,
    openParkingCapacity: openParkingSpaces,
  }
}

function associationOf(home: Home) {
  const { monthlyHoaFee: fee, isSeniorCommunity } = home.features
  const random = randomFor(home.zpid, 'association')
  const text = fee === null ? null : `${dollars(fee)} monthly`
  const name =
    fee === null
      ? null
      : `${home.within?.building.name ?? home.place.subdivision ?? home.place.neighborhood} Association`
  const phone = fee === null ? null : fictionPhone(home.place.metro, random.int(0, 99))
  return {
    hasAssociation: fee !== null,
    associationFee: text,
    hoaFee: text,
    hoaFeeTotal: text,
    associationName: name,
    associationPhone: phone,
    associationFeeIncludes:
      fee === null ? [] : random.some(['Insurance', 'Maintenance Grounds', 'Sewer', 'Trash', 'Water'], 2),
    associationAmenities:
      fee === null ? [] : random.some(['Fitness Center', 'Picnic Area', 'Pool', 'Trail(s)'], 1),
    associations: fee === null ? [] : [{ feeFrequency: `${dollars(fee)} monthly`, name, phone }],
    feesAndDues: fee === null ? [] : [{ type: 'HOA fee', fee: text, name, phone }],
    communityFeatures: random.some(['Park', 'Playground', 'Sidewalks', 'Trails'], 2),
    isSeniorCommunity,
    numberOfUnitsInCommunity: home.within?.building.unitCount ?? null,
  }
}

function listingOf(home: Home, taxes: readonly TaxYear[], asOf: number) {
  const { offer, size } = home
  const random = randomFor(home.zpid, 'terms')
  const listed = offer.asked[0]
  const isRental = offer.status === 'FOR_RENT'
  const isSale = listed !== undefined && !isRental
  return {
    listingId: listed ? mlsIdOf(home) : null,
    listingTerms: isSale ? 'Cash, Conventional, FHA, VA Loan' : null,
    onMarketDate: listed ? asOf - listed.daysAgo * DAY_MS : null,
    cumulativeDaysOnMarket: listed ? `${listed.daysAgo} days` : null,
    contingency: offer.status === 'PENDING' && random.chance(0.5) ? 'Inspection' : null,
    specialListingConditions: isSale ? (offer.isForeclosure ? 'Real Estate Owned' : 'Standard') : null,
    ownership: isSale ? 'Fee Simple' : null,
    ownershipType: isSale ? 'Private' : null,
    pricePerSquareFoot:
      offer.price && size.livingArea && !isRental ? round(offer.price / size.livingArea) : null,
    taxAnnualAmount: taxes.find(({ taxPaid }) => taxPaid !== null)?.taxPaid ?? null,
    taxAssessedValue: taxes[0]?.value ?? null,
    leaseTerm: isRental ? random.pick(['12 Months', '6 Months', 'Month To Month']) : null,
    hasPetsAllowed: isRental ? random.chance(0.6) : null,
    hasRentControl: isRental ? false : null,
    hasLandLease: home.homeType === 'MANUFACTURED' && home.within !== undefined,
    hasHomeWarranty: isSale ? random.chance(0.1) : null,
    atAGlanceFacts: [
      { factLabel: 'Type', factValue: titled(home.homeType) },
      { factLabel: 'Year Built', factValue: size.yearBuilt === null ? null : String(size.yearBuilt) },
      { factLabel: 'Lot', factValue: size.lotSize === null ? null : lotWords(size.lotSize) },
    ],
  }
}

function schoolsFacts(home: Home, schools: readonly School[]) {
  const district = districtOf(home.place.city)
  const nameOf = (level: School['level']) => schools.find((school) => school.level === level)?.name ?? null
  return {
    elementarySchool: nameOf('Elementary'),
    elementarySchoolDistrict: district,
    middleOrJuniorSchool: nameOf('Middle'),
    middleOrJuniorSchoolDistrict: district,
    highSchool: nameOf('High'),
    highSchoolDistrict: district,
  }
}
