import type { Home } from './home.ts'
import { isWholeBuilding } from './home.ts'
import { withCommas } from './numbers.ts'
import type { HomeType } from './property.ts'
import { type Random, randomFor } from './random.ts'
import { SQFT_PER_ACRE } from './sizes.ts'

/** The listing's text and its highlights, in the words of a listing but true to the record. */
const nouns: Record<HomeType, string> = {
  SINGLE_FAMILY: 'house',
  CONDO: 'condominium',
  TOWNHOUSE: 'townhouse',
  MULTI_FAMILY: 'multi-family house',
  MANUFACTURED: 'manufactured home',
  LOT: 'lot',
  APARTMENT: 'apartment',
}

const openings = [
  'Bright and welcoming',
  'Well kept',
  'Thoughtfully updated',
  'Quiet and sunny',
  'Full of character',
]
const kitchens = [
  'The kitchen opens to the dining area and has plenty of counter space.',
  'The kitchen was remodeled a few years ago and gets the morning sun.',
  'Cooks will like the deep pantry and the window over the sink.',
]
const closings = [
  'Shops, a library and a bus stop are within a short walk.',
  'Neighbors know one another here, and the street is calm in the evening.',
  'The nearest park is around the corner.',
  'Easy to reach from the main road, yet away from its noise.',
]

export function descriptionOf(home: Home): string {
  const random = randomFor(home.zpid, 'description')
  if (isWholeBuilding(home)) return buildingText(home, random)
  if (home.homeType === 'LOT') return lotText(home, random)
  const { size, features, place } = home
  const rooms = size.bedrooms === 0 ? 'studio' : `${size.bedrooms}-bedroom`
  const sentences = [
    `${random.pick(openings)} ${rooms} ${nouns[home.homeType]} in ${place.neighborhood}, ${place.city}.`,
    `It offers ${withCommas(size.livingArea ?? 0)} square feet and ${bathrooms(size.bathrooms)}, built in ${size.yearBuilt}.`,
    random.pick(kitchens),
  ]
  if (features.fireplaces > 0) sentences.push('A fireplace warms the living room.')
  if (features.hasPool) sentences.push('The fenced backyard has a private pool.')
  if (features.isWaterfront) sentences.push(`The lot reaches down to ${features.waterBody}.`)
  if (features.garageSpaces > 0) {
    sentences.push(
      `The garage holds ${features.garageSpaces === 1 ? 'one car' : `${features.garageSpaces} cars`}.`,
    )
  }
  if (home.offer.status === 'FOR_RENT') sentences.push('Twelve-month lease; water and waste are included.')
  sentences.push(random.pick(closings))
  return sentences.join(' ')
}

export function highlightsOf(home: Home): string[] {
  const { features } = home
  const highlights = []
  if (features.hasPool) highlights.push('Private pool')
  if (features.isWaterfront) highlights.push('Waterfront')
  if (features.fireplaces > 0) highlights.push('Fireplace')
  if (features.garageSpaces > 1) highlights.push(`${features.garageSpaces}-car garage`)
  if (features.flooring.includes('Hardwood')) highlights.push('Hardwood floors')
  if (features.isNewConstruction) highlights.push('New construction')
  for (const view of features.views) highlights.push(`${view} view`)
  return highlights
}

function lotText({ size, place, features }: Home, random: Random): string {
  const acres = ((size.lotSize ?? 0) / SQFT_PER_ACRE).toFixed(2)
  const water = features.isWaterfront ? ` It reaches down to ${features.waterBody}.` : ''
  return `Building lot of ${acres} acres on ${place.street} in ${place.city}.${water} Utilities are at the street. ${random.pick(closings)}`
}

function buildingText(home: Home, random: Random): string {
  const { building } = home.within!
  return (
    `${building.name} in ${home.place.neighborhood}, ${home.place.city}: ${building.unitCount} homes, ` +
    `built in ${building.yearBuilt}. ${random.pick(closings)}`
  )
}

function bathrooms(count: number | null): string {
  return count === 1 ? 'one bathroom' : `${count} bathrooms`
}
