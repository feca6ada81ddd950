import type { Metro } from './metros.ts'
import { clamp, toStep } from './numbers.ts'
import type { HomeType } from './property.ts'
import type { Random } from './random.ts'
import type { Size } from './sizes.ts'

/** The fittings of a home that more than one section of its record speaks of. */
export interface Features {
  garageSpaces: number
  carportSpaces: number
  openParkingSpaces: number
  parking: string[]
  hasPool: boolean
  hasSpa: boolean
  isWaterfront: boolean
  waterBody: string | null
  fireplaces: number
  basement: 'Finished' | 'Partially finished' | 'Unfinished' | null
  heating: string[]
  cooling: string[]
  views: string[]
  flooring: string[]
  appliances: string[]
  /** Dollars a month, null without an association. */
  monthlyHoaFee: number | null
  isNewConstruction: boolean
  yearRenovated: number | null
  isSeniorCommunity: boolean
}

const heatingKinds = ['Forced Air', 'Heat Pump', 'Radiant', 'Baseboard', 'Natural Gas', 'Electric']
const floorings = ['Carpet', 'Ceramic Tile', 'Concrete', 'Hardwood', 'Laminate', 'Slate', 'Vinyl Plank']
const appliances = [
  'Dishwasher',
  'Disposal',
  'Double Oven',
  'Dryer',
  'Gas Range',
  'Microwave',
  'Range Hood',
  'Refrigerator',
  'Washer',
  'Wine Cooler',
]
const views = ['City', 'Garden', 'Mountain(s)', 'Park', 'Territorial', 'Trees/Woods']

/** Shares of homes of each kind that pay an association, and what they pay a month. */
const association: Record<HomeType, [share: number, least: number, most: number]> = {
  SINGLE_FAMILY: [0.22, 20, 190],
  CONDO: [1, 180, 920],
  TOWNHOUSE: [0.9, 90, 410],
  MULTI_FAMILY: [0, 0, 0],
  MANUFACTURED: [0.3, 60, 260],
  LOT: [0.15, 15, 90],
  APARTMENT: [0, 0, 0],
}

export function featuresOf(homeType: HomeType, size: Size, metro: Metro, random: Random): Features {
  const isLand = homeType === 'LOT'
  const isFlat = homeType === 'CONDO' || homeType === 'APARTMENT'
  const garageSpaces = isLand || isFlat ? 0 : random.chance(0.68) ? random.int(1, 3) : 0
  const carportSpaces = !isLand && garageSpaces === 0 && random.chance(0.2) ? random.int(1, 2) : 0
  const openParkingSpaces = isLand ? 0 : isFlat ? random.int(0, 1) : random.int(0, 3)
  const isWaterfront = !isFlat && random.chance(metro.waterfrontShare)
  const [share, least, most] = association[homeType]
  const pays = random.chance(share)
  return {
    garageSpaces,
    carportSpaces,
    openParkingSpaces,
    parking: parkingWords(garageSpaces, carportSpaces, openParkingSpaces, random),
    hasPool: homeType === 'SINGLE_FAMILY' && random.chance(clamp(metro.poolShare * 1.3, 0, 0.6)),
    hasSpa: !isLand && random.chance(0.06),
    isWaterfront,
    waterBody: isWaterfront ? random.pick(['Mill Pond', 'Heron Lake', 'Otter Bay', 'Willow River']) : null,
    fireplaces: isLand ? 0 : random.chance(0.45) ? random.int(1, 2) : 0,
    basement:
      isLand || isFlat || homeType === 'MANUFACTURED' || !random.chance(metro.basementShare)
        ? null
        : random.pick(['Finished', 'Partially finished', 'Unfinished'] as const),
    heating: isLand ? [] : random.some(heatingKinds, random.int(1, 2)),
    cooling: isLand || !random.chance(metro.coolingShare) ? [] : coolingOf(homeType, random),
    views: random.chance(0.5) ? random.some(views, random.int(1, 2)) : [],
    flooring: isLand ? [] : random.some(floorings, random.int(1, 3)),
    appliances: isLand ? [] : random.some(appliances, random.int(4, 8)),
    monthlyHoaFee: pays ? toStep(random.between(least, most), 5) : null,
    isNewConstruction: !isLand && (size.yearBuilt ?? 0) >= 2024,
    yearRenovated:
      !isLand && (size.yearBuilt ?? 0) < 1970 && random.chance(0.5) ? random.int(1985, 2024) : null,
    isSeniorCommunity: homeType === 'MANUFACTURED' && random.chance(0.3),
  }
}

function coolingOf(homeType: HomeType, random: Random): string[] {
  if (homeType === 'APARTMENT' || random.chance(0.2)) return [random.pick(['Wall Unit(s)', 'Ductless'])]
  return random.chance(0.3) ? ['Central Air', 'Ceiling Fan(s)'] : ['Central Air']
}

function parkingWords(garage: number, carport: number, open: number, random: Random): string[] {
  const words = []
  if (garage > 0) words.push(random.chance(0.75) ? 'Attached Garage' : 'Detached Garage')
  if (garage > 1 && random.chance(0.4)) words.push('Garage Door Opener')
  if (carport > 0) words.push('Carport')
  if (open > 0) words.push(random.pick(['Driveway', 'Off Street', 'Assigned']))
  return words.length === 0 ? ['On Street'] : words
}
