import { DAY_MS, isoDay, yearOf } from '@lotline/sample/calendar'
import type { Home } from './home.ts'
import { isWholeBuilding } from './home.ts'
import { round, toStep } from './numbers.ts'
import { attributionOf, findAgent, mlsIdOf, ownerName } from './people.ts'
import { findLastSale } from './price-history.ts'
import type { HomeStatus, ListingFields, TaxYear } from './property.ts'
import { randomFor } from './random.ts'
import { subTypesOf } from './sub-types.ts'
import type { Property } from './whole-record.ts'

/** What the listing is read from beside the home itself. */
type Histories = Pick<Property, 'priceHistory' | 'taxHistory' | 'openHouseSchedule'>

/** The part of the record about the offer: price, dates, estimates, and who offers it. */
export function listingOf(home: Home, histories: Histories, asOf: number): ListingFields {
  const { offer, features } = home
  const isOff = offer.status === 'OTHER'
  const isRental = offer.status === 'FOR_RENT'
  const random = randomFor(home.zpid, 'listing')
  const estimates = estimatesOf(home)
  const sale = findLastSale(histories.priceHistory)
  const daysOnSite = offer.soldDaysAgo ?? offer.asked[0]?.daysAgo ?? null
  return {
    homeStatus: offer.status,
    keystoneHomeStatus: keystoneStatus[offer.status],
    // Off the market the listing sites show what they think the home is worth.
    price: isOff && !isWholeBuilding(home) ? estimates.zestimate : offer.price,
    currency: 'USD',
    ...priceChangeOf(home, asOf),
    ...datesOf(home, asOf),
    dateSold: sale?.time ?? null,
    dateSoldString: sale?.date ?? null,
    lastSoldPrice: sale?.price ?? null,
    daysOnSite,
    timeOnSite: daysOnSite === null ? null : daysOnSite === 1 ? '1 day' : `${daysOnSite} days`,
    ...estimates,
    ...taxOf(home, histories.taxHistory),
    annualHomeownersInsurance: isRental || home.size.livingArea === null ? null : round(home.value * 0.0042),
    monthlyHoaFee: features.monthlyHoaFee,
    hoaFee: features.monthlyHoaFee,
    baseRent: isRental ? offer.price : null,
    availabilityDate: isRental ? isoDay(asOf + random.int(0, 45) * DAY_MS) : null,
    rentalApplicationsAcceptedType: isRental ? (random.chance(0.6) ? 'REQUEST_TO_APPLY' : 'NONE') : null,
    contingentListingType: offer.status === 'PENDING' && random.chance(0.4) ? 'UNDER_CONTRACT' : null,
    comingSoonOnMarketDate: offer.status === 'COMING_SOON' ? isoDay(asOf + random.int(2, 14) * DAY_MS) : null,
    newConstructionType: features.isNewConstruction && !isOff ? 'BUILDER_SPEC' : null,
    isOffMarket: isOff,
    isListedByOwner: offer.isByOwner,
    isNonOwnerOccupied: isRental || random.chance(0.2),
    isFeatured: false,
    isPremierBuilder: false,
    isPreforeclosureAuction: false,
    isRecentStatusChange: daysOnSite !== null && daysOnSite <= 3,
    isRentalListingOffMarket: !isRental,
    isSiteOwned: false,
    ...subTypesOf(home, histories.openHouseSchedule.length > 0),
    ...offeredBy(home, asOf),
    ...interestOf(home),
    ...toursOf(home),
  }
}

const keystoneStatus: Record<HomeStatus, string> = {
  FOR_SALE: 'ForSale',
  COMING_SOON: 'ComingSoon',
  PENDING: 'Pending',
  FOR_RENT: 'ForRent',
  RECENTLY_SOLD: 'RecentlySold',
  OTHER: 'OffMarket',
}

function priceChangeOf({ offer }: Home, asOf: number) {
  const now = offer.asked.at(-1)
  const before = offer.asked.at(-2)
  const changedAt = now && before ? asOf - now.daysAgo * DAY_MS : null
  return {
    priceChange: now && before ? now.price - before.price : null,
    priceChangeDate: changedAt,
    priceChangeDateString: changedAt === null ? null : isoDay(changedAt),
    datePriceChanged: changedAt,
  }
}

function datesOf({ offer }: Home, asOf: number) {
  const listed = offer.asked[0]
  const datePosted = listed ? isoDay(asOf - listed.daysAgo * DAY_MS) : null
  return { datePosted, datePostedString: datePosted }
}

/** Estimates are missing for one home in eight, and where there is no sale or no rent to estimate. */
function estimatesOf(home: Home) {
  const random = randomFor(home.zpid, 'estimates')
  // Flats of a rental house are not sold one by one.
  const isSold = home.homeType !== 'APARTMENT' && !isWholeBuilding(home)
  const isKnown = random.chance(0.88) && isSold
  const isRentKnown = random.chance(0.85) && !isWholeBuilding(home) && home.monthlyRent !== null
  return {
    zestimate: isKnown ? toStep(home.value * random.between(0.95, 1.06), 100) : null,
    zestimateLowPercent: isKnown ? String(random.int(4, 8)) : null,
    zestimateHighPercent: isKnown ? String(random.int(4, 9)) : null,
    hideZestimate: false,
    rentZestimate: isRentKnown ? round(home.monthlyRent! * random.between(0.94, 1.07)) : null,
    restimateLowPercent: isRentKnown ? String(random.int(5, 12)) : null,
    restimateHighPercent: isRentKnown ? String(random.int(5, 14)) : null,
  }
}

function taxOf(home: Home, taxes: TaxYear[]) {
  const newest = taxes[0]
  return {
    tax: taxes.find(({ taxPaid }) => taxPaid !== null)?.taxPaid ?? null,
    taxAssessedValue: newest?.value ?? null,
    taxAssessedYear: newest ? yearOf(newest.time) : null,
    propertyTaxRate: round(home.place.metro.taxRate * 100, 2),
  }
}

function offeredBy(home: Home, asOf: number) {
  const random = randomFor(home.zpid, 'owner')
  const agent = findAgent(home)
  const isPrivate = home.offer.status !== 'OTHER' && agent === undefined
  return {
    listingDataSource: 'Lotline sample',
    mlsid: agent ? mlsIdOf(home) : null,
    brokerageName: agent?.brokerName ?? null,
    agent: agent
      ? {
          agentName: agent.name,
          agentEmail: agent.email,
          agentPhoneNumber: agent.phoneNumber,
          agentLicenseNumber: agent.licenseNumber,
          brokerName: agent.brokerName,
          brokerPhoneNumber: agent.brokerPhoneNumber,
        }
      : null,
    broker: agent ? { brokerName: agent.brokerName, brokerPhoneNumber: agent.brokerPhoneNumber } : null,
    attributionInfo: attributionOf(home, agent, asOf),
    postingContact: isPrivate ? { name: ownerName(random), photo: null } : null,
  }
}

function interestOf(home: Home) {
  const random = randomFor(home.zpid, 'interest')
  const isOff = home.offer.status === 'OTHER'
  return {
    favoriteCount: isOff ? 0 : random.int(0, 90),
    pageViewCount: isOff ? random.int(0, 20) : random.int(20, 2_400),
    tourViewCount: isOff ? 0 : random.int(0, 40),
  }
}

function toursOf(home: Home) {
  const random = randomFor(home.zpid, 'tours')
  const isOpen = home.offer.status === 'FOR_SALE' || home.offer.status === 'FOR_RENT'
  const isPropertyTourEligible = isOpen && random.chance(0.8)
  return {
    tourEligibility: {
      isPropertyTourEligible,
      propertyTourOptions: {
        isFinal: false,
        tourAvailability: [],
        tourType: isPropertyTourEligible ? 'REQUEST_TOUR' : null,
      },
    },
    selfTour: { hasSelfTour: home.offer.status === 'FOR_RENT' && random.chance(0.15) },
  }
}
