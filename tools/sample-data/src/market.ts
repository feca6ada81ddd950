/** What homes are worth, where, and what they were worth in earlier years. */

import type { Metro } from './metros.ts'
import { clamp, toStep } from './numbers.ts'
import type { HomeType } from './property.ts'
import { type Random, randomFor } from './random.ts'
import { type Size, SQFT_PER_ACRE } from './sizes.ts'

/** Price per square foot of each kind of home, against a house of the same area. */
const typeFactor: Record<HomeType, number> = {
  SINGLE_FAMILY: 1,
  CONDO: 0.95,
  TOWNHOUSE: 0.93,
  MULTI_FAMILY: 0.8,
  MANUFACTURED: 0.42,
  APARTMENT: 0.92,
  LOT: 1,
}

export function saleValue(
  homeType: HomeType,
  size: Size,
  metro: Metro,
  zipcode: string,
  random: Random,
): number {
  const local = metro.pricePerSqft * zipFactor(zipcode) * random.between(0.9, 1.12)
  if (size.livingArea === null) {
    const acres = (size.lotSize ?? 0) / SQFT_PER_ACRE
    return toStep(local * 420 * (0.55 + Math.sqrt(acres) * 0.6), 500)
  }
  // Each further square foot is worth a little less, and a new house a little more.
  const areaFactor = clamp(1.2 - size.livingArea / 9_000, 0.8, 1.2)
  const ageFactor = clamp(0.94 + ((size.yearBuilt ?? 1980) - 1950) / 500, 0.92, 1.1)
  const land = (size.lotSize ?? 0) * metro.pricePerSqft * 0.008
  return toStep(size.livingArea * local * typeFactor[homeType] * areaFactor * ageFactor + land, 500)
}

export function monthlyRent(homeType: HomeType, size: Size, metro: Metro, zipcode: string, random: Random) {
  if (size.livingArea === null || homeType === 'LOT') return null
  // Even the smallest flat has a kitchen and a bath to pay for.
  const rent = (size.livingArea * 0.8 + 220) * metro.rentPerSqft * (0.6 + 0.4 * zipFactor(zipcode))
  return toStep(rent * random.between(0.92, 1.1), 5)
}

/** How dear a ZIP code is within its area: 0.84 to 1.2. */
function zipFactor(zipcode: string): number {
  return 0.84 + 0.36 * randomFor('zip', zipcode).unit()
}

/** Prices that many years ago as a share of today's, by the years between which it is interpolated. */
const index: [yearsAgo: number, share: number][] = [
  [0, 1],
  [2, 0.97],
  [4, 0.92],
  [6, 0.7],
  [10, 0.55],
  [14, 0.42],
  [20, 0.56],
  [26, 0.36],
  [36, 0.25],
  [60, 0.08],
]

/** What a home worth 1 dollar today was worth then. */
export function formerShare(yearsAgo: number): number {
  for (let at = 1; at < index.length; at++) {
    const [later, laterShare] = index[at - 1]!
    const [earlier, earlierShare] = index[at]!
    if (yearsAgo <= earlier) {
      return laterShare + ((yearsAgo - later) / (earlier - later)) * (earlierShare - laterShare)
    }
  }
  return index.at(-1)![1]
}

/** A price as sellers write it: 899,900 or 745,000. */
export function askingPrice(amount: number, random: Random): number {
  const step = amount < 150_000 ? 500 : amount < 1_500_000 ? 1_000 : 5_000
  return Math.max(step, toStep(amount, step)) - (random.chance(0.45) ? 100 : 0)
}

/** A rent as landlords write it: 1,895 or 2,400. */
export function askingRent(amount: number, random: Random): number {
  return toStep(amount, random.chance(0.5) ? 50 : 25) - (random.chance(0.3) ? 5 : 0)
}
