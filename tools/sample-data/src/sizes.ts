import type { Metro } from './metros.ts'
import { clamp, round, toStep } from './numbers.ts'
import type { HomeStatus, HomeType } from './property.ts'
import type { Random } from './random.ts'

/** How big and how old a home is. Null where the kind of home has no such thing. */
export interface Size {
  bedrooms: number | null
  /** In halves: 2.5 is two full bathrooms and one half. */
  bathrooms: number | null
  livingArea: number | null
  /** Square feet. */
  lotSize: number | null
  yearBuilt: number | null
  stories: number | null
  /** Homes under the one roof. */
  homes: number | null
}

type BuiltHomeType = Exclude<HomeType, 'LOT'>

const bedroomWeights: Record<BuiltHomeType, Record<string, number>> = {
  SINGLE_FAMILY: { 2: 14, 3: 46, 4: 29, 5: 9, 6: 2 },
  CONDO: { 0: 6, 1: 34, 2: 46, 3: 14 },
  TOWNHOUSE: { 2: 30, 3: 56, 4: 14 },
  MULTI_FAMILY: { 4: 34, 5: 12, 6: 30, 8: 18, 9: 2, 12: 4 },
  MANUFACTURED: { 2: 38, 3: 52, 4: 10 },
  APARTMENT: { 0: 18, 1: 42, 2: 32, 3: 8 },
}

/** Square feet: of the home without bedrooms, and of each bedroom with its share of the rest. */
const areaOf: Record<BuiltHomeType, [base: number, perBedroom: number]> = {
  SINGLE_FAMILY: [420, 470],
  CONDO: [430, 330],
  TOWNHOUSE: [480, 400],
  MULTI_FAMILY: [300, 430],
  MANUFACTURED: [320, 330],
  APARTMENT: [420, 290],
}

/** Half of the lots are smaller than this many square feet. */
const lotOf: Partial<Record<HomeType, number>> = {
  SINGLE_FAMILY: 8_200,
  TOWNHOUSE: 2_100,
  MULTI_FAMILY: 6_400,
  MANUFACTURED: 5_600,
}

export const SQFT_PER_ACRE = 43_560
const NEWEST_YEAR = 2025
/** Sales go back three years, and nothing is sold before it was built. */
const NEWEST_YEAR_SOLD = 2022

export function sizeOf(homeType: HomeType, status: HomeStatus, metro: Metro, random: Random): Size {
  if (homeType === 'LOT') {
    return {
      bedrooms: null,
      bathrooms: null,
      livingArea: null,
      lotSize: toStep(random.between(0.12, random.chance(0.3) ? 9 : 1.2) * SQFT_PER_ACRE, 10),
      yearBuilt: null,
      stories: null,
      homes: null,
    }
  }
  const bedrooms = Number(random.weighted(bedroomWeights[homeType]))
  const [base, perBedroom] = areaOf[homeType]
  const typicalLot = lotOf[homeType]
  return {
    bedrooms,
    bathrooms: clamp(round(bedrooms * random.between(0.5, 1) * 2) / 2, 1, 8),
    livingArea: toStep(
      (base + bedrooms * perBedroom) * random.between(0.85, 1.3),
      random.chance(0.4) ? 10 : 1,
    ),
    lotSize: typicalLot ? toStep(typicalLot * random.between(0.45, random.chance(0.2) ? 4 : 1.5), 1) : null,
    yearBuilt: Math.min(yearBuilt(homeType, metro, random), newestYear(status)),
    stories: storiesOf(homeType, random),
    homes: homeType === 'MULTI_FAMILY' ? clamp(Math.floor(bedrooms / 2), 2, 4) : 1,
  }
}

function yearBuilt(homeType: HomeType, metro: Metro, random: Random): number {
  if (homeType === 'MANUFACTURED') return random.int(1974, 2023)
  const { medianYearBuilt: median } = metro
  const older = random.chance(0.5)
  const uniform = random.unit()
  // Squared, so that most houses of either half stand near the median.
  const spread = uniform * uniform
  return older ? median - round(spread * 60) : median + round(spread * (NEWEST_YEAR - median))
}

function newestYear(status: HomeStatus): number {
  return status === 'RECENTLY_SOLD' ? NEWEST_YEAR_SOLD : NEWEST_YEAR
}

function storiesOf(homeType: HomeType, random: Random): number {
  if (homeType === 'SINGLE_FAMILY') return Number(random.weighted({ 1: 52, 2: 44, 3: 4 }))
  if (homeType === 'TOWNHOUSE') return random.int(2, 3)
  if (homeType === 'MULTI_FAMILY') return random.int(2, 3)
  return 1
}
