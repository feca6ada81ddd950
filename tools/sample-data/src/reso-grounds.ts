import type { Home } from './home.ts'
import { round, withCommas } from './numbers.ts'
import { randomFor } from './random.ts'
import { SQFT_PER_ACRE } from './sizes.ts'

/** The facts about the lot, what surrounds the house and what is connected to it. */
export function groundsOf(home: Home) {
  const { size, features } = home
  const random = randomFor(home.zpid, 'grounds')
  const lot = size.lotSize
  const views = features.isWaterfront ? [...features.views, 'Water'] : features.views
  return {
    lotSize: lot === null ? null : lotWords(lot),
    lotSizeDimensions:
      lot === null || lot > 20_000 ? null : `${round(Math.sqrt(lot / 2))} x ${round(Math.sqrt(lot * 2))}`,
    lotFeatures: lot === null ? [] : random.some(['Corner Lot', 'Curbs', 'Level', 'Paved', 'Sidewalk'], 2),
    topography: lot === null ? null : random.pick(['Level', 'Partial Slope', 'Terraces']),
    vegetation: lot === null ? [] : random.some(['Fruit Trees', 'Garden Space', 'Wooded'], 1),
    hasPrivatePool: features.hasPool,
    poolFeatures: features.hasPool ? [random.pick(['Heated', 'In Ground', 'Outdoor Pool'])] : [],
    hasSpa: features.hasSpa,
    spaFeatures: features.hasSpa ? ['Private'] : [],
    hasView: views.length > 0,
    view: views,
    hasWaterfrontView: features.isWaterfront,
    waterfrontFeatures: features.isWaterfront ? [random.pick(['Bank-Low', 'Dock', 'No Bank'])] : [],
    waterBodyName: features.waterBody,
    waterView: features.isWaterfront ? features.waterBody : null,
    waterViewYN: features.isWaterfront,
    exteriorFeatures: random.some(['Garden', 'Lighting', 'Rain Gutters', 'Storage'], 2),
    patioAndPorchFeatures: lot === null ? [] : random.some(['Covered', 'Deck', 'Patio', 'Porch'], 1),
    fencing: lot !== null && random.chance(0.5) ? random.pick(['Fenced', 'Partially Fenced', 'Wood']) : null,
    otherStructures: lot !== null && random.chance(0.2) ? ['Shed(s)'] : [],
    electric: ['Circuit Breakers'],
    gas: home.place.metro.state === 'FL' ? [] : ['Natural Gas Connected'],
    sewer: [lot !== null && lot > SQFT_PER_ACRE ? 'Septic Tank' : 'Public Sewer'],
    waterSource: [lot !== null && lot > 2 * SQFT_PER_ACRE ? 'Well' : 'Public'],
    utilities: ['Cable Available', 'Electricity Connected'],
    roadSurfaceType: ['Paved'],
    frontageType: null,
    elevationUnits: 'Feet',
    zoning: homeZoning[home.homeType],
    zoningDescription: 'Residential',
    parcelNumber: parcelNumberOf(home),
    cityRegion: home.place.neighborhood,
    municipality: home.place.city,
    subdivisionName: home.place.subdivision,
  }
}

/** "5,663 sqft" below half an acre, else "1.25 Acres". */
export function lotWords(squareFeet: number): string {
  if (squareFeet < SQFT_PER_ACRE / 2) return `${withCommas(squareFeet)} sqft`
  return `${round(squareFeet / SQFT_PER_ACRE, 2)} Acres`
}

/** The assessor's number; units of one building share all but its last part. */
export function parcelNumberOf(home: Home): string {
  const random = randomFor(home.within ? home.within.building.key : home.zpid, 'parcel')
  const lot = `${random.int(100_000, 999_999)}${random.int(1_000, 9_999)}`
  return home.within && 'unitNumber' in home.within ? `${lot}-${home.within.unitNumber}` : lot
}

const homeZoning: Record<Home['homeType'], string> = {
  SINGLE_FAMILY: 'R-1',
  CONDO: 'R-5',
  TOWNHOUSE: 'R-3',
  MULTI_FAMILY: 'R-4',
  MANUFACTURED: 'R-2',
  LOT: 'R-1',
  APARTMENT: 'R-5',
}
