/**
 * Seattle's Queen Anne hill, where the manual's examples live. The streets are real, the house
 * numbers on them are invented, and coordinates follow the street grid to within a block.
 */

import { offMarket } from './offer.ts'
import type { FixedHome, StreetNumber } from './site.ts'

const ZIP = '98109'
const LATITUDE_AT_2114 = 47.6378
const DEGREES_PER_NUMBER = 0.0000105

/** North-south streets and the longitude each runs along. */
const avenues: [street: string, longitude: number][] = [
  ['Bigelow Ave N', -122.3477],
  ['Mayfair Ave N', -122.3484],
  ['4th Ave N', -122.3491],
  ['5th Ave N', -122.3469],
  ['Nob Hill Ave N', -122.3502],
  ['3rd Ave N', -122.3513],
  ['2nd Ave N', -122.3529],
  ['Warren Ave N', -122.3543],
  ['1st Ave N', -122.3556],
]

/** The home that the manual's examples look up: 2114 Bigelow Ave N. */
export const MANUAL_ZPID = '48749425'

const manualHome: FixedHome = {
  zpid: MANUAL_ZPID,
  homeType: 'SINGLE_FAMILY',
  size: {
    bedrooms: 4,
    bathrooms: 3,
    livingArea: 3_240,
    lotSize: 4_680,
    yearBuilt: 1924,
    stories: 2,
    homes: 1,
  },
  features: {
    garageSpaces: 1,
    carportSpaces: 0,
    openParkingSpaces: 1,
    parking: ['Attached Garage', 'Driveway'],
    fireplaces: 2,
    basement: 'Partially finished',
    heating: ['Forced Air', 'Natural Gas'],
    views: ['City', 'Mountain(s)'],
    flooring: ['Ceramic Tile', 'Hardwood'],
    monthlyHoaFee: null,
    yearRenovated: 2011,
  },
  value: 1_880_000,
  offer: {
    ...offMarket,
    status: 'FOR_SALE',
    price: 1_875_000,
    asked: [
      { daysAgo: 34, price: 1_925_000 },
      { daysAgo: 12, price: 1_875_000 },
    ],
  },
}

/** House numbers on each avenue, the one nearest to the manual's home first. */
const blocks = [2114, 2102, 2128, 2088, 2142, 2076, 2156, 2064, 2170, 2052, 2184, 2040]

/** 108 houses, those around the manual's home first. */
export function seattleHouses(): StreetNumber[] {
  return blocks.flatMap((number, index) =>
    avenues.map(([street, longitude]) => ({
      ...onAvenue(number, street, longitude),
      ...(index === 0 && street === 'Bigelow Ave N' ? { fixed: manualHome } : {}),
    })),
  )
}

/** Sites of the three buildings, about a kilometre away from the houses. */
export function seattleBuildings(): StreetNumber[] {
  return [
    onAvenue(1221, 'Dexter Ave N', -122.3427),
    onAvenue(1315, 'Aurora Ave N', -122.3445),
    onAvenue(905, 'Queen Anne Ave N', -122.357),
  ]
}

function onAvenue(number: number, street: string, longitude: number): StreetNumber {
  const latitude = LATITUDE_AT_2114 + (number - 2114) * DEGREES_PER_NUMBER
  return {
    number,
    street,
    city: 'Seattle',
    state: 'WA',
    zipcode: ZIP,
    latitude: Math.round(latitude * 1e6) / 1e6,
    longitude,
    runsNorth: true,
  }
}
