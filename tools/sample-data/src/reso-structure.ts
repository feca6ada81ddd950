import type { Home } from './home.ts'
import { isWholeBuilding } from './home.ts'
import { builders } from './names.ts'
import { round, withCommas } from './numbers.ts'
import { randomFor } from './random.ts'
import { roomsOf } from './rooms.ts'

/** The facts about what is inside: rooms, fittings, surfaces. */
export function interiorOf(home: Home) {
  const { size, features } = home
  const random = randomFor(home.zpid, 'interior')
  const isLand = size.bathrooms === null
  const half = isLand ? 0 : size.bathrooms! % 1 > 0 ? 1 : 0
  const full = isLand ? null : Math.floor(size.bathrooms!)
  const below = features.basement === null || size.livingArea === null ? 0 : round(size.livingArea * 0.22)
  return {
    bedrooms: size.bedrooms,
    bathrooms: size.bathrooms === null ? null : Math.ceil(size.bathrooms),
    bathroomsFloat: size.bathrooms,
    bathroomsFull: full,
    bathroomsHalf: isLand ? null : half,
    bathroomsThreeQuarter: isLand ? null : 0,
    bathroomsOneQuarter: isLand ? null : 0,
    mainLevelBedrooms: size.bedrooms === null ? null : Math.min(size.bedrooms, random.int(0, 2)),
    mainLevelBathrooms: full === null ? null : Math.min(full, 1),
    livingArea: size.livingArea === null ? null : `${withCommas(size.livingArea)} sqft`,
    aboveGradeFinishedArea: size.livingArea === null ? null : withCommas(size.livingArea - below),
    belowGradeFinishedArea: size.livingArea === null ? null : withCommas(below),
    appliances: features.appliances,
    flooring: features.flooring,
    heating: features.heating,
    hasHeating: features.heating.length > 0,
    cooling: isLand || features.cooling.length > 0 ? features.cooling : ['None'],
    hasCooling: features.cooling.length > 0,
    hasFireplace: features.fireplaces > 0,
    fireplaces: features.fireplaces,
    fireplaceFeatures: features.fireplaces > 0 ? [random.pick(['Gas', 'Living Room', 'Wood Burning'])] : [],
    basement: features.basement,
    basementYN: features.basement !== null,
    interiorFeatures: isLand
      ? []
      : random.some(['Breakfast Bar', 'Built-in Features', 'Pantry', 'Walk-In Closet(s)', 'Wet Bar'], 2),
    laundryFeatures: isLand ? [] : [random.pick(['In Unit', 'Laundry Room', 'Lower Level', 'Upper Level'])],
    windowFeatures: isLand ? [] : random.some(['Double Pane Windows', 'Skylight(s)', 'Window Coverings'], 1),
    doorFeatures: isLand ? [] : random.some(['French Doors', 'Sliding Doors'], 1),
    securityFeatures: isLand ? [] : random.some(['Carbon Monoxide Detector(s)', 'Smoke Detector(s)'], 2),
    rooms: isLand || isWholeBuilding(home) ? [] : roomsOf(home),
    furnished: false,
  }
}

/** The facts about the house itself: kind, age, materials. */
export function structureOf(home: Home) {
  const { size, features, homeType } = home
  const random = randomFor(home.zpid, 'structure')
  const isLand = homeType === 'LOT'
  const styles = ['Bungalow', 'Cape Cod', 'Contemporary', 'Craftsman', 'Ranch', 'Traditional', 'Tudor']
  return {
    homeType: titled(homeType),
    propertySubType: [subTypes[homeType]],
    architecturalStyle: isLand ? null : random.pick(styles),
    structureType: isLand ? null : homeType === 'SINGLE_FAMILY' ? 'House' : titled(homeType),
    stories: size.stories,
    storiesTotal: size.stories,
    levels:
      size.stories === null ? null : (['One', 'Two', 'Three Or More'][Math.min(size.stories, 3) - 1] ?? null),
    yearBuilt: size.yearBuilt,
    yearBuiltEffective: features.yearRenovated,
    isNewConstruction: features.isNewConstruction,
    builderName: features.isNewConstruction ? random.pick(builders) : null,
    constructionMaterials: isLand ? [] : random.some(['Brick', 'Frame', 'Stone', 'Stucco', 'Wood Siding'], 2),
    foundationDetails: isLand ? [] : [random.pick(['Block', 'Concrete Perimeter', 'Slab'])],
    roofType: isLand ? null : random.pick(['Composition', 'Metal', 'Tile', 'Shingle']),
    bodyType: homeType === 'MANUFACTURED' ? random.pick(['Double Wide', 'Single Wide']) : null,
    commonWalls: homeType === 'CONDO' || homeType === 'TOWNHOUSE' ? '1 Common Wall' : null,
    hasAttachedProperty: homeType === 'CONDO' || homeType === 'TOWNHOUSE' || homeType === 'APARTMENT',
    propertyCondition: isLand ? null : random.pick(['Average', 'Good', 'Updated/Remodeled', 'Very Good']),
    buildingName: home.within?.building.name ?? null,
  }
}

const subTypes: Record<Home['homeType'], string> = {
  SINGLE_FAMILY: 'Single Family Residence',
  CONDO: 'Condominium',
  TOWNHOUSE: 'Townhouse',
  MULTI_FAMILY: 'Multi Family',
  MANUFACTURED: 'Manufactured Home',
  LOT: 'Unimproved Land',
  APARTMENT: 'Apartment',
}

/** "SingleFamily". */
export function titled(homeType: Home['homeType']): string {
  return homeType.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
