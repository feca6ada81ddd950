import { featuresOf } from './features.ts'
import type { Home } from './home.ts'
import { monthlyRent, saleValue } from './market.ts'
import { landforms, natural } from './names.ts'
import type { House } from './neighbours.ts'
import { offerOf } from './offer.ts'
import type { HomeStatus, HomeType } from './property.ts'
import { randomFor } from './random.ts'
import { sizeOf } from './sizes.ts'

type HouseType = Exclude<HomeType, 'CONDO' | 'APARTMENT'>

/** What stands at a street number: a house, a townhouse, a small multi-family house or a plot. */
const typeWeights: Record<HouseType, number> = {
  SINGLE_FAMILY: 74,
  TOWNHOUSE: 10,
  MULTI_FAMILY: 7,
  LOT: 5,
  MANUFACTURED: 4,
}
/** Cities that were built up before this year have rowhouses, and no room for mobile homes. */
const OLD_CITY = 1940
const oldCityWeights: Record<HouseType, number> = { ...typeWeights, TOWNHOUSE: 15, LOT: 2, MANUFACTURED: 0 }

const statusWeights: Record<HomeStatus, number> = {
  FOR_SALE: 46,
  RECENTLY_SOLD: 23,
  FOR_RENT: 13,
  PENDING: 7,
  COMING_SOON: 1.5,
  OTHER: 9.5,
}
/** Land is not let. */
const landStatusWeights: Record<HomeStatus, number> = { ...statusWeights, FOR_RENT: 0 }

export function houseAt(house: House): Home {
  const { site, number, latitude, longitude, serial } = house
  // A site's hand-made home stands at the real number only, not at its invented neighbours'.
  const fixed = number === site.number ? site.fixed : undefined
  const zpid = fixed?.zpid ?? zpidOfHouse(serial)
  const random = randomFor(zpid, 'house')
  const weights = site.metro.medianYearBuilt < OLD_CITY ? oldCityWeights : typeWeights
  const homeType = fixed?.homeType ?? random.weighted(weights)
  const status = random.weighted(homeType === 'LOT' ? landStatusWeights : statusWeights)
  const size = { ...sizeOf(homeType, status, site.metro, random), ...fixed?.size }
  const value = fixed?.value ?? saleValue(homeType, size, site.metro, site.zipcode, random)
  const rent = monthlyRent(homeType, size, site.metro, site.zipcode, random)
  return {
    zpid,
    place: {
      streetAddress: `${number} ${site.street}`,
      street: site.street,
      city: site.city,
      state: site.state,
      zipcode: site.zipcode,
      county: site.county,
      latitude,
      longitude,
      metro: site.metro,
      ...surroundingsOf(site.zipcode, site.street),
    },
    homeType,
    size,
    features: { ...featuresOf(homeType, size, site.metro, random), ...fixed?.features },
    value,
    monthlyRent: rent,
    offer: fixed?.offer ?? offerOf(status, { homeType, value, monthlyRent: rent }, random),
  }
}

/** Names shared by the homes of a street, and by the few neighbourhoods of a ZIP code. */
export function surroundingsOf(zipcode: string, street: string) {
  const random = randomFor('surroundings', zipcode, street)
  const area = randomFor('neighbourhood', zipcode, random.int(1, 4))
  return {
    neighborhood: zipcode === '98109' ? 'Queen Anne' : `${area.pick(natural)} ${area.pick(landforms)}`,
    subdivision: random.chance(0.7) ? `${random.pick(natural)} ${random.pick(landforms)}` : null,
  }
}

const PRIME = 86_028_121
const MULTIPLIER = 40_503_007

/** Eight digits that look unrelated, different for every serial below the prime. */
function zpidOfHouse(serial: number): string {
  return String(10_000_000 + (((serial + 1) * MULTIPLIER) % PRIME))
}
